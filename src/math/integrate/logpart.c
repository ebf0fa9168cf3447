// Closed forms of integrals over denominators whose roots can be written down: quadratics, binomials a*x**n + c, trinomials in x**k.
// Called by rational.c. Every formula is an identity in the coefficients: it holds for any choice of the roots that it names, real or not,
// so that no assumption about signs is needed; signs that are known only choose the form (log, atan, atanh) that is real.
#include "math/integrate/rational.h"

cc_xp cc_int_over_quadratic(cc_alg *g, cc_xp p, cc_xp q, cc_xp a, cc_xp b, cc_xp c, cc_xp x) {
    cc_xp quadratic = CC_SUM(g, CC_PROD(g, a, x, x), cc_x_mul(g, b, x), c);
    if (x->kind == CC_X_ADD) quadratic = cc_x_expand(g, quadratic);
    cc_xp two_a = cc_x_mul(g, g->two, a);
    cc_xp r = p == g->zero ? g->zero : CC_PROD(g, p, cc_x_pow(g, two_a, g->minus_one), cc_x_log(g, quadratic));
    cc_xp k = cc_x_expand(g, cc_x_sub(g, q, cc_x_div(g, cc_x_mul(g, p, b), two_a)));
    if (!k || k == g->zero) return r;
    cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, b, b), CC_PROD(g, cc_x_int(g, 4), a, c)));
    if (!disc) return NULL;
    cc_xp linear = cc_x_add(g, cc_x_mul(g, two_a, x), b);
    if (disc == g->zero) return cc_x_add(g, r, CC_PROD(g, cc_x_int(g, -2), k, cc_x_pow(g, linear, g->minus_one)));
    int sign = cc_x_is_constant(disc) ? cc_x_sign(g, disc) : 2;
    cc_xp part;
    if (sign == 1) {
        cc_xp s = cc_int_square_root(g, disc);
        part = CC_PROD(g, k, cc_x_pow(g, s, g->minus_one),
                       cc_x_sub(g, cc_x_log(g, cc_x_sub(g, linear, s)), cc_x_log(g, cc_x_add(g, linear, s))));
    } else if (sign == -1 || !cc_int_minus(cc_x_neg(g, disc))) {
        cc_xp s = cc_int_square_root(g, cc_x_neg(g, disc));
        part = CC_PROD(g, g->two, k, cc_x_pow(g, s, g->minus_one), cc_x_f1(g, CC_F_ATAN, cc_x_expand(g, cc_x_div(g, linear, s))));
    } else {
        cc_xp s = cc_int_square_root(g, disc);
        part = CC_PROD(g, cc_x_int(g, -2), k, cc_x_pow(g, s, g->minus_one), cc_x_f1(g, CC_F_ATANH, cc_x_expand(g, cc_x_div(g, linear, s))));
    }
    return cc_x_add(g, r, part);
}

// One pair of conjugate roots rho*exp(+-I*theta) with residues proportional to exp(+-I*phi):
// cos(phi)*log(x**2 - 2*rho*cos(theta)*x + rho**2) - 2*sin(phi)*atan((x - rho*cos(theta))/(rho*sin(theta))).
static cc_xp pair(cc_alg *g, cc_xp rho, cc_xp theta, cc_xp phi, cc_xp x) {
    cc_xp cosine = cc_x_f1(g, CC_F_COS, theta), sine = cc_x_f1(g, CC_F_SIN, theta);
    cc_xp cos_phi = cc_x_f1(g, CC_F_COS, phi), sin_phi = cc_x_f1(g, CC_F_SIN, phi);
    cc_xp quadratic = CC_SUM(g, cc_x_mul(g, x, x), CC_PROD(g, cc_x_int(g, -2), rho, cosine, x), cc_x_mul(g, rho, rho));
    cc_xp angle = cc_x_f1(g, CC_F_ATAN, cc_x_expand(g, cc_x_div(g, cc_x_sub(g, x, cc_x_mul(g, rho, cosine)), cc_x_mul(g, rho, sine))));
    return cc_x_add(g, cc_x_mul(g, cos_phi, cc_x_log(g, quadratic)), CC_PROD(g, cc_x_int(g, -2), sin_phi, angle));
}

