// What is known of an expression: real, positive, integer, …, from the assumptions about symbols, from structure, and for constants from
// enclosures at low precision. Called by the constructors all the time, so it is cheap, remembered by pointer, and never asks Calcium. A
// fact is about every point where the expression is defined: 1/x of a real x is real. It owns nothing.
#include "math/expr/enclose.h"
#include "math/expr/intern.h"

typedef struct facts {
    unsigned yes, no; // CC_IS_*
} facts;

enum {
    MEMO_FACTS = 100,   // see cc_x_memo_put
    NO_SHIFT = 10,      // of the facts that do not hold, in a remembered number
    MAX_ENCLOSED = 500, // nodes of a constant that is enclosed
    MAX_DEPTH = 200,
    SIGNS = CC_IS_POSITIVE | CC_IS_NEGATIVE | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE,
    WHOLE = CC_IS_INTEGER | CC_IS_EVEN | CC_IS_ODD,
    ALL = 1023,
};

static facts full(cc_alg *g, cc_xp x);

static bool has(facts f, unsigned fact) { return (f.yes & fact) == fact; }

// Adds what follows from the facts.
static facts close_facts(facts f) {
    unsigned y = f.yes, n = f.no;
    for (int i = 0; i < 2; i++) {
        if (y & (CC_IS_EVEN | CC_IS_ODD)) y |= CC_IS_INTEGER;
        if (y & CC_IS_INTEGER) y |= CC_IS_RATIONAL;
        if (y & (CC_IS_RATIONAL | SIGNS)) y |= CC_IS_REAL;
        if (y & CC_IS_ODD) y |= CC_IS_NONZERO;
        if (y & CC_IS_POSITIVE) y |= CC_IS_NONZERO | CC_IS_NONNEGATIVE, n |= CC_IS_NEGATIVE | CC_IS_NONPOSITIVE;
        if (y & CC_IS_NEGATIVE) y |= CC_IS_NONZERO | CC_IS_NONPOSITIVE, n |= CC_IS_POSITIVE | CC_IS_NONNEGATIVE;
        if (y & CC_IS_NONNEGATIVE) n |= CC_IS_NEGATIVE;
        if (y & CC_IS_NONPOSITIVE) n |= CC_IS_POSITIVE;
        if ((y & CC_IS_NONZERO) && (y & CC_IS_NONNEGATIVE)) y |= CC_IS_POSITIVE;
        if ((y & CC_IS_NONZERO) && (y & CC_IS_NONPOSITIVE)) y |= CC_IS_NEGATIVE;
        if (y & CC_IS_EVEN) n |= CC_IS_ODD;
        if (y & CC_IS_ODD) n |= CC_IS_EVEN;
        if (n & CC_IS_REAL) n |= SIGNS | CC_IS_RATIONAL, y |= CC_IS_NONZERO;
        if (n & CC_IS_RATIONAL) n |= CC_IS_INTEGER, y |= CC_IS_NONZERO;
        if (n & CC_IS_INTEGER) n |= CC_IS_EVEN | CC_IS_ODD, y |= CC_IS_NONZERO;
        if (n & CC_IS_NONZERO) y |= CC_IS_EVEN | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE;
    }
    return (facts){y & ALL, n & ALL};
}

static facts known(unsigned yes, unsigned no) { return close_facts((facts){yes, no}); }

// ---- leaves ----

static facts of_number(cc_xp x) {
    int s = cc_x_num_sign(x);
    unsigned yes = CC_IS_RATIONAL, no = 0;
    if (s == 0) return known(CC_IS_EVEN | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE, CC_IS_NONZERO);
    yes |= s > 0 ? CC_IS_POSITIVE : CC_IS_NEGATIVE;
    if (!cc_x_is_int(x))
        no |= CC_IS_INTEGER;
    else
        yes |= fmpz_is_even(fmpq_numref(x->num)) ? CC_IS_EVEN : CC_IS_ODD;
    return known(yes, no);
}

