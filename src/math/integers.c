// Functions of integers for the calculator: factorials, binomials, gcd, modular arithmetic, primes, factorization, divisors.
// Called by functions.c. Each bounds the size of its result before it computes; factoring and proving primes have no useful
// bound, so their arguments are limited and the deadline of the job holds the rest.
#include "math/factor_integer.h"
#include "math/primality.h"
#include "math/prime_count.h"
#include "math/value.h"

#include <flint/arith.h>
#include <flint/ulong_extras.h>
#include <math.h>

enum {
    MAX_DIVISORS = 2000, // listed
};

typedef enum fn {
    F_GCD,
    F_LCM,
    F_FACTORIAL,
    F_FACTORIAL2,
    F_COMB,
    F_PERM,
    F_ISQRT,
    F_IROOT,
    F_POWMOD,
    F_MODINV,
    F_ISPRIME,
    F_NEXTPRIME,
    F_PREVPRIME,
    F_PRIME,
    F_PRIMEPI,
    F_FACTOR,
    F_DIVISORS,
    F_NDIVISORS,
    F_SIGMA,
    F_TOTIENT,
    F_MOBIUS,
    F_FIBONACCI,
    F_LUCAS,
    F_CATALAN,
    F_BITLENGTH,
    F_BITCOUNT,
    F_ISSQUARE,
    F_SUBFACTORIAL,
} fn;

static const struct {
    const char *name;
    fn fn;
    unsigned char min, max; // arguments; 255 = any number
} table[] = {
    {"gcd", F_GCD, 1, 255},
    {"lcm", F_LCM, 1, 255},
    {"factorial", F_FACTORIAL, 1, 1},
    {"factorial2", F_FACTORIAL2, 1, 1},
    {"comb", F_COMB, 2, 2},
    {"binomial", F_COMB, 2, 2},
    {"nCr", F_COMB, 2, 2},
    {"ncr", F_COMB, 2, 2},
    {"choose", F_COMB, 2, 2},
    {"perm", F_PERM, 1, 2},
    {"nPr", F_PERM, 2, 2},
    {"npr", F_PERM, 2, 2},
    {"isqrt", F_ISQRT, 1, 1},
    {"iroot", F_IROOT, 2, 2},
    {"powmod", F_POWMOD, 3, 3},
    {"pow_mod", F_POWMOD, 3, 3},
    {"mod_inverse", F_MODINV, 2, 2},
    {"modinv", F_MODINV, 2, 2},
    {"invmod", F_MODINV, 2, 2},
    {"is_prime", F_ISPRIME, 1, 1},
    {"isprime", F_ISPRIME, 1, 1},
    {"next_prime", F_NEXTPRIME, 1, 1},
    {"nextprime", F_NEXTPRIME, 1, 1},
    {"prev_prime", F_PREVPRIME, 1, 1},
    {"prevprime", F_PREVPRIME, 1, 1},
    {"prime", F_PRIME, 1, 1},
    {"primepi", F_PRIMEPI, 1, 1},
    {"factor", F_FACTOR, 1, 1},
    {"factorint", F_FACTOR, 1, 1},
    {"divisors", F_DIVISORS, 1, 1},
    {"divisor_count", F_NDIVISORS, 1, 1},
    {"num_divisors", F_NDIVISORS, 1, 1},
    {"divisor_sigma", F_SIGMA, 1, 2},
    {"totient", F_TOTIENT, 1, 1},
    {"euler_phi", F_TOTIENT, 1, 1},
    {"mobius", F_MOBIUS, 1, 1},
    {"fibonacci", F_FIBONACCI, 1, 1},
    {"fib", F_FIBONACCI, 1, 1},
    {"lucas", F_LUCAS, 1, 1},
    {"catalan", F_CATALAN, 1, 1},
    {"bit_length", F_BITLENGTH, 1, 1},
    {"bit_count", F_BITCOUNT, 1, 1},
    {"popcount", F_BITCOUNT, 1, 1},
    {"is_square", F_ISSQUARE, 1, 1},
    {"subfactorial", F_SUBFACTORIAL, 1, 1},
};