cc_xp cc_int_over_binomial(cc_alg *g, const cc_xp *num, ulong n, cc_xp a, cc_xp c, cc_xp x) {
    if (n == 1) return CC_PROD(g, num[0], cc_x_pow(g, a, g->minus_one), cc_x_log(g, cc_x_add(g, cc_x_mul(g, a, x), c)));
    if (n == 2) return cc_int_over_quadratic(g, num[1], num[0], a, g->zero, c, x);
    if (n > 60) return NULL;
    cc_xp root = cc_x_neg(g, cc_x_div(g, c, a)); // x**n = root
    bool minus = cc_int_minus(root) || (cc_x_is_constant(root) && cc_x_sign(g, root) == -1);
    cc_xp modulus = minus ? cc_x_neg(g, root) : root;
    cc_xp rho = cc_x_pow(g, modulus, cc_x_frac(g, 1, (slong)n));
    cc_xp *terms = cc_arena_alloc(g->arena, n * (n + 2) * sizeof *terms);
    size_t m = 0;
    for (ulong j = 0; j < n; j++) {
        if (num[j] == g->zero) continue;
        cc_xp scale =
            CC_PROD(g, num[j], cc_x_powi(g, rho, (slong)j + 1), cc_x_pow(g, CC_PROD(g, cc_x_int(g, (slong)n), a, root), g->minus_one));
        // angles pi*t/n with t of the parity of the sign; 0 and pi are real roots
        for (ulong t = minus; t <= n; t += 2) {
            cc_xp part;
            if (t == 0) {
                part = cc_x_log(g, cc_x_sub(g, x, rho));
            } else if (t == n) {
                part = cc_x_log(g, cc_x_add(g, x, rho));
                if ((j + 1) % 2) part = cc_x_neg(g, part);
            } else {
                cc_xp theta = cc_x_mul(g, cc_x_frac(g, (slong)t, (slong)n), g->pi);
                part = pair(g, rho, theta, cc_x_mul(g, cc_x_int(g, (slong)j + 1), theta), x);
            }
            terms[m++] = cc_x_mul(g, scale, part);
        }
    }
    return cc_x_addn(g, terms, m);
}

// Over a*(y - e1)*(y - e2), y = x**k.
static cc_xp split_trinomial(cc_alg *g, const cc_xp *num, ulong k, cc_xp a, cc_xp b, cc_xp disc, cc_xp x) {
    cc_xp s = cc_int_square_root(g, disc);
    cc_xp sum = g->zero;
    for (int sign = 1; sign >= -1; sign -= 2) {
        cc_xp signed_root = sign > 0 ? s : cc_x_neg(g, s);
        cc_xp e = cc_x_expand(g, cc_x_div(g, cc_x_sub(g, signed_root, b), cc_x_mul(g, g->two, a)));
        cc_xp *low = cc_arena_alloc(g->arena, k * sizeof *low);
        for (ulong j = 0; j < k; j++) low[j] = cc_x_div(g, cc_x_expand(g, cc_x_add(g, num[j], cc_x_mul(g, e, num[j + k]))), signed_root);
        sum = cc_x_add(g, sum, cc_int_over_binomial(g, low, k, g->one, cc_x_neg(g, e), x));
    }
    return sum;
}

// Over a*(x**2 + s*x + t)*(x**2 - s*x + t).
static cc_xp split_quartic(cc_alg *g, const cc_xp *num, cc_xp a, cc_xp b, cc_xp c, cc_xp x) {
    cc_xp t = cc_int_square_root(g, cc_x_div(g, c, a));
    cc_xp s = cc_int_square_root(g, cc_x_sub(g, cc_x_mul(g, g->two, t), cc_x_div(g, b, a)));
    cc_xp a0 = cc_x_div(g, num[0], a), a1 = cc_x_div(g, num[1], a), a2 = cc_x_div(g, num[2], a), a3 = cc_x_div(g, num[3], a);
    cc_xp q_sum = cc_x_div(g, a0, t), p_sum = a3;
    cc_xp p_difference = cc_x_div(g, cc_x_sub(g, q_sum, a2), s), q_difference = cc_x_div(g, cc_x_sub(g, cc_x_mul(g, t, a3), a1), s);
    cc_xp sum = g->zero;
    for (int sign = 1; sign >= -1; sign -= 2) {
        cc_xp p = cc_x_expand(g, cc_x_mul(g, g->half, sign > 0 ? cc_x_add(g, p_sum, p_difference) : cc_x_sub(g, p_sum, p_difference)));
        cc_xp q = cc_x_expand(g, cc_x_mul(g, g->half, sign > 0 ? cc_x_add(g, q_sum, q_difference) : cc_x_sub(g, q_sum, q_difference)));
        sum = cc_x_add(g, sum, cc_int_over_quadratic(g, p, q, g->one, sign > 0 ? s : cc_x_neg(g, s), t, x));
    }
    return sum;
}

