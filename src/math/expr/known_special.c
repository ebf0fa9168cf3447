// Values of the special functions and of combinatorial functions at special arguments, exact numbers by FLINT. Called by known.c. Sizes are
// estimated before computing.
#include "math/expr/intern.h"

#include <flint/arith.h>
#include <flint/bernoulli.h>
#include <math.h>

enum {
    MAX_INDEX = 20000, // of Bernoulli and Euler numbers
    MAX_HARMONIC = 100000,
    MAX_EXPANDED = 100, // factors of a rising factorial that is written out
    MAX_FACTORIAL = 300000,
    MAX_ELEMENTARY = 24, // -n of expint(n, z) that is written out
    MOST_POWER = 12,     // of the base of a logarithm in LambertW's argument
};

static bool is_true(cc_alg *g, cc_xp x, unsigned fact) { return cc_x_is(g, x, fact) == CC_TRUE; }

static cc_xp take(cc_alg *g, fmpz_t n) {
    cc_xp x = cc_x_fmpz(g, n);
    fmpz_clear(n);
    return x;
}

// x = k/2 with odd k.
static bool half_integer(cc_xp x, slong *k) {
    return cc_x_is_num(x) && fmpz_equal_si(fmpq_denref(x->num), 2) && fmpz_fits_si(fmpq_numref(x->num)) &&
           (*k = fmpz_get_si(fmpq_numref(x->num)), true);
}

// ---- factorials and gamma ----

static cc_xp factorial(cc_alg *g, cc_xp a) {
    slong k;
    if (a == g->oo) return a;
    if (cc_x_is_int(a) && cc_x_num_sign(a) < 0) return g->zoo;
    if (half_integer(a, &k)) return cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, a, g->one));
    if (!cc_x_is_int(a)) return NULL;
    if (!cc_x_fits_si(a, &k) || k > MAX_FACTORIAL) return cc_x_too_large(g, "a factorial");
    fmpz_t f;
    fmpz_init(f);
    fmpz_fac_ui(f, (ulong)k);
    return take(g, f);
}

// n!! for n >= -1.
static cc_xp double_factorial(cc_alg *g, slong n) {
    if (n > MAX_FACTORIAL) return cc_x_too_large(g, "a factorial");
    mpz_t z;
    mpz_init(z);
    mpz_2fac_ui(z, n < 0 ? 1 : (ulong)n);
    fmpz_t f;
    fmpz_init(f);
    fmpz_set_mpz(f, z);
    mpz_clear(z);
    return take(g, f);
}

static cc_xp gamma_of(cc_alg *g, cc_xp a) {
    slong k;
    if (a == g->oo) return a;
    if (a == g->zoo || a == g->neg_oo) return g->zoo;
    if (cc_x_is_int(a)) return cc_x_num_sign(a) <= 0 ? g->zoo : factorial(g, cc_x_sub(g, a, g->one));
    if (!half_integer(a, &k) || k > 10000 || k < -10000) return NULL;
    // gamma(n + 1/2) = (2n - 1)!!/2**n*sqrt(pi), gamma(1/2 - n) = (-2)**n/(2n - 1)!!*sqrt(pi)
    slong n = (k - 1) / 2;
    cc_xp c = n >= 0 ? cc_x_div(g, double_factorial(g, 2 * n - 1), cc_x_powi(g, g->two, n))
                     : cc_x_div(g, cc_x_powi(g, cc_x_int(g, -2), -n), double_factorial(g, -2 * n - 1));
    return cc_x_mul(g, c, cc_x_sqrt(g, g->pi));
}

static cc_xp log_gamma(cc_alg *g, cc_xp a) {
    if (a == g->oo) return a;
    if (cc_x_is_int(a) && cc_x_num_sign(a) <= 0) return g->oo;
    slong k;
    if (cc_x_fits_si(a, &k) && k <= 1000) return cc_x_log(g, factorial(g, cc_x_int(g, k - 1)));
    return a == g->half ? cc_x_mul(g, a, cc_x_log(g, g->pi)) : NULL;
}