static facts of_constant(cc_xp x) {
    switch (x->konst) {
    case CC_K_PI:
    case CC_K_E:
    case CC_K_GOLDEN: return known(CC_IS_POSITIVE, CC_IS_RATIONAL);
    case CC_K_EULER_GAMMA:
    case CC_K_CATALAN: return known(CC_IS_POSITIVE, CC_IS_INTEGER);
    case CC_K_I: return known(0, CC_IS_REAL);
    case CC_K_OO:
    case CC_K_ZOO: return (facts){CC_IS_NONZERO, CC_IS_REAL | CC_IS_RATIONAL | WHOLE};
    default: return (facts){0};
    }
}

// ---- sums and products ----

static facts of_sum(cc_alg *g, cc_xp x) {
    unsigned all = ALL, any = 0;
    size_t not_real = 0, not_integer = 0, not_rational = 0, odd = 0;
    for (size_t i = 0; i < x->n; i++) {
        facts f = full(g, x->args[i]);
        all &= f.yes;
        any |= f.yes;
        not_real += (f.no & CC_IS_REAL) != 0;
        not_integer += (f.no & CC_IS_INTEGER) != 0 && (f.yes & CC_IS_RATIONAL);
        not_rational += (f.no & CC_IS_RATIONAL) != 0;
        odd += (f.yes & CC_IS_ODD) != 0;
        // One part that is not real, rational, integer, beside others that are: neither is the sum.
        if (!(f.yes & CC_IS_REAL) && !(f.no & CC_IS_REAL)) not_real = 2;
        if (!(f.yes & CC_IS_INTEGER) && !(f.no & CC_IS_INTEGER)) not_integer = 2;
        if (!(f.yes & CC_IS_RATIONAL) && !(f.no & CC_IS_RATIONAL)) not_rational = 2;
        if ((f.no & CC_IS_RATIONAL) || !(f.yes & CC_IS_RATIONAL)) not_integer = 2;
        if (!(f.yes & (CC_IS_EVEN | CC_IS_ODD))) all &= ~(unsigned)(CC_IS_EVEN | CC_IS_ODD), odd = SIZE_MAX / 2;
    }
    unsigned yes = all & (CC_IS_REAL | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE | CC_IS_INTEGER | CC_IS_RATIONAL);
    if (yes & CC_IS_NONNEGATIVE) yes |= any & CC_IS_POSITIVE;
    if (yes & CC_IS_NONPOSITIVE) yes |= any & CC_IS_NEGATIVE;
    if ((yes & CC_IS_INTEGER) && odd <= x->n) yes |= odd % 2 ? CC_IS_ODD : CC_IS_EVEN;
    unsigned no = (not_real == 1 ? CC_IS_REAL : 0) | (not_integer == 1 ? CC_IS_INTEGER : 0) | (not_rational == 1 ? CC_IS_RATIONAL : 0);
    return known(yes, no);
}

static bool conjugates(cc_xp a, cc_xp b) {
    return (cc_x_is_fun(a, CC_F_CONJUGATE) && a->args[0] == b) || (cc_x_is_fun(b, CC_F_CONJUGATE) && b->args[0] == a);
}

static facts of_product(cc_alg *g, cc_xp x) {
    if (x->n == 2 && conjugates(x->args[0], x->args[1])) return known(CC_IS_NONNEGATIVE | (full(g, x->args[0]).yes & CC_IS_NONZERO), 0);
    unsigned all = ALL;
    bool even = false, signs = true, strict = true, negative = false;
    size_t not_real = 0, imaginary = 0;
    for (size_t i = 0; i < x->n; i++) {
        facts f = full(g, x->args[i]);
        imaginary += cc_x_is_const(x->args[i], CC_K_I);
        not_real += !(f.yes & CC_IS_REAL);
        all &= f.yes | (cc_x_is_const(x->args[i], CC_K_I) ? CC_IS_REAL : 0);
        even = even || (f.yes & CC_IS_EVEN);
        if (f.yes & (CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE)) {
            negative ^= !(f.yes & CC_IS_NONNEGATIVE);
            strict = strict && (f.yes & CC_IS_NONZERO);
        } else {
            signs = false;
        }
    }
    unsigned yes = all & (CC_IS_NONZERO | CC_IS_INTEGER | CC_IS_RATIONAL | CC_IS_ODD), no = 0;
    if (imaginary == 1 && not_real == 1) return known(yes & CC_IS_NONZERO, all & CC_IS_NONZERO ? CC_IS_REAL : 0);
    if (imaginary) return known(yes & CC_IS_NONZERO, 0);
    yes |= all & CC_IS_REAL;
    if (signs) yes |= negative ? CC_IS_NONPOSITIVE : CC_IS_NONNEGATIVE;
    if (signs && strict) yes |= negative ? CC_IS_NEGATIVE : CC_IS_POSITIVE;
    if ((yes & CC_IS_INTEGER) && even) yes |= CC_IS_EVEN;
    return known(yes, no);
}

