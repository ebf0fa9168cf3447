// Equations, inequalities and systems: roots from textbooks, SymPy and mpmath, or known by construction. A root is compared as a value
// (decided zero of the difference), never as text; a family by its members; and what must not be claimed is listed as well.
#include "unit.h"

#include "math/solve/solve.h"

static cc_arena arena;

typedef struct fixture {
    cc_alg g;
    cc_error err;
} fixture;

static void begin(fixture *f, const char *assume) {
    f->err = (cc_error){0};
    cc_alg_init(&f->g, &arena, &f->err, NULL);
    if (assume) assert_int_equal(cc_x_assume(&f->g, cc_str_of(assume)), 0);
}

static void end(fixture *f) {
    if (f->err.code != CC_OK) fail_msg("%s", f->err.msg);
    cc_alg_clear(&f->g);
    cc_arena_reset(&arena);
}

static cc_xp parse(fixture *f, const char *text) {
    cc_xp x = cc_x_read(&f->g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, f->err.msg);
    return x;
}

static void solve(fixture *f, const char *equation, cc_xsolutions *s) {
    if (cc_x_solve(&f->g, parse(f, equation), cc_x_symbol(&f->g, CC_STR("x"), 0), s)) fail_msg("%s: %s", equation, f->err.msg);
}

static bool among(fixture *f, const cc_xsolutions *s, cc_xp root) {
    for (size_t i = 0; i < s->n; i++)
        if (cc_x_is_zero(&f->g, cc_x_sub(&f->g, s->roots[i], root)) == CC_TRUE) return true;
    return false;
}

// ---- finitely many roots: all of them, in order ----

