// Sums and products. Infinite sums are compared with mpmath's nsum (32 digits; where two ranges of terms agreed), or with closed forms that
// are known; finite ones in closed form with their terms, added up, at several bounds; and what diverges, has no value or is not known must
// say so.
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

typedef cc_xp (*closed)(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

static cc_xp found(bench *b, closed op, const char *f, const char *from, const char *to) {
    cc_xp k = cc_x_symbol(&b->g, CC_STR("k"), 0);
    cc_xp x = op(&b->g, expr(b, f), k, expr(b, from), expr(b, to));
    if (b->err.code) fail_msg("%s: %s", f, b->err.msg);
    return x;
}

// |x| < 2**-bits
static bool small(bench *b, cc_xp x, slong bits) {
    acb_t z;
    mag_t size;
    acb_init(z), mag_init(size);
    bool ok = cc_x_enclose_to(&b->g, z, x, NULL, bits + 10);
    acb_get_mag(size, z);
    ok = ok && mag_cmp_2exp_si(size, -bits) < 0;
    acb_clear(z), mag_clear(size);
    return ok;
}

static void test_infinite_sums(void **state) {
    static const struct {
        const char *f, *from, *value;
    } cases[] = {
        {"1/(k*(k+1)*(2*k+1))", "1", "0.22741127776021876233107151416729"},
        {"factorial(4*k)/factorial(4*k+4)", "1", "0.00072043457374494241836455606123152"},
        {"(k+1)/(k*(2*k-1)*(2*k+1))", "2", "0.21962769445322395216779757624969"},
        {"1/k**2", "1", "1.644934066848226436472415166646"},
        {"1/k**3", "2", "0.20205690315959428539973816151145"},
        {"(-1)**k/k", "1", "-0.69314718055994530941723212145818"},
        {"(-1)**k/k**2", "1", "-0.82246703342411321823620758332301"},
        {"(-1)**k/(2*k+1)", "0", "0.78539816339744830961566084581988"},
        {"1/(2*k+1)**2", "0", "1.2337005501361698273543113749845"},
        {"(-1)**k/(2*k+1)**2", "0", "0.91596559417721901505460351493238"},
        {"1/(k**2+1)", "0", "2.07667404746858117413405079475"},
        {"1/(k**2+1)", "1", "1.07667404746858117413405079475"},
        {"1/(k**2-2)", "1", "-0.056810407700620082552981609112597"},
        {"1/(k**2+k+1)", "0", "1.7981472805626901809058201243374"},
        {"k/2**k", "0", "2.0"},
        {"k**2/3**k", "1", "1.5"},
        {"1/(k*2**k)", "1", "0.69314718055994530941723212145818"},
        {"1/factorial(k)", "0", "2.7182818284590452353602874713527"},
        {"k**3/factorial(k)", "0", "13.591409142295226176801437356763"},
        {"1/factorial(2*k)", "0", "1.5430806348152437784779056207571"},
        {"(-1)**k/factorial(2*k+1)", "0", "0.8414709848078965066525023216303"},
        {"2**k/factorial(k)", "3", "2.389056098930650227230427460575"},
        {"1/(factorial(k)*factorial(k+1))", "0", "1.5906368546373290633822544249997"},
        {"1/factorial(k)**2", "0", "2.2795853023360672674372044408115"},
        {"binomial(2*k,k)/5**k", "0", "2.2360679774997896964091736687313"},
        {"1/binomial(2*k,k)", "0", "1.7363998587187150779097951683649"},
        {"1/binomial(2*k,k)", "1", "0.73639985871871507790979516836492"},
        {"1/(k**4+4)", "0", "0.5191685118671452935335126986875"},
        {"1/(k**4-1)", "2", "0.086662976265709412932974602625"},
        {"1/(3*k+1)/(3*k+2)", "0", "0.60459978807807261686469275254739"},
        {"1/(4*k+1)/(4*k+3)", "0", "0.39269908169872415480783042290994"},
        {"1/((6*k+1)*(6*k+5))", "0", "0.22672492052927723132425978220527"},
        {"1/((5*k+1)*(5*k+2))", "0", "0.54553107040141442996330649608048"},
        {"1/((7*k+1)*(7*k+2))", "0", "0.52549460884836112356092626626528"},
        {"(-1)**k/(3*k+1)", "0", "0.83564884826472105333710345970011"},
        {"(-1)**k/(k+1/2)", "0", "1.5707963267948966192313216916398"},
        {"(-1)**(k+1)/(k*(k+1))", "1", "0.38629436111989061883446424291635"},
        {"1/(k*(k+3))", "1", "0.61111111111111111111111111111111"},
        {"1/(k*(k+1)*(k+2)*(k+3))", "1", "0.055555555555555555555555555555556"},
        {"1/(k**2*(k+1)**2)", "1", "0.28986813369645287294483033329205"},
        {"1/(k+sqrt(2))**2", "0", "1.0114791294395424054028105339511"},
        {"(1/2)**k", "0", "2.0"},
        {"(2/3)**(2*k+1)", "2", "0.23703703703703703703703703703704"},
        {"(-1/2)**k*k", "1", "-0.22222222222222222222222222222222"},
        {"1/(k+1)-1/(k+2)", "0", "1.0"},
        {"exp(-k)", "0", "1.581976706869326424385002005109"},
        {"exp(-2*k)*k", "1", "0.18101541524157761660199719728265"},
        {"1/(2*k-5)**2", "1", "2.3448116612472809384654224860956"},
        {"(k+1)/(k**2*(k+2)**2)", "1", "0.3125"},
        {"catalan(k)/5**k", "0", "1.3819660112501051517954131656344"},
        {"k**5/2**k", "0", "1082.0"},
        {"(k**2+1)/(k*2**k)", "1", "2.6931471805599453094172321214582"},
        {"1/(k**2*2**k)", "1", "0.58224052646501250590265632015968"},
        {"(-1)**k*k/(k**2+1)", "1", "-0.26961050270800898180149496765207"},
        {"(-1)**k/(k**2+1)", "0", "0.63601452749106658147511829183602"},
        {"(-1)**k/k**3", "1", "-0.90154267736969571404980362113359"},
        {"(-1)**k/sqrt(k)", "1", "-0.60489864342163037024726591423596"},
        {"1/(k**3+1)", "1", "0.68650334233862388596460521218685"},
        {"1/(k**2-1/4)", "0", "-2.0"},
        {"1/(k**2-1/4)**2", "0", "17.869604401089358618834490999876"},
        {"1/(2*k-1)**3", "1", "1.0517997902646449997247708913225"},
        {"(2*k+1)/(k**2+k)**2", "1", "1.0"},
        {"1/(16*k**2-1)", "1", "0.10730091830127584519216957709006"},
        {"(4*k+1)/(k*(2*k+1)*(4*k+3))", "1", "0.48587851905108265125174245704776"},
        {"factorial(k)**2/factorial(2*k)", "0", "1.7363998587187150779097951683649"},
        {"2**k*factorial(k)**2/factorial(2*k+1)", "0", "1.5707963267948966192313216916398"},
        {"1/(4**k*(2*k+1))", "0", "1.0986122886681096913952452369225"},
        {"(-1)**k/(3**k*(2*k+1))", "0", "0.90689968211710892529703912882108"},
        {"binomial(2*k,k)/(8**k*(2*k+1))", "0", "1.1107207345395915617539702475152"},
        {"(-1)**k/(factorial(k)*(2*k+1))", "0", "0.74682413281242702539946743613185"},
        {"1/(factorial(k)*(k+2))", "0", "1.0"},
        {"k/factorial(k+1)", "1", "1.0"},
        {"k/factorial(2*k)", "0", "0.5876005968219007284411909252978"},
        {"1/(k**2-3*k+1)", "0", "0.54625062411063574457789013859334"},
        {"1/((k+1/3)*(k+2/3))", "0", "5.4413980927026535517822347729265"},
        {"(-1)**k*(2*k+1)/(k*(k+1))", "1", "-1.0"},
        {"binomial(2*k,k)/(4^k*(2*k+1))", "0", "pi/2"},
        {"binomial(2*k,k)/((k+1)*4^k)", "0", "2"},
        {"1/k^(3/2)", "1", "2.6123753486854883433485675679241"},
        {"(-1)^k/sqrt(k)", "1", "-0.60489864342163037024726591423596"},
        {"1/(k^2+k-1)", "1", "1 + pi*tan(pi*sqrt(5)/2)/sqrt(5)"},
    };
    bench *b = *state;
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_xp x = found(b, cc_x_sum, cases[i].f, cases[i].from, "oo");
        if (!x) fail_msg("%s: not found", cases[i].f);
        cc_str shown = cc_x_show(&b->g, x);
        if (!small(b, cc_x_sub(&b->g, x, expr(b, cases[i].value)), 85)) fail_msg("%s: %.*s", cases[i].f, (int)shown.n, shown.p);
    }
}

