// The self-initializing quadratic sieve: multiplier, factor base, polynomials, and the loop around them (cc_sieve_split, called by
// factor_integer.c). It follows S. Contini, "Factoring integers with the self-initializing quadratic sieve" (1997), and R. Silverman,
// "The multiple polynomial quadratic sieve", Math. Comp. 48 (1987). With kn = 1 (mod 4) the polynomials are a*x^2 + b*x + c of
// discriminant kn, so that (2*a*x + b)^2 = 4*a*(a*x^2 + b*x + c) (mod n) and the values sieved are half as large as with a*x^2 + 2*b*x + c.
// Owns all memory of one factorization. No files, no threads, no global state; its random choices are the same each time.
#include "math/sieve.h"

#include <assert.h>
#include <flint/ulong_extras.h>
#include <math.h>
#include <stdlib.h>

// ---- sizes, by measurement ----

typedef struct sizes {
    double bits;  // of kn
    double base;  // primes
    double half;  // the interval sieved, in units of 1024 to each side
    double large; // the large prime's limit as a multiple of the last prime
    double slack; // bits that a candidate may lack beside the large prime's and the average of the primes not sieved with
    double first; // the first prime that is sieved with
    double error; // bits that a candidate may still lack when those primes are known
} sizes;

static const sizes table[] = {
    {64, 42, 4, 20, 2, 25, 2},      {80, 90, 4, 20, 2, 30, 2},      {96, 165, 6, 27, 2, 45, 2},       {112, 310, 8, 30, 2.5, 50, 2},
    {131, 640, 16, 80, 2, 60, 2},   {145, 1200, 16, 80, 2, 80, 2},  {160, 2000, 16, 150, 3.5, 80, 2}, {176, 3300, 32, 200, 4, 80, 2},
    {190, 5000, 32, 200, 4, 80, 2}, {216, 9500, 48, 200, 4, 80, 2},
};

static sizes choose_sizes(double bits) {
    const size_t n = CC_ARRAY_LEN(table);
    if (bits <= table[0].bits) return table[0];
    for (size_t i = 1; i < n; i++) {
        if (bits > table[i].bits) continue;
        const sizes *l = &table[i - 1], *h = &table[i];
        double t = (bits - l->bits) / (h->bits - l->bits);
        return (sizes){bits,
                       l->base * pow(h->base / l->base, t),
                       l->half * pow(h->half / l->half, t),
                       l->large + t * (h->large - l->large),
                       l->slack + t * (h->slack - l->slack),
                       l->first + t * (h->first - l->first),
                       l->error + t * (h->error - l->error)};
    }
    return table[n - 1];
}

// The multiplier k with the most small primes in the base of kn, for its size (Knuth and Schroeppel); k*n = 1 (mod 4).
static uint32_t choose_multiplier(const fmpz_t n) {
    enum { PRIMES = 50, MAX = 100 };
    const ulong *primes = n_primes_arr_readonly(PRIMES);
    uint32_t residue[PRIMES];
    for (size_t i = 1; i < PRIMES; i++) residue[i] = (uint32_t)fmpz_fdiv_ui(n, primes[i]);
    ulong n8 = fmpz_fdiv_ui(n, 8);
    double best_score = -1;
    uint32_t best = 1;
    for (uint32_t k = 1; k < MAX; k += 2) {
        if (k * n8 % 4 != 1 || k % 9 == 0 || k % 25 == 0 || k % 49 == 0 || k % 121 == 0) continue;
        double score = (k * n8 % 8 == 1 ? 2 : 0) * M_LN2 - 0.5 * log(k);
        for (size_t i = 1; i < PRIMES; i++) {
            double p = (double)primes[i];
            if (k % primes[i] == 0)
                score += log(p) / p;
            else if (n_jacobi_unsigned(residue[i] * k % primes[i], primes[i]) == 1)
                score += 2 * log(p) / (p - 1);
        }
        if (score > best_score) best_score = score, best = k;
    }
    return best;
}

static void *array(const cc_sieve *s, size_t size) {
    void *p = cc_malloc(s->padded * size + 16); // 16 for nothing else than that no array is empty
    memset(p, 0, s->padded * size + 16);
    return p;
}