cc_xp cc_int_over_trinomial(cc_alg *g, const cc_xp *num, ulong k, cc_xp a, cc_xp b, cc_xp c, cc_xp x) {
    if (k == 1) return cc_int_over_quadratic(g, num[1], num[0], a, b, c, x);
    cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, b, b), CC_PROD(g, cc_x_int(g, 4), a, c)));
    if (!disc || k > 30) return NULL;
    bool negative = cc_x_is_constant(disc) && cc_x_sign(g, disc) == -1;
    if (!negative) return split_trinomial(g, num, k, a, b, disc, x);
    if (k == 2) return split_quartic(g, num, a, b, c, x);
    // The roots are rho*exp(+-I*theta), rho**(2k) = c/a, cos(k*theta) = -b/(2*sqrt(a*c)); a residue of x**j is
    // r**(j-k+1)/(+-I*k*sqrt(-disc)).
    cc_xp ratio = cc_x_div(g, c, a);
    cc_xp rho = cc_x_pow(g, ratio, cc_x_frac(g, 1, 2 * (slong)k));
    cc_xp psi = cc_x_f1(g, CC_F_ACOS, cc_x_neg(g, cc_x_div(g, cc_x_div(g, b, a), cc_x_mul(g, g->two, cc_x_sqrt(g, ratio)))));
    cc_xp denominator = cc_x_mul(g, cc_x_int(g, (slong)k), cc_int_square_root(g, cc_x_neg(g, disc)));
    if (cc_x_sign(g, a) == -1) denominator = cc_x_neg(g, denominator);
    cc_xp sum = g->zero;
    for (ulong j = 0; j < 2 * k; j++) {
        if (num[j] == g->zero) continue;
        slong p = (slong)j - (slong)k + 1;
        for (ulong m = 0; m < k; m++) {
            cc_xp theta = cc_x_div(g, cc_x_add(g, psi, cc_x_mul(g, cc_x_int(g, 2 * (slong)m), g->pi)), cc_x_int(g, (slong)k));
            cc_xp phi = cc_x_sub(g, cc_x_mul(g, cc_x_int(g, p), theta), cc_x_mul(g, g->half, g->pi));
            sum = cc_x_add(g, sum,
                           CC_PROD(g, num[j], cc_x_powi(g, rho, p), cc_x_pow(g, denominator, g->minus_one), pair(g, rho, theta, phi, x)));
        }
    }
    return sum;
}

cc_xp cc_int_over_quartic(cc_alg *g, const cc_xp *num, cc_xp p, cc_xp q, cc_xp z, cc_xp x) {
    cc_xp s = cc_int_square_root(g, z), e = cc_x_div(g, q, s); // u - t
    cc_xp sum = cc_x_add(g, p, z), t = cc_x_expand(g, cc_x_mul(g, g->half, cc_x_sub(g, sum, e))),
          u = cc_x_expand(g, cc_x_mul(g, g->half, cc_x_add(g, sum, e)));
    // (k*x + b)/(x**2 + s*x + t) + (l*x + d)/(x**2 - s*x + u), by comparison of coefficients
    cc_xp a2 = cc_x_sub(g, num[2], cc_x_mul(g, s, num[3])); // b + d - 2*s*k
    cc_xp rest = cc_x_sub(g, num[0], cc_x_mul(g, t, a2));   // e*b + 2*s*t*k
    cc_xp right = CC_SUM(g, num[1], cc_x_neg(g, cc_x_mul(g, t, num[3])), cc_x_neg(g, cc_x_mul(g, s, a2)),
                         CC_PROD(g, g->two, s, rest, cc_x_pow(g, e, g->minus_one)));
    cc_xp scale = CC_SUM(g, e, cc_x_mul(g, g->two, z), CC_PROD(g, cc_x_int(g, 4), z, t, cc_x_pow(g, e, g->minus_one)));
    cc_xp k = cc_x_div(g, cc_x_expand(g, right), cc_x_expand(g, scale)), l = cc_x_sub(g, num[3], k);
    cc_xp b = cc_x_div(g, cc_x_expand(g, cc_x_sub(g, rest, CC_PROD(g, g->two, s, t, k))), e);
    cc_xp d = cc_x_sub(g, cc_x_add(g, a2, CC_PROD(g, g->two, s, k)), b);
    cc_xp c[] = {k, b, l, d};
    for (int i = 0; i < 4; i++) c[i] = cc_x_is_constant(c[i]) ? cc_x_constant_simplify(g, c[i]) : cc_int_normal(g, c[i], x);
    return cc_x_add(g, cc_int_over_quadratic(g, c[0], c[1], g->one, s, t, x),
                    cc_int_over_quadratic(g, c[2], c[3], g->one, cc_x_neg(g, s), u, x));
}