void cc_calc_nearer(cc_str name, const char *candidate, const char **best, unsigned *distance) {
    // Edits count two, a different first letter one more: sqroot is nearer to sqrt than to iroot.
    unsigned d = 2 * cc_edit_distance(name, cc_str_of(candidate)) + (name.n && name.p[0] != candidate[0]);
    if (d >= *distance) return;
    *distance = d;
    *best = candidate;
}

const char *cc_calc_nearest_integer_function(cc_str name, unsigned *distance) {
    const char *best = NULL;
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) cc_calc_nearer(name, table[i].name, &best, distance);
    return best;
}

static fmpz *num(cc_real *x) { return fmpq_numref(x->q); }

static int domain(cc_calc *c, const cc_node *at, const char *what) {
    return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s %s", at->pos + 1, (int)at->text.n, at->text.p, what);
}

static int too_long(cc_calc *c, const cc_node *at, double bits) {
    return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "column %u: the result would have about %.3g digits; the limit is %.3g", at->pos + 1,
                        bits * 0.30103, (double)CC_MAX_BITS * 0.30103);
}

// bits of n! for n >= 0 (Stirling, from above)
static double factorial_bits(double n) { return n < 2 ? 1 : (n * log2(n / M_E) + 0.5 * log2(6.2832 * n) + 1); }

int cc_calc_factorial(cc_calc *c, const cc_node *at, cc_val *x, unsigned step, cc_val *out) {
    cc_real *n;
    if (cc_val_need_real(c, "a factorial", x)) return -1;
    if (!cc_real_find_rat(&c->r, x->re) || !cc_real_is_int(x->re))
        return cc_error_set(c->err, CC_VALIDATION, "column %u: a factorial needs an integer; for x! of other numbers write gamma(x + 1)",
                            at->pos + 1);
    n = x->re;
    if (fmpz_sgn(num(n)) < 0)
        return cc_error_set(c->err, CC_VALIDATION, "column %u: the factorial of a negative integer is not defined", at->pos + 1);
    double bits = factorial_bits(fmpz_get_d(num(n))) / step;
    if (bits > (double)CC_MAX_BITS) return too_long(c, at, bits);
    fmpz_t res;
    fmpz_init(res);
    if (step == 1)
        fmpz_fac_ui(res, fmpz_get_ui(num(n)));
    else { // n!! = n!/(n-1)!!; directly: for even n = 2k it is 2^k k!, for odd n it is n! / (2^k k!)
        ulong m = fmpz_get_ui(num(n)), k = m / 2;
        fmpz_fac_ui(res, k);
        fmpz_mul_2exp(res, res, k);
        if (m % 2) {
            fmpz_t all;
            fmpz_init(all);
            fmpz_fac_ui(all, m);
            fmpz_divexact(res, all, res);
            fmpz_clear(all);
        }
    }
    int rc = cc_val_real(out, cc_real_fmpz(&c->r, res));
    fmpz_clear(res);
    return rc;
}