typedef struct range {
    const char *f, *from, *to;
} range;

// n = 1 … 6, m = 2, x = 3/7: the terms themselves.
static void compare_with_terms(bench *b, closed op, const range *c, bool product) {
    cc_alg *g = &b->g;
    cc_xp k = cc_x_symbol(g, CC_STR("k"), 0), out = found(b, op, c->f, c->from, c->to);
    if (!out) fail_msg("%s: not found", c->f);
    const cc_xp old[] = {cc_x_symbol(g, CC_STR("n"), 0), cc_x_symbol(g, CC_STR("m"), 0), cc_x_symbol(g, CC_STR("x"), 0)};
    unsigned compared = 0;
    for (slong n = 1; n <= 6; n++) {
        const cc_xp with[] = {cc_x_int(g, n), g->two, cc_x_frac(g, 3, 7)};
        slong low, high;
        assert_true(cc_x_fits_si(cc_x_subs_many(g, expr(b, c->from), old, with, 3), &low));
        assert_true(cc_x_fits_si(cc_x_subs_many(g, expr(b, c->to), old, with, 3), &high));
        cc_xp direct = product ? g->one : g->zero, f = cc_x_subs_many(g, expr(b, c->f), old, with, 3);
        if (low > high + 1) continue;
        for (slong j = low; j <= high; j++) {
            cc_xp term = cc_x_subs(g, f, k, cc_x_int(g, j));
            direct = product ? cc_x_mul(g, direct, term) : cc_x_add(g, direct, term);
        }
        cc_str shown = cc_x_show(g, out);
        if (!small(b, cc_x_sub(g, cc_x_subs_many(g, out, old, with, 3), direct), 60))
            fail_msg("%s at n = %ld: %.*s", c->f, n, (int)shown.n, shown.p);
        compared++;
    }
    assert_true(compared > 0);
}