static facts of_integer_power(facts b, facts e, bool positive, bool negative) {
    unsigned yes = b.yes & CC_IS_REAL;
    if (b.yes & CC_IS_NONZERO || negative) yes |= CC_IS_NONZERO;
    if ((b.yes & CC_IS_REAL) && (e.yes & CC_IS_EVEN)) yes |= CC_IS_NONNEGATIVE;
    if (b.yes & CC_IS_NONNEGATIVE) yes |= CC_IS_NONNEGATIVE;
    if ((b.yes & CC_IS_NONPOSITIVE) && (e.yes & CC_IS_ODD)) yes |= CC_IS_NONPOSITIVE;
    if (b.yes & CC_IS_RATIONAL) yes |= CC_IS_RATIONAL;
    if (e.yes & CC_IS_NONNEGATIVE) yes |= b.yes & CC_IS_INTEGER;
    if (positive) yes |= b.yes & (CC_IS_EVEN | CC_IS_ODD);
    return known(yes, positive && (b.no & CC_IS_NONZERO) ? CC_IS_NONZERO : 0);
}

static facts of_power(cc_alg *g, cc_xp x) {
    facts b = full(g, x->args[0]), e = full(g, x->args[1]);
    if (has(e, CC_IS_INTEGER)) return of_integer_power(b, e, e.yes & CC_IS_POSITIVE, e.yes & CC_IS_NEGATIVE);
    unsigned yes = 0, no = 0;
    if (b.yes & CC_IS_NONZERO) yes |= CC_IS_NONZERO;
    if ((b.yes & CC_IS_POSITIVE) && (e.yes & CC_IS_REAL)) yes |= CC_IS_POSITIVE;
    if ((b.yes & CC_IS_NONNEGATIVE) && (e.yes & CC_IS_REAL)) yes |= CC_IS_NONNEGATIVE;
    if ((b.yes & CC_IS_NEGATIVE) && (e.no & CC_IS_INTEGER) && (e.yes & CC_IS_REAL)) no |= CC_IS_REAL;
    if (e.yes & CC_IS_NEGATIVE) yes |= CC_IS_NONZERO;
    return known(yes, no);
}

// ---- functions ----

static facts of_extreme(cc_alg *g, cc_xp x) {
    unsigned all = ALL, any = 0;
    for (size_t i = 0; i < x->n; i++) {
        facts f = full(g, x->args[i]);
        all &= f.yes;
        any |= f.yes;
    }
    unsigned wins = x->fn == CC_F_MAX ? CC_IS_POSITIVE | CC_IS_NONNEGATIVE : CC_IS_NEGATIVE | CC_IS_NONPOSITIVE;
    unsigned yes = all;
    if (all & CC_IS_REAL) yes |= any & wins;
    return known(yes, 0);
}

static facts of_pieces(cc_alg *g, cc_xp x) {
    facts all = {ALL, ALL};
    for (size_t i = 0; i < x->n; i += 2) {
        facts f = full(g, x->args[i]);
        all.yes &= f.yes;
        all.no &= f.no;
    }
    return close_facts(all);
}