// n over k; perm: n!/(n-k)!
static int binomial(cc_calc *c, const cc_node *at, fmpz *n, fmpz *k, bool perm, fmpz_t res) {
    if (fmpz_sgn(n) < 0 || fmpz_sgn(k) < 0) return domain(c, at, "needs integers that are not negative");
    if (fmpz_cmp(k, n) > 0) {
        fmpz_zero(res);
        return 0;
    }
    fmpz_t j;
    fmpz_init(j);
    fmpz_sub(j, n, k);
    if (!perm && fmpz_cmp(j, k) > 0) fmpz_set(j, k); // the larger one
    fmpz_sub(j, n, j);                               // the smaller one: min(k, n-k); for perm: k
    double dn = fmpz_get_d(n), dj = fmpz_get_d(j);
    double bits = dj * ((double)fmpz_bits(n)) - (perm ? 0 : factorial_bits(dj));
    double exact = fmpz_fits_si(n) ? (lgamma(dn + 1) - lgamma(dn - dj + 1) - (perm ? 0 : lgamma(dj + 1))) / M_LN2 : bits;
    int rc = 0;
    if (!fmpz_abs_fits_ui(j) || dj > 50e6 || (fmpz_bits(n) < 50 ? exact : bits) > (double)CC_MAX_BITS) {
        rc = too_long(c, at, fmpz_bits(n) < 50 ? exact : bits);
    } else if (fmpz_fits_si(n) && !perm) {
        fmpz_bin_uiui(res, fmpz_get_ui(n), fmpz_get_ui(j));
    } else {
        fmpz_t low;
        fmpz_init(low);
        fmpz_sub(low, n, j);
        fmpz_add_ui(low, low, 1);
        fmpz_rfac_ui(res, low, fmpz_get_ui(j));
        if (!perm) {
            fmpz_fac_ui(low, fmpz_get_ui(j));
            fmpz_divexact(res, res, low);
        }
        fmpz_clear(low);
    }
    fmpz_clear(j);
    return rc;
}

static int is_prime(cc_calc *c, const cc_node *at, fmpz *n, bool *out) {
    if (fmpz_bits(n) > CC_PRIMALITY_MAX_BITS) return domain(c, at, "tests numbers of at most 60000 digits");
    cc_primality p = cc_is_prime(n);
    *out = p == CC_PRIME;
    if (p != CC_PRIME_UNPROVEN) return 0;
    return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED,
                        "column %u: the number passes the Baillie-PSW test, but with %lu bits it is too long to prove prime", at->pos + 1,
                        fmpz_bits(n));
}

static int near_prime(cc_calc *c, const cc_node *at, fmpz *n, int step, fmpz_t res) {
    if (fmpz_bits(n) > 1024) return domain(c, at, "takes numbers of at most 1024 bits: its result is proven prime");
    if (step < 0 && fmpz_cmp_ui(n, 3) < 0) return domain(c, at, "needs a number above 2");
    if (step > 0 && fmpz_cmp_ui(n, 2) < 0) {
        fmpz_set_ui(res, 2);
        return 0;
    }
    fmpz_set(res, n);
    for (bool prime = false; !prime;) {
        if (step > 0)
            fmpz_add_ui(res, res, 1);
        else
            fmpz_sub_ui(res, res, 1);
        if (cc_reals_poll(&c->r) || is_prime(c, at, res, &prime)) return -1;
    }
    return 0;
}

static int factor(cc_calc *c, const cc_node *at, fmpz *n, fmpz_factor_t f) {
    if (fmpz_is_zero(n)) return domain(c, at, "is not defined for 0");
    if (fmpz_bits(n) > 100000) return domain(c, at, "takes numbers of at most 30000 digits");
    if (cc_factor(f, n, c->r.stop) != CC_FACTOR_TOO_LONG) return cc_reals_poll(&c->r);
    return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED,
                        "column %u: a factor of %zu digits is left after taking out small ones: too long to factor, or to prove prime",
                        at->pos + 1, fmpz_sizeinbase(f->p + f->num - 1, 10));
}

