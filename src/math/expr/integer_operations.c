// Operations on integers inside expressions: primes, factorizations, divisors, gcd and lcm (also of polynomials in one symbol). Called
// through the table of operations.c. Sizes are limited before computing where a computation cannot be stopped half-way.
#include "math/expr/operations.h"
#include "math/factor_integer.h"
#include "math/primality.h"
#include "math/prime_count.h"

#include <flint/fmpz_vec.h>
#include <flint/ulong_extras.h>

enum {
    MAX_NEIGHBOUR_BITS = 1024, // always proven prime
    MAX_DIVISORS = 2000,
};

// The integer argument in place i; NULL with an error that shows the usage.
static const fmpz *integer(cc_alg *g, const cc_xp *a, size_t n, size_t i, const char *usage) {
    if (i < n && cc_x_is_int(a[i])) return fmpq_numref(a[i]->num);
    cc_operation_wrong(g, usage);
    return NULL;
}

static cc_xp too_long(cc_alg *g, const char *what) {
    if (!g->err->code) cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "%s", what);
    return NULL;
}

// 1, 0, or -1 with an error.
static int is_prime(cc_alg *g, const fmpz *n) {
    if (fmpz_bits(n) > CC_PRIMALITY_MAX_BITS) return too_long(g, "isprime() tests numbers of at most 60000 digits"), -1;
    cc_primality p = cc_is_prime(n);
    if (p == CC_PRIME_UNPROVEN) return too_long(g, "the number passes the Baillie-PSW test, but it is too long to prove prime"), -1;
    return p == CC_PRIME;
}

cc_xp cc_op_isprime(cc_alg *g, const cc_xp *a, size_t n) {
    const fmpz *k = integer(g, a, n == 1 ? 1 : 0, 0, "isprime(n) of an integer");
    int p = k ? is_prime(g, k) : -1;
    return p < 0 ? NULL : p ? g->yes : g->no;
}

static cc_xp neighbour(cc_alg *g, const fmpz *from, int step) {
    if (fmpz_bits(from) > MAX_NEIGHBOUR_BITS) return too_long(g, "nextprime() and prevprime() take numbers of at most 1024 bits");
    if (step < 0 && fmpz_cmp_ui(from, 3) < 0) return cc_operation_wrong(g, "prevprime(n) with n above 2");
    fmpz_t p;
    fmpz_init_set(p, from);
    if (step > 0 && fmpz_cmp_ui(p, 2) < 0) fmpz_set_ui(p, 1);
    int found;
    do {
        fmpz_add_si(p, p, step);
        found = cc_alg_go_on(g) ? is_prime(g, p) : -1;
    } while (found == 0);
    cc_xp x = found > 0 ? cc_x_fmpz(g, p) : NULL;
    fmpz_clear(p);
    return x;
}

cc_xp cc_op_nextprime(cc_alg *g, const cc_xp *a, size_t n) {
    const fmpz *k = integer(g, a, n == 1 ? 1 : 0, 0, "nextprime(n) of an integer");
    return k ? neighbour(g, k, 1) : NULL;
}

cc_xp cc_op_prevprime(cc_alg *g, const cc_xp *a, size_t n) {
    const fmpz *k = integer(g, a, n == 1 ? 1 : 0, 0, "prevprime(n) of an integer");
    return k ? neighbour(g, k, -1) : NULL;
}

cc_xp cc_op_prime(cc_alg *g, const cc_xp *a, size_t n) {
    const fmpz *k = integer(g, a, n == 1 ? 1 : 0, 0, "prime(n), the n-th prime, of a positive integer");
    if (!k) return NULL;
    if (fmpz_sgn(k) <= 0) return cc_operation_wrong(g, "prime(n), the n-th prime, of a positive integer");
    if (fmpz_cmp_ui(k, CC_NTH_PRIME_MAX) > 0) return too_long(g, "prime() takes n up to 10^12");
    uint64_t p;
    return cc_nth_prime(fmpz_get_ui(k), g->stop, &p) ? cc_x_int(g, (slong)p) : (cc_alg_go_on(g), NULL);
}