// Sum of 1/j**m for j = 1 … n.
static cc_xp harmonic_number(cc_alg *g, ulong n, ulong m) {
    if (n > MAX_HARMONIC || (double)n * (double)m > 2e6) return cc_x_too_large(g, "a harmonic number");
    fmpq_t s, t;
    fmpq_init(s);
    fmpq_init(t);
    if (m == 1) {
        fmpq_harmonic_ui(s, n);
    } else {
        for (ulong j = 1; j <= n && cc_alg_go_on(g); j++) {
            fmpz_set_ui(fmpq_denref(t), j);
            fmpz_pow_ui(fmpq_denref(t), fmpq_denref(t), m);
            fmpz_one(fmpq_numref(t));
            fmpq_add(s, s, t);
        }
    }
    cc_xp x = cc_x_num(g, s);
    fmpq_clear(s);
    fmpq_clear(t);
    return x;
}

// polygamma(m, a), m >= 0 a number.
static cc_xp poly_gamma(cc_alg *g, slong m, cc_xp a) {
    slong k;
    cc_xp sign = cc_x_int(g, m % 2 ? 1 : -1); // (-1)**(m + 1)
    if (a == g->oo) return m == 0 ? a : g->zero;
    if (cc_x_is_int(a) && cc_x_num_sign(a) <= 0) return g->zoo;
    if (m > 1000) return NULL;
    if (cc_x_fits_si(a, &k) && k <= 2000) {
        if (m == 0) return cc_x_sub(g, harmonic_number(g, (ulong)k - 1, 1), cc_x_const(g, CC_K_EULER_GAMMA));
        cc_xp rest = cc_x_sub(g, cc_x_f1(g, CC_F_ZETA, cc_x_int(g, m + 1)), harmonic_number(g, (ulong)k - 1, (ulong)m + 1));
        cc_xp x = cc_x_mul(g, sign, cc_x_mul(g, factorial(g, cc_x_int(g, m)), rest));
        return k > 1 ? cc_x_expand(g, x) : x;
    }
    if (a == g->half) {
        if (m == 0) return cc_x_sub(g, cc_x_mul(g, cc_x_int(g, -2), cc_x_log(g, g->two)), cc_x_const(g, CC_K_EULER_GAMMA));
        cc_xp c = cc_x_sub(g, cc_x_powi(g, g->two, m + 1), g->one);
        return cc_x_muln(g, (const cc_xp[]){sign, factorial(g, cc_x_int(g, m)), c, cc_x_f1(g, CC_F_ZETA, cc_x_int(g, m + 1))}, 4);
    }
    return NULL;
}

static cc_xp incomplete_gamma(cc_alg *g, bool upper, cc_xp s, cc_xp x) {
    bool positive = is_true(g, s, CC_IS_POSITIVE);
    if (x == g->zero && positive) return upper ? cc_x_f1(g, CC_F_GAMMA, s) : x;
    if (x == g->oo) return upper ? g->zero : cc_x_f1(g, CC_F_GAMMA, s);
    if (s == g->one) {
        cc_xp e = cc_x_exp(g, cc_x_neg(g, x));
        return upper ? e : cc_x_sub(g, g->one, e);
    }
    if (s == g->half) return cc_x_mul(g, cc_x_sqrt(g, g->pi), cc_x_f1(g, upper ? CC_F_ERFC : CC_F_ERF, cc_x_sqrt(g, x)));
    return NULL;
}

static cc_xp beta(cc_alg *g, cc_xp a, cc_xp b) {
    if (a == g->one) return cc_x_div(g, g->one, b);
    if (b == g->one) return cc_x_div(g, g->one, a);
    if (!cc_x_is_num(a) || !cc_x_is_num(b)) return cc_x_compare(a, b) > 0 ? cc_x_f2(g, CC_F_BETA, b, a) : NULL;
    cc_xp x = cc_x_f1(g, CC_F_GAMMA, a), y = cc_x_f1(g, CC_F_GAMMA, b), z = cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, a, b));
    if (!x || !y || !z) return NULL;
    if (!cc_x_has_fn(x, CC_F_GAMMA) && !cc_x_has_fn(y, CC_F_GAMMA) && !cc_x_has_fn(z, CC_F_GAMMA) && x->finite && y->finite)
        return z->finite ? cc_x_div(g, cc_x_mul(g, x, y), z) : g->zero;
    return cc_x_compare(a, b) > 0 ? cc_x_f2(g, CC_F_BETA, b, a) : NULL;
}

