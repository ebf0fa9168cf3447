// The last part of the quadratic sieve: relations whose product is a square on both sides, by Gaussian elimination over GF(2), and the
// factor that they give. Called by sieve.c. Columns are relations (or pairs that share a large prime), rows are members of the base,
// the largest primes first: these rows have few ones, and being pivots first they keep the others sparse for long.
#include "math/sieve.h"

#include <stdlib.h>

typedef struct column {
    uint32_t one, other; // relations; the same twice when it is only one
} column;

typedef struct matrix {
    column *columns;
    size_t n_columns, n_rows, words;
    uint64_t *bits;   // n_rows times words
    uint32_t *row_of; // of a member of the base, or NONE
    uint32_t *pivot;  // of a column: its row, or NONE
} matrix;

static const uint32_t NONE = UINT32_MAX;

static void *zeroed(size_t n, size_t size) {
    void *p = cc_malloc(n * size + 1);
    memset(p, 0, n * size + 1);
    return p;
}

static int by_large(const void *a, const void *b) {
    const cc_relation *x = *(const cc_relation *const *)a, *y = *(const cc_relation *const *)b;
    return x->large != y->large ? (x->large < y->large ? -1 : 1) : (x > y) - (x < y);
}

static void make_columns(const cc_relations *r, matrix *m) {
    const cc_relation **sorted = cc_malloc(r->n * sizeof *sorted);
    for (size_t i = 0; i < r->n; i++) sorted[i] = &r->list[i];
    qsort(sorted, r->n, sizeof *sorted, by_large);
    m->columns = cc_malloc(r->whole * sizeof *m->columns);
    size_t first = 0;
    for (size_t i = 0; i < r->n; i++) {
        uint32_t here = (uint32_t)(sorted[i] - r->list);
        if (sorted[i]->large == 1)
            m->columns[m->n_columns++] = (column){here, here};
        else if (i && sorted[i - 1]->large == sorted[i]->large)
            m->columns[m->n_columns++] = (column){(uint32_t)(sorted[first] - r->list), here};
        else
            first = i;
    }
    free(sorted);
}

// Marks in odd the members with an odd exponent in a column.
static void count_members(const cc_relations *r, column c, uint8_t *odd, uint32_t *touched, size_t *n_touched) {
    *n_touched = 0;
    for (int side = 0; side < (c.one == c.other ? 1 : 2); side++) {
        const cc_relation *x = &r->list[side ? c.other : c.one];
        for (uint32_t i = 0; i < x->n; i++) {
            odd[r->pool[x->members + i]] ^= 1;
            touched[(*n_touched)++] = r->pool[x->members + i];
        }
    }
}

// Drops columns with a member that no other column has, as often as this makes new ones; then those that are too many.
static void drop_columns(const cc_sieve *s, matrix *m, uint32_t *weight, uint8_t *odd, uint32_t *touched) {
    const cc_relations *r = &s->relations;
    size_t n_touched;
    memset(weight, 0, (s->n_base + 1) * sizeof *weight);
    for (size_t i = 0; i < m->n_columns; i++) {
        count_members(r, m->columns[i], odd, touched, &n_touched);
        for (size_t k = 0; k < n_touched; k++)
            if (odd[touched[k]]) weight[touched[k]]++, odd[touched[k]] = 0;
    }
    for (size_t before = m->n_columns + 1; m->n_columns < before;) {
        before = m->n_columns;
        size_t kept = 0;
        for (size_t i = 0; i < before; i++) {
            bool alone = false;
            count_members(r, m->columns[i], odd, touched, &n_touched);
            for (size_t k = 0; k < n_touched; k++) alone |= odd[touched[k]] && weight[touched[k]] == 1;
            for (size_t k = 0; k < n_touched; k++) {
                if (alone && odd[touched[k]]) weight[touched[k]]--;
                odd[touched[k]] = 0;
            }
            if (!alone) m->columns[kept++] = m->columns[i];
        }
        m->n_columns = kept;
    }
}

static void fill(const cc_sieve *s, matrix *m) {
    uint8_t *odd = zeroed(s->n_base + 1, sizeof *odd);
    uint32_t *touched = cc_malloc(1024 * sizeof *touched), *weight = cc_malloc((s->n_base + 1) * sizeof *weight);
    size_t n_touched;
    make_columns(&s->relations, m);
    drop_columns(s, m, weight, odd, touched);
    m->row_of = cc_malloc((s->n_base + 1) * sizeof *m->row_of);
    for (size_t i = s->n_base + 1; i-- > 0;) m->row_of[i] = weight[i] ? (uint32_t)m->n_rows++ : NONE;
    if (m->n_columns > m->n_rows + 32) m->n_columns = m->n_rows + 32;
    m->words = (m->n_columns + 63) / 64;
    m->words += m->words & 1;
    m->bits = zeroed(m->n_rows * m->words, sizeof *m->bits);
    for (size_t i = 0; i < m->n_columns; i++) {
        count_members(&s->relations, m->columns[i], odd, touched, &n_touched);
        for (size_t k = 0; k < n_touched; k++) {
            if (odd[touched[k]]) m->bits[m->row_of[touched[k]] * m->words + i / 64] |= UINT64_C(1) << (i % 64);
            odd[touched[k]] = 0;
        }
    }
    free(odd), free(touched), free(weight);
}

