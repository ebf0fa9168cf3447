// Integration. Each antiderivative is compared, as a difference between two points, with a closed form from tables (Gradshteyn and Ryzhik,
// DLMF) or from another program; integrands without elementary antiderivative must not be given one; quadrature is compared with known
// values.
#include "unit.h"

#include "math/expr/expr.h"

typedef struct bench {
    cc_arena arena;
    cc_error err;
    cc_alg g;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    cc_alg_init(&b->g, &b->arena, &b->err, NULL);
    b->g.soft_deadline_ms = cc_now_ms() + 60000;
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    bench *b = *state;
    cc_alg_clear(&b->g);
    cc_arena_free(&b->arena);
    free(b);
    return 0;
}

static cc_xp expr(bench *b, const char *text) {
    cc_xp x = cc_x_read(&b->g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, b->err.msg);
    return x;
}

// The integral of f in x from 1/4 to 3/4 by the antiderivative, with a = 3/2, n = 5/2.
static void check_antiderivative(bench *b, const char *f, const char *wanted) {
    cc_alg *g = &b->g;
    cc_xp x = cc_x_symbol(g, CC_STR("x"), 0), a = cc_x_symbol(g, CC_STR("a"), 0), n = cc_x_symbol(g, CC_STR("n"), 0);
    const char *graded = NULL;
    cc_xp F = cc_x_antiderivative(g, expr(b, f), x, &graded);
    if (!F) fail_msg("%s: not found %s", f, b->err.msg);
    assert_non_null(graded);
    const cc_xp old[] = {a, n, x};
    const cc_xp upper[] = {cc_x_frac(g, 3, 2), cc_x_frac(g, 5, 2), cc_x_frac(g, 3, 4)}, lower[] = {upper[0], upper[1], cc_x_frac(g, 1, 4)};
    cc_xp value = cc_x_sub(g, cc_x_subs_many(g, F, old, upper, 3), cc_x_subs_many(g, F, old, lower, 3));
    cc_xp error = cc_x_sub(g, value, expr(b, wanted));
    acb_t z;
    mag_t size;
    acb_init(z);
    mag_init(size);
    if (!cc_x_enclose_to(g, z, error, NULL, 100)) fail_msg("%s: no value of %.*s", f, (int)cc_x_show(g, F).n, cc_x_show(g, F).p);
    acb_get_mag(size, z);
    if (mag_cmp_2exp_si(size, -90) > 0) fail_msg("%s: wrong by %g: %.*s", f, mag_get_d(size), (int)cc_x_show(g, F).n, cc_x_show(g, F).p);
    acb_clear(z);
    mag_clear(size);
}

