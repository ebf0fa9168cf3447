// Polynomials with integer coefficients over packed monomials, and their Gröbner basis. Folder-private: groebner.c reads and shows them.
#ifndef CODECALC_MATH_SOLVE_BASIS_H
#define CODECALC_MATH_SOLVE_BASIS_H

#include "math/solve/solve.h"

#include <flint/fmpz.h>

#define CC_GP_VARS   64
#define CC_GP_DEGREE 0x7fff // of a monomial

// The order of monomials in k variables, the first being the largest: lexicographic, or by degree and then reverse lexicographic. A
// monomial is .words words: its degree, then four exponents a word.
typedef struct cc_gp_ring {
    slong k;
    bool lex;
    size_t words;
} cc_gp_ring;

// Terms descending; .room of both arrays, all coefficients initialised.
typedef struct cc_gp {
    uint64_t *m;
    fmpz *c;
    slong n, room;
    slong sugar; // the degree that it would have, had it been made of homogeneous ones (Giovini, Mora, Niesi, Robbiano, Traverso 1991)
} cc_gp;

cc_gp_ring cc_gp_ring_of(slong k, bool lex);
// The k exponents of a monomial.
void cc_gp_unpack(const cc_gp_ring *r, const uint64_t *m, ulong *exponents);
int cc_gp_compare(const cc_gp_ring *r, const uint64_t *a, const uint64_t *b);

// p belongs to the caller, zeroed before its first use.
void cc_gp_clear(cc_gp *p);
// Adds a term at the end, its exponents having a sum of at most CC_GP_DEGREE; cc_gp_sort then brings them into order, and equal monomials
// together.
void cc_gp_push(const cc_gp_ring *r, cc_gp *p, const fmpz_t c, const ulong *exponents);
void cc_gp_sort(const cc_gp_ring *r, cc_gp *p);
// Divides by the content, and makes the leading coefficient positive.
void cc_gp_make_primitive(cc_gp *p);

// ---- a basis ----

typedef struct cc_gp_pair {
    slong i, j, sugar;
    uint64_t *lcm;
} cc_gp_pair;

// Zeroed, with .g and .ring set, before its first use; cc_gp_basis_clear at the end. Give up: cc_alg_may_search(g) is false, or too large.
typedef struct cc_gp_basis {
    cc_alg *g;
    cc_gp_ring ring;
    cc_gp *all; // every element that was found
    slong n, room;
    slong *active, n_active; // those whose leading monomial no other one divides
    cc_gp_pair *pairs;
    slong n_pairs, pairs_room;
    cc_gp work, rest; // of a reduction
    slong excluded;   // 1 + an element that does not reduce
    unsigned steps;
} cc_gp_basis;

// Makes it the reduced Gröbner basis of what in[0..n) generate, which are used up; .active then ascends. False: gave up. By Buchberger's
// algorithm with the criteria of Gebauer and Möller (1988), pairs by degree, in lexicographic order by sugar.
bool cc_gp_basis_make(cc_gp_basis *b, cc_gp *in, slong n);
// scale * p becomes its normal form, scale being multiplied by what was needed for that; with NULL it becomes a multiple of its normal
// form. False: gave up.
bool cc_gp_basis_reduce(cc_gp_basis *b, cc_gp *p, fmpz *scale);
void cc_gp_basis_clear(cc_gp_basis *b);

#endif