// ---- zeta, polylogarithm ----

static cc_xp bernoulli(cc_alg *g, slong n) {
    if (n > MAX_INDEX) return cc_x_too_large(g, "a Bernoulli number");
    fmpq_t b;
    fmpq_init(b);
    bernoulli_fmpq_ui(b, (ulong)n);
    if (n == 1) fmpq_neg(b, b); // the convention with B(1) = +1/2
    cc_xp x = cc_x_num(g, b);
    fmpq_clear(b);
    return x;
}

static cc_xp zeta(cc_alg *g, cc_xp s, cc_xp a) {
    slong n, k;
    if (a && a != g->one) {
        if (cc_x_fits_si(a, &k) && k > 1 && k <= 1000 && cc_x_fits_si(s, &n) && n > 1 && n <= 100)
            return cc_x_sub(g, cc_x_f1(g, CC_F_ZETA, s), harmonic_number(g, (ulong)k - 1, (ulong)n));
        if (cc_x_is_int(a) && cc_x_num_sign(a) <= 0 && is_true(g, s, CC_IS_POSITIVE)) return g->zoo; // it has the term 1/0**s
        if (a == g->half)                                                                            // zeta(s, 1/2) = (2**s - 1)*zeta(s)
            return cc_x_mul(g, cc_x_sub(g, cc_x_pow(g, g->two, s), g->one), cc_x_f1(g, CC_F_ZETA, s));
        return NULL;
    }
    if (a) return cc_x_f1(g, CC_F_ZETA, s);
    if (s == g->one) return g->zoo;
    if (s == g->oo) return g->one;
    if (s == g->zero) return cc_x_neg(g, g->half);
    if (!cc_x_fits_si(s, &n) || n < -MAX_INDEX || n > MAX_INDEX) return NULL;
    if (n < 0) return n % 2 == 0 ? g->zero : cc_x_neg(g, cc_x_div(g, bernoulli(g, 1 - n), cc_x_int(g, 1 - n)));
    if (n % 2) return NULL;
    // |B(n)|*(2*pi)**n/(2*n!)
    cc_xp b = bernoulli(g, n);
    if (cc_x_num_sign(b) < 0) b = cc_x_neg(g, b);
    cc_xp c = cc_x_div(g, cc_x_mul(g, b, cc_x_powi(g, g->two, n - 1)), factorial(g, s));
    return cc_x_mul(g, c, cc_x_powi(g, g->pi, n));
}

static cc_xp polylog(cc_alg *g, cc_xp s, cc_xp z) {
    if (z == g->zero) return z;
    if (z == g->one) return cc_x_f1(g, CC_F_ZETA, s);
    if (s == g->one) return cc_x_neg(g, cc_x_log(g, cc_x_sub(g, g->one, z)));
    if (z == g->minus_one) // (2**(1 - s) - 1)*zeta(s)
        return cc_x_mul(g, cc_x_sub(g, cc_x_pow(g, g->two, cc_x_sub(g, g->one, s)), g->one), cc_x_f1(g, CC_F_ZETA, s));
    if (s == g->zero) return cc_x_div(g, z, cc_x_sub(g, g->one, z));
    if (s == g->minus_one) return cc_x_div(g, z, cc_x_powi(g, cc_x_sub(g, g->one, z), 2));
    if (s == g->two && (z == g->i || z == cc_x_neg(g, g->i))) { // -pi**2/48 +- I*Catalan
        cc_xp imaginary = cc_x_mul(g, z, cc_x_const(g, CC_K_CATALAN));
        return cc_x_sub(g, imaginary, cc_x_mul(g, cc_x_frac(g, 1, 48), cc_x_powi(g, g->pi, 2)));
    }
    if (s == g->two && z == g->half) // pi**2/12 - log(2)**2/2
        return cc_x_sub(g, cc_x_mul(g, cc_x_frac(g, 1, 12), cc_x_powi(g, g->pi, 2)),
                        cc_x_mul(g, g->half, cc_x_powi(g, cc_x_log(g, g->two), 2)));
    return NULL;
}