static facts of_function(cc_alg *g, cc_xp x) {
    if (x->fn == CC_F_MAX || x->fn == CC_F_MIN) return of_extreme(g, x);
    if (x->fn == CC_F_PIECEWISE) return of_pieces(g, x);
    if (x->n == 0 || x->n > 2) return (facts){0};
    const facts a = full(g, x->args[0]), b = x->n > 1 ? full(g, x->args[1]) : (facts){0};
    const unsigned real = a.yes & CC_IS_REAL;
    switch (x->fn) {
    case CC_F_EXP: return known(CC_IS_NONZERO | (real ? CC_IS_POSITIVE : 0), 0);
    case CC_F_ABS: return known(CC_IS_NONNEGATIVE | (a.yes & (CC_IS_NONZERO | CC_IS_RATIONAL | WHOLE)), 0);
    case CC_F_CONJUGATE: return a;
    case CC_F_RE: return real ? a : known(CC_IS_REAL, 0);
    case CC_F_IM:
    case CC_F_ARG: return known(CC_IS_REAL, 0);
    case CC_F_SIGN: return real ? known(CC_IS_INTEGER | (a.yes & (SIGNS | CC_IS_NONZERO)), a.no & SIGNS) : known(a.yes & CC_IS_NONZERO, 0);
    case CC_F_FLOOR: return real ? known(CC_IS_INTEGER | (a.yes & (CC_IS_NONNEGATIVE | CC_IS_NEGATIVE)), 0) : (facts){0};
    case CC_F_CEIL: return real ? known(CC_IS_INTEGER | (a.yes & (CC_IS_NONPOSITIVE | CC_IS_POSITIVE)), 0) : (facts){0};
    case CC_F_FRAC: return real ? known(CC_IS_NONNEGATIVE, 0) : (facts){0};
    case CC_F_HEAVISIDE: return known(CC_IS_NONNEGATIVE, 0);
    case CC_F_KRONECKER: return known(CC_IS_NONNEGATIVE | CC_IS_INTEGER, 0);
    case CC_F_COSH:
    case CC_F_SECH:
    case CC_F_ERFC: return real ? known(CC_IS_POSITIVE, 0) : (facts){0};
    case CC_F_SINH: // odd, and increasing or of the sign of their argument
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_CSCH:
    case CC_F_ASINH:
    case CC_F_ACSCH:
    case CC_F_ATAN:
    case CC_F_ERF:
    case CC_F_ERFI:
    case CC_F_SI:
    case CC_F_SHI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC: return real ? known(real | (a.yes & (SIGNS | CC_IS_NONZERO)), 0) : (facts){0};
    case CC_F_ACOT: // pi/2 at zero
        return real ? known(real | (a.yes & (CC_IS_POSITIVE | CC_IS_NEGATIVE | CC_IS_NONNEGATIVE)), 0) : (facts){0};
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_COT:
    case CC_F_SEC:
    case CC_F_CSC:
    case CC_F_SINC:
    case CC_F_DIGAMMA:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_AIRYAIPRIME:
    case CC_F_AIRYBIPRIME: return known(real, 0);
    case CC_F_EI:
    case CC_F_ZETA: return x->n == 1 ? known(real, 0) : (facts){0};
    case CC_F_LOG:
    case CC_F_LOGGAMMA:
    case CC_F_CI:
    case CC_F_CHI:
    case CC_F_LI: return a.yes & CC_IS_POSITIVE ? known(CC_IS_REAL, 0) : (facts){0};
    case CC_F_GAMMA: return known(CC_IS_NONZERO | real | (a.yes & CC_IS_POSITIVE), 0);
    case CC_F_FACTORIAL:
        if (has(a, CC_IS_INTEGER)) return known(CC_IS_INTEGER | CC_IS_POSITIVE, 0); // at negative integers it is not defined
        return known(CC_IS_NONZERO | real | (a.yes & CC_IS_NONNEGATIVE ? CC_IS_POSITIVE : 0), 0);
    case CC_F_LAMBERTW: return x->n == 1 ? known(a.yes & (CC_IS_NONNEGATIVE | CC_IS_POSITIVE), 0) : (facts){0};
    case CC_F_FIBONACCI:
    case CC_F_LUCAS: return known(a.yes & (CC_IS_REAL | CC_IS_INTEGER), 0);
    case CC_F_BINOMIAL: return known(a.yes & b.yes & CC_IS_INTEGER, 0);
    case CC_F_MOD:
        if (!(real & b.yes)) return (facts){0};
        return known(CC_IS_REAL | (a.yes & b.yes & (CC_IS_INTEGER | CC_IS_RATIONAL)) |
                         (b.yes & CC_IS_POSITIVE   ? CC_IS_NONNEGATIVE
                          : b.yes & CC_IS_NEGATIVE ? CC_IS_NONPOSITIVE
                                                   : 0),
                     0);
    case CC_F_ATAN2: return known(real & b.yes, 0);
    case CC_F_BESSELJ:
    case CC_F_BESSELI:
        return real && ((b.yes & CC_IS_POSITIVE) || (has(a, CC_IS_INTEGER) && has(b, CC_IS_REAL))) ? known(CC_IS_REAL, 0) : (facts){0};
    case CC_F_BESSELY:
    case CC_F_BESSELK: return real && (b.yes & CC_IS_POSITIVE) ? known(CC_IS_REAL, 0) : (facts){0};
    default: return (facts){0};
    }
}