static void init_base(cc_sieve *s, const sizes *z) {
    s->n_base = (uint32_t)z->base;
    s->padded = (s->n_base + CC_SIEVE_LANES) / CC_SIEVE_LANES * CC_SIEVE_LANES;
    s->prime = array(s, sizeof *s->prime);
    s->square_root = array(s, sizeof *s->square_root);
    s->log = array(s, sizeof *s->log);
    s->inverse = array(s, sizeof *s->inverse);
    s->multiples = array(s, sizeof *s->multiples);
    s->inverse64 = array(s, sizeof *s->inverse64);
    s->limit64 = array(s, sizeof *s->limit64);
    s->hits = array(s, sizeof *s->hits);
    s->next1 = array(s, sizeof *s->next1);
    s->next2 = array(s, sizeof *s->next2);
    s->far1 = array(s, sizeof *s->far1);
    s->far2 = array(s, sizeof *s->far2);
    s->root1 = array(s, sizeof *s->root1);
    s->root2 = array(s, sizeof *s->root2);
    for (size_t v = 0; v < CC_SIEVE_MAX_A; v++) s->delta[v] = array(s, sizeof *s->delta[v]);
    s->prime[0] = 2;
    n_primes_t iterator;
    n_primes_init(iterator);
    n_primes_next(iterator);
    for (uint32_t i = 1; i < s->n_base;) {
        ulong p = n_primes_next(iterator), r = fmpz_fdiv_ui(s->kn, p);
        if (r && n_jacobi_unsigned(r, p) != 1) continue;
        s->prime[i] = (uint32_t)p;
        s->square_root[i] = (uint32_t)n_sqrtmod(r, p);
        i++;
    }
    n_primes_clear(iterator);
    for (uint32_t i = 1; i < s->n_base; i++) {
        uint64_t p = s->prime[i], inverse = p; // p*p = 1 (mod 8): three bits are right, and each step doubles them
        for (int k = 0; k < 5; k++) inverse *= 2 - p * inverse;
        s->inverse64[i] = inverse;
        s->limit64[i] = UINT64_MAX / p;
        if (p >= CC_SIEVE_BLOCK) continue;
        s->inverse[i] = (uint16_t)inverse;
        s->multiples[i] = (uint16_t)(65535 / p);
        s->n_medium = i + 1;
    }
    while (s->first < s->n_medium && s->prime[s->first] < z->first) s->first++;
}

// Block, threshold and logarithms: a scale is chosen that uses the whole byte.
static void init_interval(cc_sieve *s, const sizes *z) {
    s->half = (uint32_t)z->half * 1024;
    s->block = CC_SIEVE_BLOCK;
    if (2 * s->half < s->block)
        s->block = 2 * s->half;
    else
        s->half = (s->half + s->block / 2 - 1) / (s->block / 2) * (s->block / 2);
    s->bytes = cc_malloc(2 * CC_SIEVE_BLOCK + 64);
    double last = s->prime[s->n_base - 1], bits = fmpz_dlog(s->kn) / M_LN2;
    s->large_limit = (uint32_t)(last * z->large);
    double value = log2(s->half) + bits / 2 - 1.5;         // of the values at 0 and at the ends
    double unsieved = fmpz_fdiv_ui(s->kn, 8) == 1 ? 2 : 0; // bits that the primes not sieved with divide out on average
    for (uint32_t i = 1; i < s->first; i++) {
        double p = s->prime[i];
        unsieved += s->square_root[i] ? 2 * log2(p) / (p - 1) : log2(p) / p;
    }
    s->scale = 100 / (value - log2(s->large_limit) - unsieved - z->slack);
    s->start = 128 - 100;
    s->allowed = log2(s->large_limit) + z->error;
    for (uint32_t i = 1; i < s->n_base; i++) {
        bool once = s->square_root[i] == 0; // it divides the multiplier: both roots are the same
        s->log[i] = (uint8_t)lrint(log2(s->prime[i]) * s->scale / (once ? 2 : 1));
        if (i < s->n_medium) s->hits[i] = (uint16_t)((s->block - 1) / s->prime[i]);
    }
    s->log2_a = bits / 2 - 0.5 - log2(s->half);
}

// ---- polynomials ----

#define IDEAL_A 9.5 // bits of a prime in a leading coefficient

static uint32_t random_below(cc_sieve *s, uint32_t n) { // a generator of G. Marsaglia (xorshift)
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)((s->random >> 32) * n >> 32);
}

static bool has(const uint32_t *list, size_t n, uint32_t x) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == x) return true;
    return false;
}