static void test_finite_sums(void **state) {
    static const range cases[] = {
        {"k", "1", "n"},
        {"k**2", "1", "n"},
        {"k**3", "m", "n"},
        {"k**7", "0", "n"},
        {"2**k", "0", "n"},
        {"x**k", "0", "n"},
        {"k*x**k", "0", "n"},
        {"k*2**k", "1", "n"},
        {"k**2/3**k", "0", "n"},
        {"1/(k*(k+1))", "1", "n"},
        {"1/k", "1", "n"},
        {"1/k**2", "1", "n"},
        {"1/(k+m)", "1", "n"},
        {"1/(2*k+1)", "0", "n"},
        {"1/(4*k**2-1)", "1", "n"},
        {"1/(k*(k+2))", "2", "n"},
        {"1/(k**2-4)", "3", "n"},
        {"1/((k-3)*(k-4))", "5", "n"},
        {"k*factorial(k)", "0", "n"},
        {"k/factorial(k+1)", "0", "n"},
        {"binomial(n,k)", "0", "n"},
        {"binomial(n,k)*x**k", "0", "n"},
        {"k*binomial(n,k)", "0", "n"},
        {"binomial(n,k)**2", "0", "n"},
        {"(-1)**k*binomial(n,k)", "0", "n"},
        {"binomial(k,m)", "0", "n"},
        {"binomial(m+k,k)", "0", "n"},
        {"binomial(2*k,k)/4**k", "0", "n"},
        {"(-1)**k", "0", "n"},
        {"(-1)**k*k", "1", "n"},
        {"(-1)**k*k**2", "1", "n"},
        {"1", "m", "n"},
        {"x", "1", "n"},
        {"k", "n", "1"},
        {"k", "n", "2*n"},
        {"k*(k+1)*(k+2)", "0", "n-1"},
        {"1/(k**2+1)", "0", "n"},
        {"2*k+1", "0", "n-1"},
        {"(2*k-1)**2", "1", "n"},
        {"k**2*2**k*3", "1", "n"},
        {"(k**2+k+1)*factorial(k)", "1", "n"},
        {"factorial(2*k)/factorial(k)**2/4**k/(1-2*k)", "0", "n"},
        {"1/sqrt(k+1)", "0", "n"},
        {"k**2*x**k", "1", "n"},
        {"1/(k*(k+1)*(k+2))", "1", "n"},
        {"(k+1)/(k**2*(k+2)**2)", "1", "n"},
        {"4**k/binomial(2*k,k)", "0", "n"},
        {"1/x**k", "1", "n"},
        {"x**(2*k+1)", "0", "n"},
        {"exp(k*x)", "0", "n"},
        {"k**4-3*k+7", "-n", "n"},
        {"2**(-k)", "-2", "n"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) compare_with_terms(*state, cc_x_sum, &cases[i], false);
}

static void test_finite_products(void **state) {
    static const range cases[] = {
        {"k", "1", "n"},       {"2*k", "1", "n"},     {"k**2", "1", "n"},          {"1-1/k**2", "2", "n"},
        {"(k+1)/k", "1", "n"}, {"x", "1", "n"},       {"x**k", "1", "n"},          {"2**k", "0", "n"},
        {"k+m", "1", "n"},     {"(2*k-1)", "1", "n"}, {"(2*k-1)/(2*k)", "1", "n"}, {"1/(k-3)", "5", "n"},
        {"k/(k+2)", "1", "n"}, {"exp(k)", "1", "n"},  {"k*x", "1", "n"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) compare_with_terms(*state, cc_x_product, &cases[i], true);
}

static void test_printed(void **state) {
    static const struct {
        closed op;
        const char *f, *from, *to, *text; // NULL: not found
    } cases[] = {
        {cc_x_sum, "k", "3", "2", "0"},  // an empty sum
        {cc_x_sum, "k", "5", "1", "-9"}, // Karr: -(2 + 3 + 4)
        {cc_x_product, "k", "3", "2", "1"},
        {cc_x_product, "k", "5", "1", "1/24"},
        {cc_x_product, "k", "-2", "2", "0"},
        {cc_x_sum, "k", "1", "100000000000", "5000000000050000000000"},
        {cc_x_sum, "1/(k-5)", "1", "oo", "nan"}, // a term has no value
        {cc_x_sum, "1/((k-3)*(k-4))", "1", "oo", "nan"},
        {cc_x_sum, "1/(k-50)", "1", "100", "nan"},
        {cc_x_sum, "1/k^2", "-oo", "oo", "nan"},
        {cc_x_sum, "1/((k-3)*(k-4))", "1", "m", NULL},
        {cc_x_sum, "1/k", "1", "oo", "oo"}, // divergent
        {cc_x_sum, "1/sqrt(k)", "1", "oo", "oo"},
        {cc_x_sum, "k^(-0.5)", "1", "oo", "oo"},
        {cc_x_sum, "k/(k+1)", "0", "oo", "oo"},
        {cc_x_sum, "-2^k", "0", "oo", "-oo"},
        {cc_x_sum, "binomial(2*k,k)/4^k", "0", "oo", "oo"},
        {cc_x_sum, "(-1)^k", "0", "oo", "nan"},
        {cc_x_sum, "(-2)^k", "0", "oo", NULL},
        {cc_x_sum, "sin(k)", "1", "oo", "nan"},
        {cc_x_sum, "1/(k*log(k))", "2", "oo", NULL},
        {cc_x_sum, "factorial(k)", "0", "m", NULL}, // Gosper: no hypergeometric closed form
        {cc_x_sum, "1/(1-4*k^2)^2", "-oo", "oo", "pi**2/8"},
        {cc_x_sum, "1/(k^2+1)", "-oo", "oo", "pi*coth(pi)"},
        {cc_x_sum, "1/k", "1", "m", "harmonic(m)"},
        {cc_x_sum, "binomial(m,k)", "0", "m", "2**m"},
        {cc_x_product, "1+1/k", "1", "oo", "oo"},
        {cc_x_product, "k/(k+1)", "1", "oo", "0"},
        {cc_x_product, "1-1/k^2", "2", "oo", "1/2"},
        {cc_x_product, "1-1/(4*k^2)", "1", "oo", "2/pi"},
        {cc_x_product, "1+1/k^2", "1", "oo", "sinh(pi)/pi"}, // Euler's product of the sine
        {cc_x_product, "1-x^2/k^2", "1", "oo", "sin(pi*x)/(pi*x)"},
        {cc_x_product, "(k^3-1)/(k^3+1)", "2", "oo", "2/3"},
        {cc_x_product, "1+1/2^k", "1", "oo", NULL},
    };
    bench *b = *state;
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_xp x = found(b, cases[i].op, cases[i].f, cases[i].from, cases[i].to);
        if (!x && !cases[i].text) continue;
        if (!x) fail_msg("%s: not found", cases[i].f);
        cc_str shown = cc_x_show(&b->g, x);
        if (!cases[i].text || !cc_str_eqz(shown, cases[i].text)) fail_msg("%s: %.*s", cases[i].f, (int)shown.n, shown.p);
    }
}

static void test_conditions(void **state) {
    static const struct {
        const char *f, *from, *to, *condition;
    } cases[] = {
        {"x^k", "0", "oo", "Abs(x) < 1"},
        {"x^k", "0", "n", "Ne(x, 1)"},
        {"1/k^s", "1", "oo", "re(s) > 1"},
        {"k*x^k", "0", "oo", "Abs(x) < 1"},
        {"(-1)^k*binomial(n,k)*k^0", "0", "n", NULL},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        bench *b = *state;
        b->g.n_conditions = 0;
        cc_xp x = found(b, cc_x_sum, cases[i].f, cases[i].from, cases[i].to);
        assert_non_null(x);
        assert_int_equal(b->g.n_conditions, cases[i].condition ? 1 : 0);
        if (cases[i].condition) assert_text(cc_x_show(&b->g, b->g.conditions[0]), cases[i].condition);
    }
}

static void test_bounds(void **state) {
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp k = cc_x_symbol(g, CC_STR("k"), 0);
    assert_null(cc_x_sum(g, k, k, g->half, cc_x_int(g, 3)));
    assert_int_equal(b->err.code, CC_VALIDATION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_infinite_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_finite_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_finite_products, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_printed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_conditions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