// ---- constants by enclosure ----

static facts enclosed(cc_alg *g, cc_xp x, facts f) {
    acb_t v;
    acb_init(v);
    for (slong prec = 64; prec <= 256; prec *= 4) {
        if (!cc_x_enclose(g, v, x, NULL, prec)) continue;
        arb_srcptr re = acb_realref(v), im = acb_imagref(v);
        if (arb_is_zero(im)) f.yes |= CC_IS_REAL;
        if (!arb_contains_zero(im)) f.no |= CC_IS_REAL;
        if (!acb_contains_zero(v)) f.yes |= CC_IS_NONZERO;
        f = close_facts(f);
        if (has(f, CC_IS_REAL) && arb_is_positive(re)) f.yes |= CC_IS_POSITIVE;
        if (has(f, CC_IS_REAL) && arb_is_negative(re)) f.yes |= CC_IS_NEGATIVE;
        if (has(f, CC_IS_REAL) && arb_is_finite(re) && !arb_contains_int(re)) f.no |= CC_IS_INTEGER;
        f = close_facts(f);
        if ((f.yes & (CC_IS_POSITIVE | CC_IS_NEGATIVE)) || (f.no & CC_IS_REAL)) break;
    }
    acb_clear(v);
    return f;
}

static facts full(cc_alg *g, cc_xp x) {
    if (x->kind == CC_X_NUM) return of_number(x);
    if (x->kind == CC_X_CONST) return of_constant(x);
    if (x->kind == CC_X_SYM) return known(x->facts, 0);
    if (!x->finite || x->depth > MAX_DEPTH || x->kind > CC_X_FUN) return (facts){0};
    cc_xp found;
    if (cc_x_memo_find(g, MEMO_FACTS, x, NULL, &found)) {
        ulong m = fmpz_get_ui(fmpq_numref(found->num));
        return (facts){(unsigned)m & ALL, (unsigned)(m >> NO_SHIFT) & ALL};
    }
    facts f = x->kind == CC_X_ADD   ? of_sum(g, x)
              : x->kind == CC_X_MUL ? of_product(g, x)
              : x->kind == CC_X_POW ? of_power(g, x)
                                    : of_function(g, x);
    bool open = !(f.yes & (CC_IS_POSITIVE | CC_IS_NEGATIVE)) && !(f.no & (CC_IS_REAL | CC_IS_NONZERO));
    if (open && cc_x_is_constant(x) && x->size <= MAX_ENCLOSED) f = enclosed(g, x, f);
    cc_xp m = cc_x_int(g, (slong)(f.yes | f.no << NO_SHIFT));
    if (m) cc_x_memo_put(g, MEMO_FACTS, x, NULL, m);
    return f;
}

cc_truth cc_x_is(cc_alg *g, cc_xp x, unsigned fact) {
    if (!x || g->err->code) return CC_UNDECIDED;
    facts f = full(g, x);
    return has(f, fact) ? CC_TRUE : f.no & fact ? CC_FALSE : CC_UNDECIDED;
}

int cc_x_sign(cc_alg *g, cc_xp x) {
    if (!x || g->err->code) return 2;
    if (x == g->oo) return 1;
    if (x == g->neg_oo) return -1;
    facts f = full(g, x);
    return f.yes & CC_IS_POSITIVE ? 1 : f.yes & CC_IS_NEGATIVE ? -1 : f.no & CC_IS_NONZERO ? 0 : 2;
}