// ---- functions with values at 0 and infinity, and parity ----

typedef enum at { NO, ZERO, ONE, TWO, OO, MINUS_OO, ZOO, HALF_PI, HALF, IS_NAN, PI_I } at;

static cc_xp at_value(cc_alg *g, at v) {
    switch (v) {
    case ZERO: return g->zero;
    case ONE: return g->one;
    case TWO: return g->two;
    case OO: return g->oo;
    case MINUS_OO: return g->neg_oo;
    case ZOO: return g->zoo;
    case HALF_PI: return cc_x_mul(g, g->half, g->pi);
    case HALF: return g->half;
    case IS_NAN: return g->nan;
    case PI_I: return cc_x_mul(g, g->i, g->pi);
    default: return NULL;
    }
}

static const struct {
    cc_xfn fn;
    at zero, plus, minus;
    bool odd;
} values[] = {
    {CC_F_ERF, ZERO, ONE, NO, true},
    {CC_F_ERFC, ONE, ZERO, TWO, false},
    {CC_F_ERFI, ZERO, OO, NO, true},
    {CC_F_EI, MINUS_OO, OO, ZERO, false},
    {CC_F_LI, ZERO, OO, NO, false},
    {CC_F_SI, ZERO, HALF_PI, NO, true},
    {CC_F_CI, ZOO, ZERO, PI_I, false},
    {CC_F_SHI, ZERO, OO, NO, true},
    {CC_F_CHI, ZOO, OO, NO, false},
    {CC_F_FRESNELS, ZERO, HALF, NO, true},
    {CC_F_FRESNELC, ZERO, HALF, NO, true},
    {CC_F_LAMBERTW, ZERO, OO, NO, false},
    {CC_F_AIRYAI, NO, ZERO, ZERO, false},
    {CC_F_AIRYBI, NO, OO, ZERO, false},
    {CC_F_AIRYAIPRIME, NO, ZERO, NO, false},
    {CC_F_AIRYBIPRIME, NO, OO, NO, false},
    {CC_F_ELLIPTIC_K, HALF_PI, NO, ZERO, false},
    {CC_F_ELLIPTIC_E, HALF_PI, NO, NO, false},
};

static cc_xp by_value(cc_alg *g, cc_xfn fn, cc_xp a) {
    size_t i = 0;
    while (i < CC_ARRAY_LEN(values) && values[i].fn != fn) i++;
    if (i == CC_ARRAY_LEN(values)) return NULL;
    at v = a == g->zero ? values[i].zero : a == g->oo ? values[i].plus : a == g->neg_oo ? values[i].minus : NO;
    if (v != NO) return at_value(g, v);
    return values[i].odd && cc_x_takes_minus(a) ? cc_x_neg(g, cc_x_f1(g, fn, cc_x_neg(g, a))) : NULL;
}

// erf(I*x) = I*erfi(x) and the like: x, when a = I*x and x is not of that form itself.
static cc_xp without_i(cc_alg *g, cc_xp a) {
    bool has = a == g->i;
    if (a->kind == CC_X_MUL)
        for (uint32_t i = 0; i < a->n; i++) has = has || a->args[i] == g->i;
    return has ? cc_x_neg(g, cc_x_mul(g, a, g->i)) : NULL;
}

// u, which solves u*exp(u) = a, is the value of this branch: the principal one has u >= -1, the branch -1 has u <= -1 (of real u).
static bool on_branch(cc_alg *g, cc_xp u, cc_xp k) {
    if (!cc_x_is_constant(u) || !is_true(g, u, CC_IS_REAL)) return false;
    int sign = cc_x_sign(g, cc_x_add(g, u, g->one));
    return sign != 2 && (k ? k == g->minus_one && sign <= 0 : sign >= 0);
}