static const struct {
    const char *equation, *roots, *assume; // [a, b, …]
    bool complete;
} exact_roots[] = {
    {"x^2 - 5*x + 6", "[2, 3]", NULL, true},
    {"x^2 + 1 = 0", "[-I, I]", NULL, true},
    {"(x-1)^2*(x+2)^3", "[-2, 1]", NULL, true},
    {"x^4 - 10*x^2 + 1", "[-sqrt(2)-sqrt(3), sqrt(2)-sqrt(3), sqrt(3)-sqrt(2), sqrt(2)+sqrt(3)]", NULL, true}, // Galois theory's example
    {"x^4 + 4", "[-1-I, -1+I, 1-I, 1+I]", NULL, true},                                                         // Sophie Germain
    {"x^4 - 6*x^2 + 4", "[-(sqrt(10)+sqrt(2))/2, (sqrt(2)-sqrt(10))/2, (sqrt(10)-sqrt(2))/2, (sqrt(10)+sqrt(2))/2]", NULL, true},
    {"x^3 - 15*x - 4", "[-2-sqrt(3), -2+sqrt(3), 4]", NULL, true}, // Bombelli 1572
    {"x^3 = 1", "[1, -1/2-sqrt(3)*I/2, -1/2+sqrt(3)*I/2]", NULL, true},
    {"x^3 - 3*x + 1", "[2*cos(8*pi/9), 2*cos(4*pi/9), 2*cos(2*pi/9)]", NULL, true}, // triple angle
    {"x^5 + x^4 - 4*x^3 - 3*x^2 + 3*x + 1",                                         // Gauss: the periods of the regular 11-gon
     "[2*cos(10*pi/11), 2*cos(8*pi/11), 2*cos(6*pi/11), 2*cos(4*pi/11), 2*cos(2*pi/11)]", NULL, true},
    {"(3*x - 1)^3 - 12*(3*x - 1) + 8", "[1/3 + 4*cos(8*pi/9)/3, 1/3 + 4*cos(4*pi/9)/3, 1/3 + 4*cos(2*pi/9)/3]", NULL, true}, // scaled
    {"x^3 - 12*x - 8", "[4*cos(7*pi/9), -4*cos(4*pi/9), 4*cos(pi/9)]", NULL, true},                                          // and turned
    {"x^3 + 3*x^2 + 3*x - 1", "[2^(1/3)-1, -1-2^(1/3)*(1+I*sqrt(3))/2, -1-2^(1/3)*(1-I*sqrt(3))/2]", NULL, true},            // (x+1)^3 = 2
    {"x^4 - 4*x^3 + 4*x^2 - 2", "[1-sqrt(1+sqrt(2)), 1+sqrt(1+sqrt(2)), 1-I*sqrt(sqrt(2)-1), 1+I*sqrt(sqrt(2)-1)]", NULL, true},
    {"x^2 - 2*sqrt(2)*x + 2", "[sqrt(2)]", NULL, true},
    {"(x^2-1)/(x-1) = 0", "[-1]", NULL, true},
    {"(x^2-1)/(x-1) = 2", "[]", NULL, true}, // 1 is excluded
    {"x/(x-1) = 1/(x-1)", "[]", NULL, true},
    {"1/x = 0", "[]", NULL, true},
    {"x*log(x) = 0", "[1]", NULL, true}, // not 0, where the logarithm has no value
    {"11000000000/a - 1/(100000000*a*x^2) = 0", "[-sqrt(110)/11000000000, sqrt(110)/11000000000]", NULL, true},
    {"sqrt(x/2) = x", "[0, 1/2]", NULL, true},
    {"sqrt(x) = -1", "[]", NULL, true},
    {"sqrt(x+3) = x-3", "[6]", NULL, true},
    {"sqrt(2*x-2) + sqrt(x+1) = -4", "[]", NULL, true}, // a sum of principal roots has no negative real part
    {"sqrt(2*x+3) - sqrt(x+1) = 1", "[-1, 3]", NULL, true},
    {"sqrt(x+sqrt(x)) = 2", "[9/2 - sqrt(17)/2]", NULL, true},
    {"x^(2/3) - x^(1/3) - 6", "[27]", NULL, true},
    {"log(x) + log(x-3) = 1", "[3/2 + sqrt(9+4*E)/2]", NULL, true},
    {"log(x+1) + log(x-1) = log(3)", "[2]", NULL, true},
    {"5*log(x-5) - 5*log(x+4) = -1", "[(4*exp(-1/5)+5)/(1-exp(-1/5))]", NULL, true}, // (x-5)/(x+4) = exp(-1/5)
    {"x + log(x) = 2", "[LambertW(exp(2))]", NULL, true},
    {"x*exp(x) = 1", "[LambertW(1)]", NULL, false}, // complex branches exist
    {"x*exp(x) = -1/5", "[LambertW(-1/5, -1), LambertW(-1/5)]", NULL, false},
    {"x*log(x) = 1", "[exp(LambertW(1))]", NULL, false},
    {"x^x = 4", "[2]", NULL, false},
    {"asin(x) = acos(x)", "[sqrt(2)/2]", NULL, true},
    {"atan(x) = 2", "[]", NULL, true}, // above pi/2
    {"Abs(x-3) = 2", "[1, 5]", NULL, true},
    {"Abs(x-1) + Abs(x+1) = 4", "[-2, 2]", NULL, true},
    {"Abs(x) = -1", "[]", NULL, true},
    {"sign(x) = 0", "[0]", NULL, true},
    {"Max(x, 2*x, 5) = 7", "[7/2]", NULL, true},
    {"x^2 = 4", "[2]", "x > 0", true},
    {"x^2 = 4", "[-2]", "x < 0", true},
    {"2*x^2 - 3*x + 1 = 0", "[1]", "x integer", true},
    {"x^4 + 1 = 0", "[]", "x real", true},
    {"exp(x) = 5", "[log(5)]", "x real", true},
    {"cos(x) = 2", "[]", "x real", true},
};

static void test_finite(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(exact_roots); i++) {
        fixture f;
        cc_xsolutions s;
        begin(&f, exact_roots[i].assume);
        cc_xp wanted = parse(&f, exact_roots[i].roots);
        solve(&f, exact_roots[i].equation, &s);
        const char *what = exact_roots[i].equation;
        if (s.kind != (wanted->n ? CC_SOLVED_FINITE : CC_SOLVED_NONE)) fail_msg("%s: kind %d", what, s.kind);
        if (s.n != wanted->n) fail_msg("%s: %zu roots, not %u", what, s.n, wanted->n);
        if (s.complete != exact_roots[i].complete) fail_msg("%s: complete is %d", what, s.complete);
        for (size_t k = 0; k < s.n; k++) {
            cc_xp d = cc_x_sub(&f.g, s.roots[k], wanted->args[k]);
            bool proven;
            if (cc_x_is_zero_probably(&f.g, d, 8, &proven) != CC_TRUE) {
                cc_str got = cc_x_show(&f.g, s.roots[k]);
                fail_msg("%s: root %zu is %.*s", what, k, (int)got.n, got.p);
            }
        }
        end(&f);
    }
}