static int list_divisors(cc_calc *c, const cc_node *at, const fmpz_factor_t f, cc_val *out) {
    size_t n = 1;
    for (slong i = 0; i < f->num; i++) {
        n *= f->exp[i] + 1;
        if (n > MAX_DIVISORS) return domain(c, at, "lists at most 2000 divisors; divisor_count gives their number");
    }
    fmpz *d = _fmpz_vec_init((slong)n);
    size_t have = 1;
    fmpz_one(d);
    for (slong i = 0; i < f->num; i++) {
        size_t old = have;
        for (size_t k = 0; k < old * f->exp[i]; k++, have++) fmpz_mul(d + have, d + have - old, f->p + i);
    }
    _fmpz_vec_sort(d, (slong)n);
    *out = (cc_val){.kind = CC_V_LIST, .n = n, .items = CC_ARENA_ARRAY(c->arena, cc_val, n)};
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) rc = cc_val_real(&out->items[i], cc_real_fmpz(&c->r, d + i));
    _fmpz_vec_clear(d, (slong)n);
    return rc;
}

static int with_factors(cc_calc *c, const cc_node *at, fn f, fmpz *n, fmpz *k, cc_val *out) {
    if (f != F_FACTOR && fmpz_sgn(n) <= 0) return domain(c, at, "needs a positive integer");
    fmpz_factor_t fac;
    fmpz_t res, t;
    fmpz_factor_init(fac);
    fmpz_init_set_ui(res, 1);
    fmpz_init(t);
    int rc = factor(c, at, n, fac);
    if (!rc && f == F_FACTOR) {
        size_t m = (size_t)fac->num + (fac->sign < 0);
        *out = (cc_val){.kind = CC_V_FACTORS, .n = m, .items = CC_ARENA_ARRAY(c->arena, cc_val, m ? m : 1)};
        for (size_t i = 0; i < m && !rc; i++) {
            slong j = (slong)i - (fac->sign < 0);
            cc_real *p = j < 0 ? cc_real_si(&c->r, -1) : cc_real_fmpz(&c->r, fac->p + j);
            rc = cc_val_pair(c, &out->items[i], p, cc_real_si(&c->r, j < 0 ? 1 : (slong)fac->exp[j]));
        }
    } else if (!rc && f == F_DIVISORS) {
        rc = list_divisors(c, at, fac, out);
    } else if (!rc) {
        if (f == F_NDIVISORS)
            for (slong i = 0; i < fac->num; i++) fmpz_mul_ui(res, res, fac->exp[i] + 1);
        else if (f == F_TOTIENT)
            fmpz_factor_euler_phi(res, fac);
        else if (f == F_MOBIUS)
            fmpz_set_si(res, fmpz_factor_moebius_mu(fac));
        else if (fmpz_sgn(k) < 0 || fmpz_cmp_ui(k, 10000) > 0)
            rc = domain(c, at, "needs an exponent from 0 to 10000");
        else
            fmpz_factor_divisor_sigma(res, fmpz_get_ui(k), fac);
        if (!rc) rc = cc_val_real(out, cc_real_fmpz(&c->r, res));
    }
    fmpz_factor_clear(fac);
    fmpz_clear(res);
    fmpz_clear(t);
    return rc;
}

// Fibonacci and Lucas numbers of any sign: F(-n) = (-1)^(n+1) F(n), L(-n) = (-1)^n L(n); L(n) = 2 F(n+1) - F(n).
static int fibonacci(cc_calc *c, const cc_node *at, fmpz *n, bool lucas, fmpz_t res) {
    if (fmpz_cmpabs(n, (fmpz[]){40000000}) > 0) return too_long(c, at, fabs(fmpz_get_d(n)) * 0.6943);
    ulong m = fmpz_get_ui(n);
    if (fmpz_sgn(n) < 0) m = (ulong)-fmpz_get_si(n);
    fmpz_fib_ui(res, m);
    if (lucas) {
        fmpz_t next;
        fmpz_init(next);
        fmpz_fib_ui(next, m + 1);
        fmpz_mul_2exp(next, next, 1);
        fmpz_sub(res, next, res);
        fmpz_clear(next);
    }
    if (fmpz_sgn(n) < 0 && (m % 2 == 0) != lucas) fmpz_neg(res, res);
    return 0;
}