static cc_xp lambert(cc_alg *g, cc_xp a, cc_xp k) {
    if (k == g->zero) return cc_x_f1(g, CC_F_LAMBERTW, a);
    cc_xp minus_inverse = cc_x_neg(g, cc_x_exp(g, g->minus_one));
    if (a == minus_inverse && (!k || k == g->minus_one)) return g->minus_one;
    if (k && a == g->zero) return g->neg_oo;
    if (!k && a == g->e) return g->one;
    if (!k && a == cc_x_mul(g, cc_x_frac(g, -1, 2), g->pi)) return cc_x_mul(g, cc_x_mul(g, g->half, g->pi), g->i);
    if (a->kind != CC_X_MUL) return NULL;
    for (uint32_t i = 0; i < a->n; i++) // u*exp(u) as it stands
        if (cc_x_is_fun(a->args[i], CC_F_EXP) && cc_x_mul(g, a->args[i]->args[0], a->args[i]) == a && on_branch(g, a->args[i]->args[0], k))
            return a->args[i]->args[0];
    if (a->n != 2 || a->args[0]->kind != CC_X_NUM || !cc_x_is_fun(a->args[1], CC_F_LOG)) return NULL;
    // x*log(x) is u*exp(u) with u = log(x); x is any root or power of the logarithm's argument: c*log(b) = x*log(x) with x = b**p
    cc_xp b = a->args[1]->args[0];
    if (!cc_x_is_num(b)) return NULL;
    for (slong p = -MOST_POWER; p <= MOST_POWER; p++) {
        cc_xp x = p ? cc_x_powi(g, b, p) : NULL, u = x ? cc_x_log(g, x) : NULL;
        if (u && cc_x_mul(g, x, u) == a && on_branch(g, u, k)) return u;
    }
    return NULL;
}

static cc_xp airy_at_zero(cc_alg *g, cc_xfn fn) {
    // Ai(0) = 3**(-2/3)/gamma(2/3), Bi(0) = 3**(-1/6)/gamma(2/3), Ai'(0) = -3**(-1/3)/gamma(1/3), Bi'(0) = 3**(1/6)/gamma(1/3)
    bool prime = fn == CC_F_AIRYAIPRIME || fn == CC_F_AIRYBIPRIME;
    cc_xp e = fn == CC_F_AIRYAI        ? cc_x_frac(g, -2, 3)
              : fn == CC_F_AIRYBI      ? cc_x_frac(g, -1, 6)
              : fn == CC_F_AIRYAIPRIME ? cc_x_frac(g, -1, 3)
                                       : cc_x_frac(g, 1, 6);
    cc_xp x = cc_x_div(g, cc_x_pow(g, cc_x_int(g, 3), e), cc_x_f1(g, CC_F_GAMMA, cc_x_frac(g, prime ? 1 : 2, 3)));
    return fn == CC_F_AIRYAIPRIME ? cc_x_neg(g, x) : x;
}

static cc_xp bessel(cc_alg *g, cc_xfn fn, cc_xp order, cc_xp a) {
    bool positive = is_true(g, order, CC_IS_POSITIVE);
    if (a == g->oo) return fn == CC_F_BESSELI ? a : g->zero;
    if (a != g->zero) {
        if (order->kind == CC_X_NUM && cc_x_is_int(order) && cc_x_num_sign(order) < 0) { // of integer order -n
            cc_xp n = cc_x_neg(g, order), x = cc_x_f2(g, fn, n, a);
            bool sign = (fn == CC_F_BESSELJ || fn == CC_F_BESSELY) && fmpz_is_odd(fmpq_numref(n->num));
            return sign ? cc_x_neg(g, x) : x;
        }
        return NULL;
    }
    switch (fn) {
    case CC_F_BESSELJ:
    case CC_F_BESSELI: return order == g->zero ? g->one : positive ? g->zero : NULL;
    case CC_F_BESSELY: return order == g->zero ? g->neg_oo : NULL;
    default: return order == g->zero ? g->oo : NULL;
    }
}