typedef uint64_t u64x2 __attribute__((vector_size(16), aligned(16)));

// Forward elimination: afterwards the row of a pivot has ones in its column and in later ones only.
static bool eliminate(matrix *m, const volatile sig_atomic_t *stop) {
    m->pivot = cc_malloc(m->n_columns * sizeof *m->pivot + 1);
    uint32_t *unused = cc_malloc(m->n_rows * sizeof *unused + 1);
    size_t n_unused = m->n_rows;
    for (size_t i = 0; i < n_unused; i++) unused[i] = (uint32_t)i;
    bool go_on = true;
    for (size_t c = 0; c < m->n_columns && go_on; c++) {
        const size_t word = c / 64, from = word & ~(size_t)1;
        const uint64_t bit = UINT64_C(1) << (c % 64);
        const uint64_t *pivot = NULL;
        size_t kept = 0;
        m->pivot[c] = NONE;
        go_on = !(stop && *stop);
        for (size_t i = 0; i < n_unused; i++) {
            uint64_t *row = m->bits + unused[i] * m->words;
            if (!(row[word] & bit)) {
                unused[kept++] = unused[i];
            } else if (!pivot) {
                pivot = row;
                m->pivot[c] = unused[i];
            } else {
                for (size_t k = from; k < m->words; k += 2) *(u64x2 *)(row + k) ^= *(const u64x2 *)(pivot + k);
                unused[kept++] = unused[i];
            }
        }
        n_unused = kept;
    }
    free(unused);
    return go_on;
}

// The columns whose sum is zero that contain the column free, which has no pivot, and no other such column.
static void back_substitute(const matrix *m, size_t free_column, uint64_t *in) {
    memset(in, 0, m->words * sizeof *in);
    in[free_column / 64] |= UINT64_C(1) << (free_column % 64);
    for (size_t c = free_column; c-- > 0;) {
        if (m->pivot[c] == NONE) continue;
        const uint64_t *row = m->bits + m->pivot[c] * m->words;
        uint64_t sum = 0;
        for (size_t k = c / 64; k <= free_column / 64; k++) sum ^= row[k] & in[k];
        if (__builtin_parityll(sum)) in[c / 64] |= UINT64_C(1) << (c % 64);
    }
}

// x = product of the y, z = root of the product of the other sides: x^2 = z^2 (mod n), and gcd(x - z, n) is a factor, half of the time a
// proper one.
static bool try_columns(const cc_sieve *s, const matrix *m, const uint64_t *in, fmpz_t p) {
    const cc_relations *r = &s->relations;
    uint32_t *exponent = zeroed(s->n_base + 1, sizeof *exponent);
    fmpz_t x, z, t;
    fmpz_init_set_ui(x, 1);
    fmpz_init_set_ui(z, 1);
    fmpz_init(t);
    for (size_t c = 0; c < m->n_columns; c++) {
        if (!(in[c / 64] >> (c % 64) & 1)) continue;
        column k = m->columns[c];
        for (int side = 0; side < (k.one == k.other ? 1 : 2); side++) {
            const cc_relation *e = &r->list[side ? k.other : k.one];
            for (uint32_t i = 0; i < e->n; i++) exponent[r->pool[e->members + i]]++;
            exponent[1] += 2; // 4 = 2^2
            fmpz_set_uiui(t, (ulong)(e->y >> 64), (ulong)e->y);
            fmpz_mul(x, x, t);
            fmpz_mod(x, x, s->n);
        }
        fmpz_mul_ui(z, z, r->list[k.one].large); // twice in the product, or 1
        fmpz_mod(z, z, s->n);
    }
    bool square = true;
    for (uint32_t i = 0; i <= s->n_base; i++) square &= exponent[i] % 2 == 0;
    for (uint32_t i = 1; i <= s->n_base; i++) {
        if (!exponent[i]) continue;
        fmpz_set_ui(t, s->prime[i - 1]);
        fmpz_powm_ui(t, t, exponent[i] / 2, s->n);
        fmpz_mul(z, z, t);
        fmpz_mod(z, z, s->n);
    }
    fmpz_sub(x, x, z);
    fmpz_gcd(p, x, s->n);
    bool found = square && fmpz_cmp_ui(p, 1) > 0 && fmpz_cmp(p, s->n) < 0;
    fmpz_clear(x);
    fmpz_clear(z);
    fmpz_clear(t);
    free(exponent);
    return found;
}

bool cc_sieve_solve(cc_sieve *s, fmpz_t p) {
    matrix m = {0};
    fill(s, &m);
    bool found = false;
    if (eliminate(&m, s->stop)) {
        uint64_t *in = cc_malloc(m.words * sizeof *in + 1);
        for (size_t c = 0; c < m.n_columns && !found && !(s->stop && *s->stop); c++) {
            if (m.pivot[c] != NONE) continue;
            back_substitute(&m, c, in);
            found = try_columns(s, &m, in, p);
        }
        free(in);
    }
    free(m.columns), free(m.bits), free(m.row_of), free(m.pivot);
    return found;
}