static void test_antiderivatives(void **state) {
    static const struct {
        const char *f, *value; // values: mpmath's quad, to 34 digits
    } cases[] = {
        {"1/(1+x^4)", "0.4596018017996551880312683379269738"},
        {"1/(1+x+x^2+x^3+x^4)", "0.2619857603463066936706149347184571"},
        {"x^2*sin(x)", "0.07329109234948304009455310078777626"},
        {"1/(a^2-x^2)^(3/2)", "0.1814752969972988662254333844572304"},
        {"1/(x*sqrt(1+x+x^2))", "0.8554521037322088780982744513691323"},
        {"sqrt(1-x^2)/(2+x)", "0.1714436225846843213635180411972577"},
        {"1/(a+cos(x))", "0.2112891764127433270080931248363375"},
        {"sin(x)^3*cos(x)^2", "0.04378489118284595269590369617758055"},
        {"tan(x)^4", "0.08769822286252769670550110400289418"},
        {"exp(2*x)*cos(3*x)", "-0.07334694325088589711933286726107442"},
        {"x^n*log(x)", "-0.05612295811175831454553829418964527"},
        {"asin(x)^2", "0.1560126081444793630819942669234677"},
        {"x*atan(x)", "0.122590326458606845285775891791918"},
        {"1/(1+exp(x))", "0.189068413763943618537995862444295"},
        {"exp(x^2)", "0.6626085330355124655980760621433354"},
        {"sin(x)/x", "0.4778206768303298149169830349775638"},
        {"exp(x)/x", "1.749876080663135612292974233729632"},
        {"1/((1-x^2)^(2/3)*x^3)", "8.043828277162689803499982378747423"},
        {"x^2*(3+4*x^4)^(1/4)", "0.1858620963923428550808448572609337"},
        {"x*log(1+x)/(1+x^2)", "0.08070630802635196045070059006019698"},
        {"x^2*acosh(2+x)", "0.2164180736261229184825367389079225"},
        {"exp(atanh(x)/2)", "0.6681610520228254765297441036901523"},
        {"(x*(1-x^2))^(1/3)", "0.3496353826418777451121464448195839"},
        {"x^3*asec(1/x)/sqrt(1/x^2-1)", "0.05431353726039465630718657295563736"},
        {"(x^n*a)^(3/2)", "0.09809023468540916653542642273699575"},
        {"exp(-x^2)*cos(2*x)*x", "0.08930690683744156060041199920735653"},
        {"log(x+sqrt(1+x^2))/x^2", "1.061769864035451668739060979685538"},
        {"exp(x)*tanh(x)", "0.3922090479933432899285219584838482"},
        {"sqrt(tan(x))", "0.3690066550340580591299477863494626"},
        {"x*LambertW(x)", "0.09216563975161315071407796237108107"},
        {"LambertW(a*x)/x^2", "1.074535680333604906519643057502409"},
        {"LambertW(x^2)", "0.1047447110848471266131458258972712"},
        {"x*LambertW(2*x+1)", "0.2171190750472494358113461649528955"},
        {"x^2*sec(x)", "0.1638908066808040328472940515189378"},
        {"x^2/(a+sinh(x))", "0.06437712845187687432142361861687847"},
        {"x*exp(x)/(1+exp(2*x))^2", "0.0280880601840248980282640476935648"},
        {"log(x)*atan(x)/x", "-0.346733511488822556761063765271053"},
        {"x^3*tan(x)^2", "0.04077303350169506308459489940842859"},
        {"1/sqrt(1-sin(x)^2/3)", "0.5217438501336810566658774583526133"},
        {"sqrt(1-x^2/4)/sqrt(1-x^2)", "0.5735348904130311307712221789072542"},
        {"1/sqrt(x-x^3)", "0.8581537348887161654843466401100622"},
        {"1/((1+x^2)*sqrt(1-x^4))", "0.4181318970888233427501035665612717"},
        {"sqrt(a+cos(x))", "0.7694090130574396340327932720304478"},
        {"1/(cos(x)^(3/2)*(2+cos(x)))", "0.2188440897769086088785073043101541"},
        {"1/sqrt(1+sinh(x)^2/3)", "0.4769369490591598536305705254843346"},
        {"(1-x^2)/((1+x^2)*sqrt(1+x^4))", "0.2877451777308144639618511330445284"},
        {"1/sqrt((1-x)*(3-x)*(x+1)*(x+2))", "0.2385616297929480580730793798717772"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) check_antiderivative(*state, cases[i].f, cases[i].value);
}

// Kinds of integrands with exponentials to several bases, exponentials of inverse tangents, logarithms of quotients, functions with an
// order.
static void test_transcendental(void **state) {
    static const struct {
        const char *f, *value; // values: mpmath's quad, to 34 digits
    } cases[] = {
        {"exp(2*I*atan(x))*x^2+exp(-2*I*atan(x))*x^2", "0.1350768840009857361437596766424794"},
        {"exp(n*atan(x))", "1.632857935149566849218238459851387"},
        {"x^2*exp(acot(x))", "0.3899652975325194721678739750899924"},
        {"2^x/sqrt(3-4^x)", "0.8259756568748840577246321681546417"},
        {"6^x/(1+2^x)", "0.516878366002693469092995539604214"},
        {"a^x*exp(x^2)", "0.8198993136504800171853628220133599"},
        {"3^(x^2)*cosh(x)", "0.7856788099792821501827064463744456"},
        {"x*cos(1/4+x+x^2)^2", "0.06140261955395167943319982895293575"},
        {"exp(1/(1+2*x)^3)*x^2", "0.1514201293316094891604827253207599"},
        {"cos(1/(1+x))*x", "0.1980297730138826519873151527814153"},
        {"exp(x^3+3*x^2+3*x)", "9.478570514707177125207506929916311"},
        {"exp(2*x^n)*exp(3*x^n)", "1.752332885388339772547379770637016"},
        {"expint(-2,x)/x", "40.82355721661900261348166017698559"},
        {"x^2*expint(a,1+x)", "0.01048658574596606773723770540927676"},
        {"x*uppergamma(n,1+x)", "0.2283747577674146984133466970057367"},
        {"x*cos(x)*Si(x)", "0.1104760111034989183756251572335719"},
        {"log(2*x^n)^2/(3+x)", "0.2863745872588646927449790773898391"},
        {"log((1+x)/(2+3*x))^2/(1+5*x)", "0.1050886268393936655604163757895013"},
        {"log(5*(1+x)^n/(2-x)^n)^3*x/(1+x)", "0.9930331512223720829026361806860878"},
        {"exp(a*x)*tan(x)^2", "0.434311265290902608809728000211246"},
        {"exp(x)/(1-cos(x))", "8.267506239657648809174471478687873"},
        {"exp(n*x)*cosh(x)/sinh(a*x)", "2.515559393338672160776120430379285"},
        {"exp(a*x)*(1+exp(x))^n", "13.38364957733382831481693210138269"},
        {"(2^x+3^x)^n", "9.277379100115608306590145870451149"},
        {"log(x)*log(3*x^n)/(1+x)", "0.2940601692681299840679440518397831"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) check_antiderivative(*state, cases[i].f, cases[i].value);
}

// Kinds that need half-integer or symbolic powers: incomplete gamma and hypergeometric functions, inverse functions as variables, half
// angles.
static void test_powers(void **state) {
    static const struct {
        const char *f, *value; // values: mpmath's quad, to 34 digits
    } cases[] = {
        {"x^n*sin(a*x)", "0.07798952600559472556913763414989232"},
        {"x^(-5/2)*cos(a*x)", "3.520899784608166727585694623050327"},
        {"(1+a*x)^n*sin(3*x)^2", "1.750899243158317756239670774835024"},
        {"x^3*cos(x^n)", "0.07400656201342172845615995822185506"},
        {"3^(a*x)*x^n", "0.2760667213998678032519376692555152"},
        {"2^(a+3*log(1+x^n))", "2.109867990717600433054399120093541"},
        {"exp(a*x)*sin(x)^n", "0.2143462014583030654003211693391753"},
        {"x^n*exp(atanh(x))/(1-x^2)", "0.3555247822894210029978345847905348"},
        {"(1+x)^(n+1)*(1-x)^n*x^a", "0.1078036757407187530505882046397447"},
        {"log(2*(1+3*x^2)^n)*log(5*x^a)/x", "1.051787618277101043532268748397813"},
        {"tan(x)*tan(a-x)", "0.4203925034698625428288146197671783"},
        {"sinh(x)*cosh(x+1)^2/sinh(x+2)", "0.2520614692555501314373515717716347"},
        {"(2-x^2)*exp(x/(x^2+2))/(x^3+2*x)", "1.072133156057893542241599880607597"},
        {"exp(a*x)/(1+sin(x))", "0.726755099536880137688991703211918"},
        {"x*atan(x)/sqrt(1-x^2)", "0.1539350780257809765319713038526303"},
        {"asin(x)/(1+sqrt(1-x^2))", "0.1464059225261749879689559105195942"},
        {"(1+2*atan(3*x))/(x^2*(2+5*x))", "1.804659279639294120899081823879745"},
        {"sin(x)*Si(x)/x", "0.2331974707946401774484308452496212"},
        {"(1+x+x^2)*exp(atan(x))/(1+x^2)^(3/2)", "0.9785411845568366055739123394277888"},
        {"(1+2*asin(x))^(-5/2)", "0.09207276999642812478905856110631784"},
        {"x^3/acos(x)^(3/2)", "0.09316718658437764563949280894148995"},
        {"x^2*(2+3*asin(x))^n/sqrt(1-x^2)", "5.311249284347225909752866566508844"},
        {"atan(a*x)^3/(x^2*(1+a^2*x^2))", "0.3216540101613159392157038617288624"},
        {"(1+2*acos(x))^3/x", "36.51761495586992310835761817230685"},
        {"asin(x)^2/(x^2*(2-2*x^2))", "0.4053423156943619631928577317017103"},
        {"x^3*acos(x/3)^2", "0.1462355789104886976674520608760848"},
        {"acsch(2*x)^2/x^2", "3.241647121499260690391068831517278"},
        {"x^2*sqrt(3+3*sin(x))", "0.2909958559688239826958243001663503"},
        {"x/sqrt(2-2*cos(a*x))", "0.341995494793791811967757685805438"},
        {"x*(2+2*cosh(a*x))^(3/2)", "2.597669253234247719968442579493755"},
        {"(1+2*x)^n/(3+x)^(n+1)", "0.03527975289024959644039034588628489"},
        {"(1+x)^(3/2)/(2+3*x)^(7/6)", "0.2134285486273431230652466612776405"},
        {"x^2*(1+3*x+x^2)^(a/5)", "0.1891593336937674987571860653087459"},
        {"sin(x)^n", "0.0876988020918788110874001720902362"},
        {"sin(x)^n*cos(x)^a", "0.06614166078712141960567334405655096"},
        {"tan(a*x)^n", "0.741996199019059489676906019965522"},
        {"(2*sinh(x))^(2/3)*cosh(x)^2", "0.6861952812174259130971967034663807"},
        {"cos(x)^(3/2)*(3+3*sin(x))^n/(2-2*sin(x))^(n+2)", "29.18969823642744427374196436256424"},
        {"sec(x)^n*(2+3*cos(x))", "3.341275075631552964337508939939122"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) check_antiderivative(*state, cases[i].f, cases[i].value);
}

// Liouville: no elementary antiderivative, and none in the functions that we have.
static void test_not_found(void **state) {
    static const char *const cases[] = {"x^x",         "sin(sin(x))", "exp(exp(x))*x", "1/(log(x)+x)", "sqrt(sin(x))*log(x)",
                                        "exp(sin(x))", "tan(x)/x"};
    bench *b = *state;
    cc_xp x = cc_x_symbol(&b->g, CC_STR("x"), 0);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        const char *graded = NULL;
        b->g.soft_deadline_ms = cc_now_ms() + 300;
        cc_xp F = cc_x_antiderivative(&b->g, expr(b, cases[i]), x, &graded);
        if (F) fail_msg("%s: %.*s", cases[i], (int)cc_x_show(&b->g, F).n, cc_x_show(&b->g, F).p);
        assert_int_equal(b->err.code, CC_OK);
    }
}

static void test_quadrature(void **state) {
    static const struct {
        const char *f, *a, *b, *value;
    } cases[] = {
        {"exp(-x^2)", "0", "1", "sqrt(pi)*erf(1)/2"},
        {"abs(x-1/3)", "0", "1", "5/18"},
        {"floor(x)*x", "0", "3", "13/2"},
        {"sin(exp(x))", "0", "2", "Si(exp(2)) - Si(1)"},
        {"max(x, 1-x)", "0", "1", "3/4"},
        {"x^x", "1", "2", "2.050446234534731259656830012398345"},
        {"1/(1+x^2)", "1", "-1", "-pi/2"},
        {"x^(3/2)", "0", "1", "2/5"}, // branch points at the ends
        {"sqrt(25/16-x^2)", "0", "5/4", "25*pi/64"},
        {"sqrt(x^2+1)", "-3", "3", "3*sqrt(10) + asinh(3)"},
        {"asin(x)^2", "-1", "1", "pi^2/2 - 4"},
        // infinite intervals and singular ends; where no closed form is known, by mpmath with 40 digits
        {"exp(-x^2)", "-oo", "oo", "sqrt(pi)"},
        {"x^3/(exp(x)-1)", "0", "oo", "pi^4/15"},
        {"log(x)/sqrt(x)", "0", "1", "-4"},
        {"1/(x*log(x)^2)", "2", "3", "1/log(2)-1/log(3)"},
        {"1/sqrt(abs(x))", "-1", "4", "6"},
        {"1/(1+x^2)", "oo", "-oo", "-pi"},
        {"1/sqrt(sin(x))", "0", "pi", "gamma(1/4)^2/sqrt(2*pi)"},
        {"(x-floor(x))^(-1/2)", "0", "3", "6"},
        {"(1-cos(x))/x^2", "0", "oo", "pi/2"},
        {"sin(x)^2/x^2", "-oo", "oo", "pi"},
        {"sin(x)/sqrt(x)", "0", "oo", "sqrt(pi/2)"},
        {"cos(x^2)", "0", "oo", "sqrt(2*pi)/4"},
        {"sin(1/x)", "0", "1", "sin(1) - Ci(1)"},
        {"sin(x)/(x^2+x+1+log(x))", "1", "oo", "0.2023778221064681510242974"},
        {"exp(-x)/(1+x^3+sin(x)^2)", "0", "oo", "0.552599290595077983123126052811"},
        {"log(x)*cos(x^2)/(1+x)", "0", "1", "-0.810820133013082442172107879943"},
        {"sin(x)/sqrt(x^3+x)", "0", "1", "0.530557420465933430325943208956"},
        {"x^x*log(x)", "0", "1", "-0.783430510712134407059264386527"},
        {"x^3/(exp(x)+x)", "0", "oo", "5.38053305200494426032356339384"},
        {"log(sin(x))*exp(x^2)", "0", "1", "-1.24217831878179467791467424613"},
        {"exp(sin(x))/sqrt(2-x^2)", "0", "sqrt(2)", "3.34117777262131678635146166177"},
        {"1/cosh(x+sin(x))", "-oo", "oo", "2.20156215135201546975711112905"},
        {"exp(sin(x))/sqrt(abs(x-1))", "0", "2", "8.79336219469476355973950731517"},
        {"erfc(x)*log(1+x+sin(x))", "0", "oo", "0.310101391288691558836369837212"},
    };
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp x = cc_x_symbol(g, CC_STR("x"), 0);
    arb_t re, im;
    acb_t want;
    arb_init(re);
    arb_init(im);
    acb_init(want);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        if (!cc_x_quadrature(g, re, im, expr(b, cases[i].f), x, expr(b, cases[i].a), expr(b, cases[i].b), 60))
            fail_msg("%s: no enclosure", cases[i].f);
        assert_true(cc_x_enclose_to(g, want, expr(b, cases[i].value), NULL, 80));
        mag_set_ui_2exp_si(arb_radref(acb_realref(want)), 1, -80); // decimals of the table
        mag_set_ui_2exp_si(arb_radref(acb_imagref(want)), 1, -80);
        acb_t have;
        acb_init(have);
        acb_set_arb_arb(have, re, im);
        if (acb_rel_accuracy_bits(have) < 25) fail_msg("%s: only %ld bits", cases[i].f, acb_rel_accuracy_bits(have));
        acb_clear(have);
        if (!arb_overlaps(re, acb_realref(want)) || !arb_overlaps(im, acb_imagref(want))) fail_msg("%s: wrong", cases[i].f);
    }
    static const char *const none[][3] = {{"1/x", "-1", "1"},
                                          {"1/(x+sin(x))", "1", "oo"},
                                          {"exp(sin(x))/x", "0", "1"},
                                          {"exp(cos(x))", "0", "oo"},
                                          {"1/(x*log(x))", "0", "1/2"}};
    for (size_t i = 0; i < CC_ARRAY_LEN(none); i++)
        assert_false(cc_x_quadrature(g, re, im, expr(b, none[i][0]), x, expr(b, none[i][1]), expr(b, none[i][2]), 60));
    arb_clear(re);
    arb_clear(im);
    acb_clear(want);
}

// Values from Gradshteyn and Ryzhik. NULL: diverges or has no closed form here, so that any finite answer is wrong.
static void test_definite(void **state) {
    static const struct {
        const char *f, *a, *b, *value;
    } cases[] = {
        {"1/(1+x^4)", "0", "1", "(pi + 2*log(1+sqrt(2)))/(4*sqrt(2))"},
        {"x*sin(x)", "0", "pi", "pi"},
        {"1/(2+cos(x))", "0", "2*pi", "2*pi/sqrt(3)"}, // the antiderivative jumps at pi
        {"1/(1+x^2)", "-oo", "oo", "pi"},
        {"exp(-x^2)", "-oo", "oo", "sqrt(pi)"},
        {"1/sqrt(x)", "0", "1", "2"},
        {"log(x)", "0", "1", "-1"},
        {"abs(x-1)", "0", "3", "5/2"},
        {"floor(x)", "0", "7/2", "9/2"},
        {"x^2", "1", "0", "-1/3"},
        {"1/sqrt(1-x^2)", "-1", "1", "pi"},
        {"1/(x^2-2*x+5)", "-oo", "1", "pi/4"},
        {"sqrt(tan(x))", "0", "pi/2", "pi/sqrt(2)"},
        {"sign(x)*exp(x)", "-1", "2", "exp(2) - 2 + exp(-1)"},
        // polylogarithms: Gradshteyn and Ryzhik 3.411, 3.521, 3.747, 4.231, 4.261, 4.531
        {"x^3/(exp(x)-1)", "0", "oo", "pi^4/15"},
        {"x/(exp(x)+1)", "0", "oo", "pi^2/12"},
        {"x/sinh(x)", "0", "oo", "pi^2/4"},
        {"log(x)/(1-x)", "0", "1", "-pi^2/6"},
        {"log(x)*log(1-x)/x", "0", "1", "zeta(3)"},
        {"x*cot(x)", "0", "pi/2", "pi*log(2)/2"},
        {"x*tan(x)", "0", "pi/4", "Catalan/2 - pi*log(2)/8"},
        {"atan(x)/x", "0", "1", "Catalan"},
        // elliptic integrals (NIST DLMF 19.2), and two that are known by the gamma function as well
        {"1/sqrt(1-sin(x)^2/3)", "0", "pi/2", "elliptic_k(1/3)"},
        {"sqrt(1-sin(x)^2/3)", "0", "2*pi", "4*elliptic_e(1/3)"},
        {"1/((1-sin(x)^2/3)*sqrt(1-sin(x)^2/4))", "0", "pi/2", "elliptic_pi(1/3, 1/4)"},
        {"1/sqrt((1-x^2)*(1-x^2/4))", "0", "1", "elliptic_k(1/4)"},
        {"1/sqrt(1-x^4)", "0", "1", "gamma(1/4)^2/(4*sqrt(2*pi))"},
        {"sqrt(sin(x))", "0", "pi", "sqrt(pi)*gamma(3/4)/gamma(5/4)"},
        {"1/x", "-1", "1", NULL},
        {"1/x^2", "-1", "1", NULL},
        {"1/x", "1", "oo", NULL},
        {"tan(x)", "0", "pi", NULL},
        {"1/(x-1)^(4/3)", "0", "2", NULL},
        {"x^x", "0", "1", NULL},
    };
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp x = cc_x_symbol(g, CC_STR("x"), 0);
    size_t missed = 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        const char *graded = NULL;
        cc_xp value = cc_x_integral(g, expr(b, cases[i].f), x, expr(b, cases[i].a), expr(b, cases[i].b), &graded);
        if (b->err.code) fail_msg("%s: %s", cases[i].f, b->err.msg);
        if (!cases[i].value) {
            if (value && value->finite) fail_msg("%s: %.*s", cases[i].f, (int)cc_x_show(g, value).n, cc_x_show(g, value).p);
        } else if (!value) {
            print_message("%s: not found\n", cases[i].f);
            missed++;
        } else if (cc_x_constant_is_zero(g, cc_x_sub(g, value, expr(b, cases[i].value))) == CC_FALSE) {
            fail_msg("%s: %.*s", cases[i].f, (int)cc_x_show(g, value).n, cc_x_show(g, value).p);
        }
    }
    assert_int_equal(missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_antiderivatives, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_transcendental, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_powers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quadrature, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_definite, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