static int subfactorial(cc_calc *c, const cc_node *at, fmpz *n, fmpz_t res) {
    if (fmpz_sgn(n) < 0 || fmpz_cmp_ui(n, 20000) > 0) return domain(c, at, "takes integers from 0 to 20000");
    fmpz_one(res);
    ulong m = fmpz_get_ui(n);
    for (ulong i = 1; i <= m; i++) { // D(i) = i D(i-1) + (-1)^i
        fmpz_mul_ui(res, res, i);
        if (i % 2)
            fmpz_sub_ui(res, res, 1);
        else
            fmpz_add_ui(res, res, 1);
    }
    return 0;
}

static int powmod(cc_calc *c, const cc_node *at, fmpz *a, fmpz *e, fmpz *m, fmpz_t res) {
    if (fmpz_sgn(m) == 0) return domain(c, at, "has the modulus 0");
    fmpz_t b, mod;
    fmpz_init(b);
    fmpz_init(mod);
    fmpz_abs(mod, m);
    fmpz_mod(b, a, mod);
    int rc = 0;
    if (fmpz_sgn(e) < 0 && !fmpz_invmod(b, b, mod))
        rc = domain(c, at, "has no result: the base is not invertible for this modulus");
    else {
        fmpz_abs(res, e);
        fmpz_powm(res, b, res, mod);
        if (fmpz_sgn(m) < 0 && !fmpz_is_zero(res)) fmpz_add(res, res, m); // the sign of the modulus, as % has it
    }
    fmpz_clear(b);
    fmpz_clear(mod);
    return rc;
}

static int gcd_lcm(cc_calc *c, const cc_node *at, fn f, cc_real **x, size_t n, fmpz_t res) {
    fmpz_abs(res, num(x[0]));
    for (size_t i = 1; i < n; i++) {
        if (f == F_GCD) {
            fmpz_gcd(res, res, num(x[i]));
            continue;
        }
        if ((double)fmpz_bits(res) + (double)fmpz_bits(num(x[i])) > (double)CC_MAX_BITS) return too_long(c, at, (double)fmpz_bits(res) * 2);
        fmpz_lcm(res, res, num(x[i]));
    }
    return 0;
}

static int integer_root(cc_calc *c, const cc_node *at, fmpz *x, fmpz *n, fmpz_t res) {
    if (fmpz_sgn(n) <= 0 || fmpz_cmp_ui(n, 1000000) > 0) return domain(c, at, "needs a root index from 1 to 1000000");
    if (fmpz_sgn(x) < 0 && fmpz_is_even(n)) return domain(c, at, "has no real value: an even root of a negative number");
    bool exact = fmpz_root(res, x, fmpz_get_si(n));
    if (fmpz_sgn(x) < 0 && !exact) fmpz_sub_ui(res, res, 1); // fmpz_root truncates; the floor is one lower
    return 0;
}