// The index of the member of the base whose logarithm is nearest, at least 1.
static uint32_t nearest(const cc_sieve *s, double log2_p) {
    uint32_t lo = 1, hi = s->n_base - 1;
    double p = exp2(log2_p);
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->prime[mid] < p)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// Chooses the prime factors of a leading coefficient that was not used before and is near the ideal one: all but one by chance
// around the root, the last one to fit. False when none is found.
static bool choose_a(cc_sieve *s) {
    // as many factors as keep them near this size: small ones are missed in the sieve, large ones are changed too rarely
    double ideal = fmin(IDEAL_A, log2(s->prime[s->n_base - 1]) - 1.2);
    s->n_a = (uint32_t)fmax(2, round(s->log2_a / ideal));
    double each = s->log2_a / s->n_a;
    uint32_t middle = nearest(s, each), low, high;
    uint32_t width = middle / 2 < 12 ? 12 : middle / 2;
    low = middle > width + 2 ? middle - width : 2;
    high = middle + width < s->n_base ? middle + width : s->n_base;
    double best = 1e9;
    cc_u128 best_a = 0;
    uint32_t found[CC_SIEVE_MAX_A];
    for (int tries = 0; tries < 400 && (tries < 30 || best > 0.5); tries++) {
        double rest = s->log2_a;
        cc_u128 a = 1;
        uint32_t n = 0;
        while (n + 1 < s->n_a) {
            uint32_t i = low + random_below(s, high - low);
            if (has(found, n, i) || !s->square_root[i]) continue;
            found[n++] = i;
            rest -= log2(s->prime[i]);
            a *= s->prime[i];
        }
        uint32_t last = nearest(s, rest);
        while (last < s->n_base && (has(found, n, last) || !s->square_root[last])) last++;
        if (last == s->n_base || last < 2) continue;
        found[n] = last;
        a *= s->prime[last];
        double off = fabs(rest - log2(s->prime[last]));
        if (off >= best) continue;
        bool used = false;
        for (size_t i = 0; i < s->n_used_a && !used; i++) used = s->used_a[i] == (uint64_t)a;
        if (used) continue;
        best = off;
        best_a = a;
        memcpy(s->a_index, found, sizeof found);
    }
    if (best > 3) return false;
    if (s->n_used_a == s->used_a_cap) {
        s->used_a_cap = s->used_a_cap ? 2 * s->used_a_cap : 64;
        s->used_a = cc_realloc(s->used_a, s->used_a_cap * sizeof *s->used_a);
    }
    s->used_a[s->n_used_a++] = (uint64_t)best_a;
    s->a = (cc_i128)best_a;
    return true;
}

static void to_fmpz(fmpz_t x, cc_i128 v) {
    cc_u128 u = v < 0 ? -(cc_u128)v : (cc_u128)v;
    fmpz_set_uiui(x, (ulong)(u >> 64), (ulong)u);
    if (v < 0) fmpz_neg(x, x);
}

static cc_i128 from_fmpz(const fmpz_t x) {
    ulong hi, lo;
    fmpz_t t;
    fmpz_init(t);
    fmpz_abs(t, x);
    fmpz_get_uiui(&hi, &lo, t);
    fmpz_clear(t);
    cc_i128 v = (cc_i128)((cc_u128)hi << 64 | lo);
    return fmpz_sgn(x) < 0 ? -v : v;
}

// c = (b^2 - kn) / (4*a)
static void find_c(cc_sieve *s) {
    fmpz_t a, b;
    fmpz_init(a);
    fmpz_init(b);
    to_fmpz(a, s->a);
    to_fmpz(b, s->b);
    fmpz_mul(b, b, b);
    fmpz_sub(b, b, s->kn);
    fmpz_mul_2exp(a, a, 2);
    assert(fmpz_divisible(b, a));
    fmpz_divexact(b, b, a);
    s->c = from_fmpz(b);
    fmpz_clear(a);
    fmpz_clear(b);
}

// x modulo p, for x below 2^62 and limit = floor((2^64 - 1) / p): the quotient is too small by one at most (P. Barrett).
static inline uint64_t reduce(uint64_t x, uint64_t p, uint64_t limit) {
    uint64_t r = x - (uint64_t)((cc_u128)x * limit >> 64) * p;
    return r >= p ? r - p : r;
}