cc_xp cc_op_primepi(cc_alg *g, const cc_xp *a, size_t n) {
    const char *usage = "primepi(x) of a real number";
    if (n != 1 || a[0]->kind >= CC_X_REL) return cc_operation_wrong(g, usage);
    cc_xp whole = cc_x_f1(g, CC_F_FLOOR, a[0]);
    if (!whole) return NULL;
    const fmpz *k = integer(g, &whole, 1, 0, usage);
    if (!k) return NULL;
    if (fmpz_sgn(k) <= 0) return g->zero;
    if (fmpz_cmp_ui(k, CC_PRIME_COUNT_MAX) > 0) return too_long(g, "primepi() takes x up to 10^14");
    uint64_t count;
    return cc_prime_count(fmpz_get_ui(k), g->stop, &count) ? cc_x_int(g, (slong)count) : (cc_alg_go_on(g), NULL);
}

// |n| > 0. False with an error when it is too hard.
static bool factor(cc_alg *g, fmpz_factor_t f, const fmpz *n) {
    if (fmpz_bits(n) > 100000) return too_long(g, "the number to factor has more than 30000 digits") != NULL;
    if (cc_factor(f, n, g->stop) != CC_FACTOR_TOO_LONG) return cc_alg_go_on(g);
    return too_long(g, "a factor is left that is too long to factor, or to prove prime") != NULL;
}

static cc_xp power_list(cc_alg *g, const fmpz_factor_t f) {
    size_t m = 0;
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)f->num + 1);
    if (f->sign < 0) items[m++] = cc_x_tuple(g, (const cc_xp[]){g->minus_one, g->one}, 2);
    for (slong i = 0; i < f->num; i++)
        items[m++] = cc_x_tuple(g, (const cc_xp[]){cc_x_fmpz(g, f->p + i), cc_x_int(g, (slong)f->exp[i])}, 2);
    return cc_x_list(g, items, m);
}

static cc_xp divisor_list(cc_alg *g, const fmpz_factor_t f) {
    size_t n = 1;
    for (slong i = 0; i < f->num; i++)
        if ((n *= f->exp[i] + 1) > MAX_DIVISORS) return too_long(g, "divisors() lists at most 2000");
    fmpz *d = _fmpz_vec_init((slong)n);
    size_t have = 1;
    fmpz_one(d);
    for (slong i = 0; i < f->num; i++) {
        size_t old = have;
        for (size_t k = 0; k < old * f->exp[i]; k++, have++) fmpz_mul(d + have, d + have - old, f->p + i);
    }
    _fmpz_vec_sort(d, (slong)n);
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++) items[i] = cc_x_fmpz(g, d + i);
    _fmpz_vec_clear(d, (slong)n);
    return cc_x_list(g, items, n);
}

typedef enum by_factors { FACTORINT, DIVISORS, TOTIENT, MOBIUS } by_factors;

static cc_xp with_factors(cc_alg *g, const cc_xp *a, size_t n, by_factors what, const char *usage) {
    const fmpz *k = integer(g, a, n == 1 ? 1 : 0, 0, usage);
    if (!k) return NULL;
    if (fmpz_is_zero(k) || (what >= TOTIENT && fmpz_sgn(k) < 0)) return cc_operation_wrong(g, usage);
    fmpz_factor_t f;
    fmpz_factor_init(f);
    cc_xp x = NULL;
    if (factor(g, f, k)) {
        if (what == FACTORINT) {
            x = power_list(g, f);
        } else if (what == DIVISORS) {
            x = divisor_list(g, f);
        } else if (what == MOBIUS) {
            x = cc_x_int(g, fmpz_factor_moebius_mu(f));
        } else {
            fmpz_t phi;
            fmpz_init(phi);
            fmpz_factor_euler_phi(phi, f);
            x = cc_x_fmpz(g, phi);
            fmpz_clear(phi);
        }
    }
    fmpz_factor_clear(f);
    return x;
}