static void test_multiplicities(void **state) {
    (void)state;
    fixture f;
    cc_xsolutions s;
    begin(&f, NULL);
    solve(&f, "(x-1)^2*(x+2)^3*(x^2-2)", &s);
    assert_int_equal(s.n, 4);
    static const unsigned wanted[] = {3, 1, 2, 1}; // -2, -sqrt(2), 1, sqrt(2)
    for (size_t i = 0; i < 4; i++) assert_int_equal(s.multiplicity[i], wanted[i]);
    end(&f);
}

// ---- general solutions: exactly these families, and values that are or are not members ----

static const struct {
    const char *equation, *families;
} periodic[] = {
    {"sin(x) = 0", "[pi*n_]"},
    {"sin(x) = 1/2", "[2*pi*n_ + pi/6, 2*pi*n_ + 5*pi/6]"},
    {"cos(x)^2 = 3/4", "[pi*n_ - pi/6, pi*n_ + pi/6]"},
    {"csc(x)^2 = 2", "[pi*n_/2 + pi/4]"},
    {"tan(x) + cot(x) = 2", "[pi*n_ + pi/4]"},
    {"sin(x) = cos(x)", "[pi*n_ + pi/4]"},
    {"sin(4*x) + sin(3*x) = 0", "[2*pi*n_ + pi, 2*pi*n_/7]"}, // x = pi is a root
    {"tan(x) = sin(x)", "[pi*n_]"},
    {"x*sin(x) = 0", "[pi*n_]"},
    {"sin(2*x)/cos(x) = 0", "[pi*n_]"}, // the zeros of the cosine are none
    {"sin(3*x)/sin(x) = 0", "[pi*n_ - pi/3, pi*n_ + pi/3]"},
    {"sin(x)*cos(x) = 1/4", "[pi*n_ + pi/12, pi*n_ + 5*pi/12]"},
    {"-0.4*sin(x) + 0.25*sin(2*x)", "[pi*n_, 2*pi*n_ + acos(4/5), 2*pi*n_ - acos(4/5)]"},
    {"sin(a*x) = cos(x)", "[pi*(4*n_+1)/(2*(a-1)), pi*(4*n_+1)/(2*(a+1))]"},
    {"exp(x) = 5", "[2*I*pi*n_ + log(5)]"},
    {"2^x = 3^(x-1)", "[(2*I*pi*n_ + log(3))/(log(3)-log(2))]"},
    {"exp(sin(x)) = 1", "[2*pi*m_ + I*asinh(2*pi*n_), 2*pi*m_ + pi - I*asinh(2*pi*n_)]"}, // two integers
    {"cosh(2*x) - 3*cosh(x) + 2 = 0", "[2*I*pi*n_ - I*pi/3, 2*I*pi*n_ + I*pi/3, 2*I*pi*n_]"},
};

static void test_periodic(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(periodic); i++) {
        fixture f;
        cc_xsolutions s;
        begin(&f, "n_ integer, m_ integer");
        cc_xp wanted = parse(&f, periodic[i].families);
        solve(&f, periodic[i].equation, &s);
        if (s.kind != CC_SOLVED_FAMILY || s.n != wanted->n || !s.complete) fail_msg("%s: kind %d, %zu", periodic[i].equation, s.kind, s.n);
        for (size_t k = 0; k < s.n; k++)
            if (!among(&f, &s, wanted->args[k])) {
                cc_str w = cc_x_show(&f.g, wanted->args[k]);
                fail_msg("%s: %.*s is missing", periodic[i].equation, (int)w.n, w.p);
            }
        end(&f);
    }
}

// Families that hold for some integers only say for which.
static const struct {
    const char *equation, *family, *condition, *assume;
} restricted[] = {
    {"sin(x)/x = 0", "pi*m_", "m_ != 0", NULL},
    {"sin(x)/(x - 100*pi) = 0", "pi*m_", "m_ != 100", NULL},
    {"sin(x) = 0", "pi*m_", "m_ >= 1", "x > 0"},
};

static void test_restricted(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(restricted); i++) {
        fixture f;
        cc_xsolutions s;
        begin(&f, restricted[i].assume);
        solve(&f, restricted[i].equation, &s);
        cc_xp m = cc_x_symbol(&f.g, CC_STR("m_"), CC_IS_INTEGER);
        assert_int_equal(s.n, 1);
        assert_ptr_equal(s.roots[0], parse(&f, restricted[i].family));
        assert_int_equal(f.g.n_conditions, 1);
        assert_true(cc_x_has(f.g.conditions[0], m));
        assert_ptr_equal(f.g.conditions[0], parse(&f, restricted[i].condition));
        end(&f);
    }
}