// The first polynomial of a new a. With q running over the primes of a, b is the sum of terms (a/q) * g, where g is the root of kn
// modulo q divided by a/q: b^2 = kn (mod a), and the sign of each term is free. Modulo p, term/a = g/q.
static bool first_polynomial(cc_sieve *s) {
    for (uint32_t v = 0; v < s->n_a; v++) s->log[s->a_index[v]] = s->a_log[v];
    if (!choose_a(s)) return false;
    uint32_t n = s->n_a, g[CC_SIEVE_MAX_A], q[CC_SIEVE_MAX_A];
    s->b = 0;
    for (uint32_t v = 0; v < n; v++) {
        q[v] = s->prime[s->a_index[v]];
        cc_i128 others = s->a / q[v];
        uint32_t inverse = (uint32_t)n_invmod((ulong)(others % q[v]), q[v]);
        g[v] = (uint32_t)((uint64_t)s->square_root[s->a_index[v]] * inverse % q[v]);
        if (g[v] > q[v] / 2) g[v] = q[v] - g[v];
        s->term[v] = others * g[v];
        s->sign[v] = 1;
        s->b += s->term[v];
        s->a_log[v] = s->log[s->a_index[v]];
        s->log[s->a_index[v]] = 0; // its roots mean nothing
    }
    bool odd = s->b & 1;
    if (!odd) s->b += s->a; // so that b^2 = kn (mod 4) too
    find_c(s);
    for (uint32_t i = 1; i < s->n_base; i++) {
        const uint64_t p = s->prime[i], limit = s->limit64[i];
        uint64_t before[CC_SIEVE_MAX_A], a = 1;
        for (uint32_t v = 0; v < n; v++) {
            before[v] = a;
            a = reduce(a * q[v], p, limit);
        }
        if (a == 0) { // p divides a
            s->root1[i] = s->root2[i] = 0;
            for (uint32_t v = 0; v < n; v++) s->delta[v][i] = 0;
            continue;
        }
        uint64_t inverse = n_invmod(a, p), rest = inverse, sum = odd ? 0 : 1; // the inverses of all q by a single inversion
        for (uint32_t v = n; v-- > 0;) {
            uint64_t of_q = reduce(rest * before[v], p, limit);
            rest = reduce(rest * q[v], p, limit);
            s->delta[v][i] = (uint32_t)reduce(of_q * g[v], p, limit);
            sum += s->delta[v][i];
        }
        // the roots are (+-t + middle) / 2
        uint64_t middle = p - reduce(sum, p, limit), t = reduce(s->square_root[i] * inverse, p, limit), half = (p + 1) / 2;
        s->root1[i] = (uint32_t)reduce((middle + t) * half + s->half, p, limit);
        s->root2[i] = (uint32_t)reduce((middle + p - t) * half + s->half, p, limit);
    }
    return true;
}

typedef int32_t i32x4 __attribute__((vector_size(16), aligned(16)));

// root = root + by or root - by, modulo p
static void move_roots(const cc_sieve *s, uint32_t *root, const uint32_t *by, bool plus) {
    for (uint32_t i = 0; i < s->padded; i += 4) {
        i32x4 p = *(const i32x4 *)(s->prime + i), r = *(i32x4 *)(root + i), d = *(const i32x4 *)(by + i);
        r = plus ? r + d - p : r - d;
        *(i32x4 *)(root + i) = r + (p & (r >> 31));
    }
}

// The next polynomial of the same a: the sign of term v changes.
static void next_polynomial(cc_sieve *s, uint32_t v) {
    bool plus = s->sign[v] > 0;
    s->b -= 2 * s->sign[v] * s->term[v];
    s->sign[v] = -s->sign[v];
    find_c(s);
    move_roots(s, s->root1, s->delta[v], plus);
    move_roots(s, s->root2, s->delta[v], plus);
}

// ---- the loop ----

static void clear(cc_sieve *s) {
    fmpz_clear(s->n);
    fmpz_clear(s->kn);
    free(s->prime), free(s->square_root), free(s->log), free(s->inverse), free(s->multiples), free(s->inverse64), free(s->limit64),
        free(s->hits), free(s->bytes);
    free(s->next1), free(s->next2), free(s->far1), free(s->far2), free(s->root1), free(s->root2), free(s->used_a);
    for (size_t v = 0; v < CC_SIEVE_MAX_A; v++) free(s->delta[v]);
    cc_relations_clear(&s->relations);
}

static bool run(cc_sieve *s, fmpz_t p) {
    size_t enough = s->n_base + 20;
    for (int attempts = 0; attempts < 10;) {
        if (!first_polynomial(s)) return false;
        uint32_t polynomials = UINT32_C(1) << (s->n_a - 1);
        for (uint32_t i = 0; i < polynomials; i++) {
            if (s->stop && *s->stop) return false;
            if (i) next_polynomial(s, (uint32_t)__builtin_ctz(i));
            cc_sieve_collect(s);
            if (s->relations.whole < enough) continue;
            if (cc_sieve_solve(s, p)) return true;
            enough += 20 + enough / 50;
            if (++attempts == 10) break;
        }
    }
    return false;
}

bool cc_sieve_split(fmpz_t p, const fmpz_t n, const volatile sig_atomic_t *stop) {
    assert(fmpz_bits(n) >= CC_SIEVE_MIN_BITS && fmpz_bits(n) <= CC_SIEVE_MAX_BITS);
    cc_sieve s = {.stop = stop, .random = 0x9e3779b97f4a7c15};
    fmpz_init_set(s.n, n);
    fmpz_init(s.kn);
    s.multiplier = choose_multiplier(n);
    fmpz_mul_ui(s.kn, n, s.multiplier);
    sizes z = choose_sizes(fmpz_dlog(s.kn) / M_LN2);
    init_base(&s, &z);
    init_interval(&s, &z);
    cc_relations_init(&s.relations);
    bool found = run(&s, p);
    clear(&s);
    return found;
}