int cc_calc_call_integer(cc_calc *c, const cc_node *at, cc_val *args, size_t n, cc_val *out, bool *found) {
    size_t i = 0;
    while (i < CC_ARRAY_LEN(table) && !cc_str_eqz(at->text, table[i].name)) i++;
    *found = i < CC_ARRAY_LEN(table);
    if (!*found) return 0;
    fn f = table[i].fn;
    if (cc_calc_arity(c, at, n, table[i].min, table[i].max == 255 ? 0 : table[i].max)) return -1;
    if (f == F_FACTORIAL || f == F_FACTORIAL2) return cc_calc_factorial(c, at, &args[0], f == F_FACTORIAL ? 1 : 2, out);
    cc_real **x = CC_ARENA_ARRAY(c->arena, cc_real *, n);
    for (size_t k = 0; k < n; k++)
        if (cc_val_integer(c, at, table[i].name, &args[k], &x[k])) return -1;
    fmpz *a = num(x[0]), *b = n > 1 ? num(x[1]) : NULL;
    fmpz_t res;
    fmpz_init(res);
    int rc = 0;
    bool truth = false, is_truth = false, done = false;
    switch (f) {
    case F_GCD:
    case F_LCM: rc = gcd_lcm(c, at, f, x, n, res); break;
    case F_COMB: rc = binomial(c, at, a, b, false, res); break;
    case F_PERM: rc = binomial(c, at, a, b ? b : a, true, res); break;
    case F_ISQRT:
        if (fmpz_sgn(a) < 0)
            rc = domain(c, at, "needs an integer that is not negative");
        else
            fmpz_sqrt(res, a);
        break;
    case F_IROOT: rc = integer_root(c, at, a, b, res); break;
    case F_POWMOD: rc = powmod(c, at, a, b, num(x[2]), res); break;
    case F_MODINV:
        fmpz_set_si(res, -1);
        rc = powmod(c, at, a, (fmpz[]){-1}, b, res);
        break;
    case F_ISPRIME:
        is_truth = true;
        rc = is_prime(c, at, a, &truth);
        break;
    case F_NEXTPRIME: rc = near_prime(c, at, a, 1, res); break;
    case F_PREVPRIME: rc = near_prime(c, at, a, -1, res); break;
    case F_PRIME: {
        uint64_t p;
        if (fmpz_sgn(a) <= 0 || fmpz_cmp_ui(a, CC_NTH_PRIME_MAX) > 0)
            rc = domain(c, at, "takes indices from 1 to 10^12");
        else if (cc_nth_prime(fmpz_get_ui(a), c->r.stop, &p))
            fmpz_set_ui(res, p);
        else
            rc = cc_reals_poll(&c->r);
        break;
    }
    case F_PRIMEPI: {
        uint64_t count;
        if (fmpz_cmp_ui(a, CC_PRIME_COUNT_MAX) > 0)
            rc = domain(c, at, "takes numbers up to 10^14");
        else if (cc_prime_count(fmpz_sgn(a) > 0 ? fmpz_get_ui(a) : 0, c->r.stop, &count))
            fmpz_set_ui(res, count);
        else
            rc = cc_reals_poll(&c->r);
        break;
    }
    case F_FACTOR:
    case F_DIVISORS:
    case F_NDIVISORS:
    case F_SIGMA:
    case F_TOTIENT:
    case F_MOBIUS:
        fmpz_one(res);
        rc = with_factors(c, at, f, a, b ? b : res, out);
        done = true;
        break;
    case F_FIBONACCI:
    case F_LUCAS: rc = fibonacci(c, at, a, f == F_LUCAS, res); break;
    case F_CATALAN: // C(2n, n) / (n + 1)
        if (fmpz_sgn(a) < 0 || fmpz_bits(a) > 40) {
            rc = domain(c, at, "needs an integer from 0 up to where the result fits");
        } else {
            fmpz_t twice;
            fmpz_init(twice);
            fmpz_mul_2exp(twice, a, 1);
            rc = binomial(c, at, twice, a, false, res);
            fmpz_add_ui(twice, a, 1);
            if (!rc) fmpz_divexact(res, res, twice);
            fmpz_clear(twice);
        }
        break;
    case F_BITLENGTH: fmpz_set_ui(res, fmpz_bits(a)); break;
    case F_BITCOUNT:
        fmpz_abs(res, a);
        fmpz_set_ui(res, fmpz_popcnt(res));
        break;
    case F_ISSQUARE:
        is_truth = true;
        truth = fmpz_is_square(a);
        break;
    case F_SUBFACTORIAL: rc = subfactorial(c, at, a, res); break;
    case F_FACTORIAL:
    case F_FACTORIAL2: break; // above
    }
    if (!rc && is_truth)
        *out = (cc_val){.kind = CC_V_TRUTH, .truth = truth ? CC_TRUE : CC_FALSE};
    else if (!rc && !done)
        rc = cc_val_real(out, cc_real_fmpz(&c->r, res));
    fmpz_clear(res);
    return rc;
}