// ---- counting ----

static cc_xp binomial(cc_alg *g, cc_xp n, cc_xp k) {
    if (k == g->zero) return g->one;
    if (k == g->one) return n;
    slong m, p;
    if (n == k && !(cc_x_is_num(n) && cc_x_num_sign(n) < 0)) return g->one;
    if (!cc_x_is_int(k)) return NULL;
    if (cc_x_num_sign(k) < 0) return is_true(g, n, CC_IS_INTEGER) && is_true(g, n, CC_IS_NONNEGATIVE) ? g->zero : NULL;
    if (!cc_x_is_num(n)) return NULL;
    if (cc_x_is_int(n) && cc_x_num_sign(n) >= 0) {
        if (fmpq_cmp(k->num, n->num) > 0) return g->zero;
        cc_xp other = cc_x_sub(g, n, k);
        if (fmpq_cmp(other->num, k->num) < 0) k = other;
    }
    if (!cc_x_fits_si(k, &p) || p > MAX_FACTORIAL) return cc_x_too_large(g, "a binomial coefficient");
    if (cc_x_fits_si(n, &m) && m >= 0) {
        if ((double)p * log2((double)m + 1) > (double)CC_X_MAX_BITS) return cc_x_too_large(g, "a binomial coefficient");
        fmpz_t b;
        fmpz_init(b);
        fmpz_bin_uiui(b, (ulong)m, (ulong)p);
        return take(g, b);
    }
    if (p > 2000) return cc_x_too_large(g, "a binomial coefficient");
    return cc_x_div(g, cc_x_f2(g, CC_F_FALLING, n, k), factorial(g, k));
}

// x*(x + step)*… of k factors.
static cc_xp run_of_factors(cc_alg *g, cc_xp x, cc_xp count, slong step) {
    slong k;
    if (count == g->zero) return g->one;
    if (count == g->one) return x;
    if (!cc_x_fits_si(count, &k) || k < 0 || k > (cc_x_is_num(x) ? MAX_FACTORIAL / 10 : MAX_EXPANDED)) return NULL;
    cc_xp *f = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)k);
    for (slong i = 0; i < k; i++) f[i] = cc_x_add(g, x, cc_x_int(g, step * i));
    return cc_x_muln(g, f, (size_t)k);
}

static cc_xp fibonacci(cc_alg *g, cc_xp a, bool lucas) {
    slong n;
    if (a == g->oo) return a;
    if (!cc_x_is_int(a)) return NULL;
    if (!cc_x_fits_si(a, &n) || n > CC_X_MAX_BITS || n < -CC_X_MAX_BITS) return cc_x_too_large(g, "a Fibonacci number");
    ulong k = (ulong)(n < 0 ? -n : n);
    mpz_t z;
    mpz_init(z);
    if (lucas)
        mpz_lucnum_ui(z, k);
    else
        mpz_fib_ui(z, k);
    if (n < 0 && (k % 2 == 0) != lucas) mpz_neg(z, z); // F(-k) = (-1)**(k + 1)*F(k), L(-k) = (-1)**k*L(k)
    fmpz_t f;
    fmpz_init(f);
    fmpz_set_mpz(f, z);
    mpz_clear(z);
    return take(g, f);
}

static cc_xp harmonic(cc_alg *g, cc_xp n, cc_xp m) {
    slong k, p = 1;
    if (m == g->one) return cc_x_f1(g, CC_F_HARMONIC, n);
    if (n == g->oo) return !m ? n : cc_x_sign(g, cc_x_sub(g, m, g->one)) == 1 ? cc_x_f1(g, CC_F_ZETA, m) : NULL;
    if (n == g->zero) return n;
    if (!cc_x_is_int(n) || (m && (!cc_x_fits_si(m, &p) || p < 1))) return NULL;
    if (cc_x_num_sign(n) < 0) return g->zoo;
    if (!cc_x_fits_si(n, &k)) return NULL;
    return k > MAX_HARMONIC ? NULL : harmonic_number(g, (ulong)k, (ulong)p);
}