// ---- all, sets, unknown ----

static const struct {
    const char *equation;
    cc_xsolved kind;
    const char *set, *assume;
} kinds[] = {
    {"x - x = 0", CC_SOLVED_ALL, NULL, NULL},
    {"sin(x)^2 + cos(x)^2 = 1", CC_SOLVED_ALL, NULL, NULL},
    {"sin(x)^2 + cos(x)^2 = 2", CC_SOLVED_NONE, NULL, NULL},
    {"1 = 2", CC_SOLVED_NONE, NULL, NULL},
    {"Abs(x-1) + Abs(x+1) = 2", CC_SOLVED_SET, "x >= -1 and x <= 1", NULL},
    {"sign(x) = 1", CC_SOLVED_SET, "x > 0", NULL}, // not 0
    {"sqrt(x^2) = x", CC_SOLVED_SET, "x >= 0", "x real"},
    {"cos(x) = x", CC_SOLVED_UNKNOWN, NULL, NULL}, // no closed form
    {"x + exp(x)*sin(x) = 3", CC_SOLVED_UNKNOWN, NULL, NULL},
};

static void test_kinds(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(kinds); i++) {
        fixture f;
        cc_xsolutions s;
        begin(&f, kinds[i].assume);
        solve(&f, kinds[i].equation, &s);
        if (s.kind != kinds[i].kind) fail_msg("%s: kind %d", kinds[i].equation, s.kind);
        if (kinds[i].set) assert_ptr_equal(s.roots[0], parse(&f, kinds[i].set));
        end(&f);
    }
}

// ---- inequalities: SymPy's or by hand ----

static const struct {
    const char *condition, *set; // NULL: not found
} inequalities[] = {
    {"x^2 < 4", "x > -2 and x < 2"},
    {"x^2 >= 4", "x <= -2 or x >= 2"},
    {"(x-1)^2 <= 0", "x = 1"},
    {"(x-1)^2 > 0", "x < 1 or x > 1"},
    {"x^2 < -1", "False"},
    {"x^2 > -1", "True"},
    {"1/x < 1", "x < 0 or x > 1"},
    {"(x-1)/(x+2) >= 0", "x < -2 or x >= 1"},
    {"sqrt(x) < 2", "x >= 0 and x < 4"}, // the root is real there only
    {"log(x) > 0", "x > 1"},
    {"log(x) < 0", "x > 0 and x < 1"},
    {"Abs(x-1) < 2", "x > -1 and x < 3"},
    {"exp(x) > 2", "x > log(2)"},
    {"x^3 - 2*x > 0", "(x > -sqrt(2) and x < 0) or x > sqrt(2)"},
    {"sin(x)+sin(2*x)+sin(3*x) < 0 and x >= 0 and x < 2*pi",
     "(x > pi/2 and x < 2*pi/3) or (x > pi and x < 4*pi/3) or (x > 3*pi/2 and x < 2*pi)"},
    {"sin(x) > 1/2 and x >= 0 and x <= 2*pi", "x > pi/6 and x < 5*pi/6"},
};

static void test_inequalities(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(inequalities); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp set = cc_solve_inequality(&f.g, parse(&f, inequalities[i].condition), cc_x_symbol(&f.g, CC_STR("x"), 0));
        if (set != parse(&f, inequalities[i].set)) {
            cc_str got = set ? cc_x_show(&f.g, set) : CC_STR("nothing");
            fail_msg("%s: %.*s", inequalities[i].condition, (int)got.n, got.p);
        }
        end(&f);
    }
}

// ---- certified zeros: decimals by mpmath ----

static const struct {
    const char *f, *zeros;
    long low, high;
    bool complete;
} isolated[] = {
    {"cos(x) - x", "[0.73908513321516064165531208767387]", -10, 10, true},
    {"x*sin(x) - 1",
     "[1.1141571408719300873005251781692, 2.7726047082659912339535697214961, 6.43911723841724646172451484031, "
     "9.31724294141480961860128851357]",
     0, 10, true},
    {"x^5 - x - 1", "[1.16730397826141868425604589985]", -10, 10, true},
    {"exp(x) + 1", "[]", -10, 10, true},
    {"1/x", "[]", -1, 2, false},         // changes its sign at a pole
    {"atan(1/x)", "[]", -1, 2, false},   // jumps
    {"(x - 1)^2", "[]", -10, 10, false}, // touches: no sign change proves it
};