cc_xp cc_op_factorint(cc_alg *g, const cc_xp *a, size_t n) {
    return with_factors(g, a, n, FACTORINT, "factorint(n) of an integer other than 0");
}
cc_xp cc_op_divisors(cc_alg *g, const cc_xp *a, size_t n) {
    return with_factors(g, a, n, DIVISORS, "divisors(n) of an integer other than 0");
}
cc_xp cc_op_totient(cc_alg *g, const cc_xp *a, size_t n) { return with_factors(g, a, n, TOTIENT, "totient(n) of a positive integer"); }
cc_xp cc_op_mobius(cc_alg *g, const cc_xp *a, size_t n) { return with_factors(g, a, n, MOBIUS, "mobius(n) of a positive integer"); }

// ---- gcd, lcm ----

static cc_xp of_numbers(cc_alg *g, cc_xp a, cc_xp b, bool lcm) {
    // gcd(p/q, r/s) = gcd(p*s, r*q)/(q*s), and lcm by a*b/gcd, which for integers are the usual ones
    fmpq_t d;
    fmpq_init(d);
    fmpq_gcd(d, a->num, b->num);
    cc_xp x = cc_x_num(g, d);
    if (lcm && !fmpq_is_zero(d)) {
        x = cc_x_div(g, cc_x_mul(g, a, b), x);
        if (cc_x_num_sign(x) < 0) x = cc_x_neg(g, x);
    }
    fmpq_clear(d);
    return x;
}

static cc_xp of_polynomials(cc_alg *g, cc_xp a, cc_xp b, bool lcm) {
    const char *usage = "gcd() and lcm() of numbers, or of polynomials in one symbol with rational coefficients,";
    size_t n;
    const cc_xp *s = cc_x_symbols(g, cc_x_tuple(g, (const cc_xp[]){a, b}, 2), &n);
    if (n != 1) return cc_operation_wrong(g, usage);
    if ((cc_x_is_num(a) && a != g->zero) || (cc_x_is_num(b) && b != g->zero)) // 1 as polynomials; of the integer gcd(k, 6) nothing is known
        return cc_operation_wrong(g,
                                  "two polynomials, or numbers: a number and a symbol have no common divisor that holds for all values,");
    fmpq_poly_t p, q, r;
    fmpq_poly_init(p);
    fmpq_poly_init(q);
    fmpq_poly_init(r);
    cc_xp x = NULL;
    if (cc_x_to_fmpq_poly(g, p, a, s[0]) && cc_x_to_fmpq_poly(g, q, b, s[0])) {
        if (lcm)
            fmpq_poly_lcm(r, p, q);
        else
            fmpq_poly_gcd(r, p, q);
        x = cc_x_from_fmpq_poly(g, r, s[0]);
    } else {
        cc_operation_wrong(g, usage);
    }
    fmpq_poly_clear(p);
    fmpq_poly_clear(q);
    fmpq_poly_clear(r);
    return x;
}

static cc_xp common(cc_alg *g, const cc_xp *a, size_t n, bool lcm) {
    if (n == 1 && cc_x_is_kind(a[0], CC_X_LIST)) {
        n = a[0]->n;
        a = a[0]->args;
    }
    if (n == 0) return cc_operation_wrong(g, lcm ? "lcm(a, b, …)" : "gcd(a, b, …)");
    cc_xp x = a[0];
    for (size_t i = n == 1 ? 0 : 1; i < n && x; i++)
        x = cc_x_is_num(x) && cc_x_is_num(a[i]) ? of_numbers(g, x, a[i], lcm) : of_polynomials(g, x, a[i], lcm);
    return x;
}

cc_xp cc_op_gcd(cc_alg *g, const cc_xp *a, size_t n) { return common(g, a, n, false); }
cc_xp cc_op_lcm(cc_alg *g, const cc_xp *a, size_t n) { return common(g, a, n, true); }