// elliptic_f(phi, m), elliptic_e(phi, m), elliptic_pi(n, phi, m): odd in phi, complete at multiples of pi/2.
static cc_xp incomplete_elliptic(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    const size_t place = n == 3;
    cc_xp phi = args[place], m = args[n - 1];
    if (phi == g->zero) return phi;
    if (n == 3 && args[0] == g->zero) return cc_x_f2(g, CC_F_ELLIPTIC_F, phi, m);
    if (cc_x_takes_minus(phi)) {
        cc_xp plus[3] = {args[0], args[1], m};
        plus[place] = cc_x_neg(g, phi);
        return cc_x_neg(g, cc_x_fun(g, fn, plus, n));
    }
    if (n == 2 && cc_x_is_num(m) && cc_x_is_constant(phi) && fmpq_cmp_si(m->num, 1) > 0) { // the root is zero there: by the modulus 1/m
        cc_xp sine = cc_x_f1(g, CC_F_SIN, phi), root = cc_x_sqrt(g, m), k = cc_x_pow(g, m, g->minus_one),
              K = cc_x_f1(g, CC_F_ELLIPTIC_K, k);
        if (cc_x_mul(g, sine, root) == g->one && cc_x_sign(g, phi) == 1 &&
            cc_x_sign(g, cc_x_sub(g, cc_x_mul(g, g->half, g->pi), phi)) == 1) {
            if (fn == CC_F_ELLIPTIC_F) return cc_x_div(g, K, root);
            return cc_x_mul(g, root, cc_x_sub(g, cc_x_f1(g, CC_F_ELLIPTIC_E, k), cc_x_mul(g, cc_x_sub(g, g->one, k), K)));
        }
    }
    slong k;
    if (!cc_x_is_constant(phi) || m == g->one || args[0] == g->one || !cc_x_fits_si(cc_x_div(g, cc_x_mul(g, g->two, phi), g->pi), &k))
        return NULL;
    cc_xp whole = n == 3 ? cc_x_f2(g, fn, args[0], m) : cc_x_f1(g, fn == CC_F_ELLIPTIC_F ? CC_F_ELLIPTIC_K : CC_F_ELLIPTIC_E, m);
    return cc_x_mul(g, cc_x_int(g, k), whole);
}

// expint(-k, z) = k!*exp(-z)/z**(k + 1)*(the sum of z**j/j!, j <= k).
static cc_xp elementary_expint(cc_alg *g, slong k, cc_xp z) {
    cc_xp sum = g->zero, c = g->one; // c = k!/j!
    for (slong j = k; j >= 0; j--) {
        sum = cc_x_add(g, sum, cc_x_mul(g, c, cc_x_powi(g, z, j - k - 1)));
        c = cc_x_mul(g, c, cc_x_int(g, j));
    }
    return cc_x_mul(g, sum, cc_x_exp(g, cc_x_neg(g, z)));
}