static void test_isolated(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(isolated); i++) {
        fixture f;
        begin(&f, NULL);
        arb_t a, b;
        arb_init(a), arb_init(b);
        arb_set_si(a, isolated[i].low), arb_set_si(b, isolated[i].high);
        cc_real_roots r;
        cc_xp wanted = parse(&f, isolated[i].zeros);
        assert_true(cc_solve_real_roots(&f.g, parse(&f, isolated[i].f), cc_x_symbol(&f.g, CC_STR("x"), 0), a, b, 100, &r));
        if (r.n != wanted->n || r.complete != isolated[i].complete) fail_msg("%s: %zu zeros, complete %d", isolated[i].f, r.n, r.complete);
        for (size_t k = 0; k < r.n; k++) {
            arb_set_fmpq(a, wanted->args[k]->num, 128);
            arb_sub(a, a, r.at + k, 128);
            arb_abs(a, a);
            arb_set_d(b, 1e-24);
            assert_true(arb_lt(a, b));
        }
        cc_real_roots_clear(&r);
        arb_clear(a), arb_clear(b);
        end(&f);
    }
}

static void test_jumps_prove_nothing(void **state) {
    (void)state;
    fixture f;
    begin(&f, NULL);
    arb_t a, b;
    arb_init(a), arb_init(b);
    arb_set_si(a, -3), arb_set_si(b, 3);
    cc_real_roots r;
    assert_false(cc_solve_real_roots(&f.g, parse(&f, "x + 10*floor(x) + 5"), cc_x_symbol(&f.g, CC_STR("x"), 0), a, b, 100, &r));
    arb_clear(a), arb_clear(b);
    end(&f);
}

// ---- systems ----

static const struct {
    const char *equations, *vars; // lists
    size_t n;
    bool complete, free;
} systems[] = {
    {"[x + y - 10, x - y - 2]", "[x, y]", 1, true, false},
    {"[x + y - 1, x + y - 2]", "[x, y]", 0, true, false},
    {"[x + y - 1, 2*x + 2*y - 2]", "[x, y]", 1, true, true},
    {"[x^2 + y^2 - 5, x - y + 1]", "[x, y]", 2, true, false},
    {"[x*y - 6, x + y - 5]", "[x, y]", 2, true, false},
    {"[x^2 + y^2 - 1, x^2 + y^2 - 2]", "[x, y]", 0, true, false},
    {"[x^2 + y - 3, x + y^2 - 5]", "[x, y]", 4, true, false}, // Bézout
    {"[2*x*y^2*z^2 - 2*x/9, 2*x^2*y*z^2 - 2*y/9, 2*x^2*y^2*z - 2*z/9, x^2+y^2+z^2-1]", "[x, y, z]", 8, true, false},
    {"[x^2 + y^2 + z^2 - 14, x*y*z - 6, x + y + z - 6]", "[x, y, z]", 6, true, false}, // the permutations of 1, 2, 3
};

static void test_systems(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(systems); i++) {
        fixture f;
        cc_xsystem s;
        begin(&f, NULL);
        cc_xp e = parse(&f, systems[i].equations), v = parse(&f, systems[i].vars);
        assert_int_equal(cc_solve_system(&f.g, e->args, e->n, v->args, v->n, &s), 0);
        if (!s.found || s.n != systems[i].n || s.complete != systems[i].complete)
            fail_msg("%s: found %d, %zu, complete %d", systems[i].equations, s.found, s.n, s.complete);
        for (size_t k = 0; k < s.n; k++) {
            bool open = false;
            for (uint32_t q = 0; q < e->n; q++) {
                cc_xp x = e->args[q];
                for (uint32_t m = 0; m < v->n; m++)
                    if (s.values[k * v->n + m])
                        x = cc_x_subs(&f.g, x, v->args[m], s.values[k * v->n + m]);
                    else
                        open = true;
                bool proven;
                if (cc_x_is_zero_probably(&f.g, x, 8, &proven) != CC_TRUE) fail_msg("%s: solution %zu", systems[i].equations, k);
            }
            assert_int_equal(open, systems[i].free);
            for (size_t m = 0; m < k; m++) assert_memory_not_equal(s.values + m * v->n, s.values + k * v->n, v->n * sizeof(cc_xp));
        }
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finite),   cmocka_unit_test(test_multiplicities),
        cmocka_unit_test(test_periodic), cmocka_unit_test(test_restricted),
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_inequalities),
        cmocka_unit_test(test_isolated), cmocka_unit_test(test_jumps_prove_nothing),
        cmocka_unit_test(test_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
