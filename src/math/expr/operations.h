// Between operations.c, which has the table, and integer_operations.c. Private to these.
#ifndef CODECALC_MATH_EXPR_OPERATIONS_H
#define CODECALC_MATH_EXPR_OPERATIONS_H

#include "math/expr/expr.h"

// Sets CC_VALIDATION "<usage> is expected" and returns NULL.
cc_xp cc_operation_wrong(cc_alg *g, const char *usage);

cc_xp cc_op_isprime(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_nextprime(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_prevprime(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_prime(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_primepi(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_factorint(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_divisors(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_totient(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_mobius(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_gcd(cc_alg *g, const cc_xp *a, size_t n);
cc_xp cc_op_lcm(cc_alg *g, const cc_xp *a, size_t n);

#endif