cc_xp cc_x_known_special(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    cc_xp a = args[0], b = n > 1 ? args[1] : NULL, x;
    slong k;
    switch (fn) {
    case CC_F_GAMMA: return gamma_of(g, a);
    case CC_F_LOGGAMMA: return log_gamma(g, a);
    case CC_F_DIGAMMA: return poly_gamma(g, 0, a);
    case CC_F_POLYGAMMA:
        if (a == g->zero) return cc_x_f1(g, CC_F_DIGAMMA, b);
        return cc_x_fits_si(a, &k) && k > 0 ? poly_gamma(g, k, b) : NULL;
    case CC_F_UPPERGAMMA: return incomplete_gamma(g, true, a, b);
    case CC_F_LOWERGAMMA: return incomplete_gamma(g, false, a, b);
    case CC_F_BETA: return beta(g, a, b);
    case CC_F_ZETA: return zeta(g, a, b);
    case CC_F_POLYLOG: return polylog(g, a, b);
    case CC_F_ERF:
    case CC_F_ERFI:
        if ((x = by_value(g, fn, a))) return x;
        return (x = without_i(g, a)) ? cc_x_mul(g, g->i, cc_x_f1(g, fn == CC_F_ERF ? CC_F_ERFI : CC_F_ERF, x)) : NULL;
    case CC_F_ERFC:
        if ((x = by_value(g, fn, a))) return x;
        return cc_x_takes_minus(a) ? cc_x_sub(g, g->two, cc_x_f1(g, fn, cc_x_neg(g, a))) : NULL;
    case CC_F_LI: return a == g->one ? g->neg_oo : by_value(g, fn, a);
    case CC_F_EXPINT:
        if (a == g->zero) return cc_x_div(g, cc_x_exp(g, cc_x_neg(g, b)), b);
        if (b == g->oo) return g->zero;
        if (cc_x_fits_si(a, &k) && k < 0 && k >= -MAX_ELEMENTARY) return elementary_expint(g, -k, b);
        return b == g->zero && cc_x_sign(g, cc_x_sub(g, a, g->one)) == 1 ? cc_x_div(g, g->one, cc_x_sub(g, a, g->one)) : NULL;
    case CC_F_LAMBERTW: return (x = b ? NULL : by_value(g, fn, a)) ? x : lambert(g, a, b);
    case CC_F_BESSELJ:
    case CC_F_BESSELY:
    case CC_F_BESSELI:
    case CC_F_BESSELK: return bessel(g, fn, a, b);
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_AIRYAIPRIME:
    case CC_F_AIRYBIPRIME: return a == g->zero ? airy_at_zero(g, fn) : by_value(g, fn, a);
    case CC_F_ELLIPTIC_K: return a == g->one ? g->zoo : by_value(g, fn, a);
    case CC_F_ELLIPTIC_E:
        if (!b) return a == g->one ? a : by_value(g, fn, a);
        return b == g->zero ? a : incomplete_elliptic(g, fn, args, n);
    case CC_F_ELLIPTIC_F: return b == g->zero ? a : incomplete_elliptic(g, fn, args, n);
    case CC_F_ELLIPTIC_PI:
        if (n == 3) return incomplete_elliptic(g, fn, args, n);
        if (a == g->zero) return cc_x_f1(g, CC_F_ELLIPTIC_K, b);
        return a == g->one ? g->zoo : NULL;
    case CC_F_HYPER: return args[2] == g->zero ? g->one : NULL;
    case CC_F_BINOMIAL: return binomial(g, a, b);
    case CC_F_FACTORIAL: return factorial(g, a);
    case CC_F_FACTORIAL2: return cc_x_fits_si(a, &k) && k >= -1 ? double_factorial(g, k) : a == g->oo ? a : NULL;
    case CC_F_RISING: return run_of_factors(g, a, b, 1);
    case CC_F_FALLING: return run_of_factors(g, a, b, -1);
    case CC_F_FIBONACCI: return fibonacci(g, a, false);
    case CC_F_LUCAS: return fibonacci(g, a, true);
    case CC_F_BERNOULLI: return cc_x_fits_si(a, &k) && k >= 0 ? bernoulli(g, k) : NULL;
    case CC_F_EULER: {
        if (!cc_x_fits_si(a, &k) || k < 0) return NULL;
        if (k > MAX_INDEX / 4) return cc_x_too_large(g, "an Euler number");
        fmpz_t e;
        fmpz_init(e);
        arith_euler_number(e, (ulong)k);
        return take(g, e);
    }
    case CC_F_HARMONIC: return harmonic(g, a, b);
    case CC_F_CATALAN: // binomial(2*n, n)/(n + 1)
        if (!cc_x_is_int(a) || cc_x_num_sign(a) < 0) return NULL;
        return cc_x_div(g, cc_x_f2(g, CC_F_BINOMIAL, cc_x_mul(g, g->two, a), a), cc_x_add(g, a, g->one));
    default: return by_value(g, fn, a);
    }
}
