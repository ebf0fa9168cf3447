// Values of functions at special arguments, as the constructor of functions inserts them: the dispatcher, exp and log, and the functions of
// order (Max, Min, floor, Mod, Piecewise, Heaviside …). A rule here holds for every value of its symbols within what is assumed of them.
// Called by cc_x_fun only.
#include "math/expr/intern.h"

#include <flint/arb.h>
#include <flint/ulong_extras.h>

static bool is_true(cc_alg *g, cc_xp x, unsigned fact) { return cc_x_is(g, x, fact) == CC_TRUE; }

// ---- exp, log ----

// c*I*pi*rest → (-1)**(c*rest), for c*rest rational or an integer. Else NULL.
static cc_xp turn(cc_alg *g, cc_xp t) {
    bool i = false, pi = false;
    if (t->kind != CC_X_MUL) return NULL;
    for (uint32_t k = 0; k < t->n; k++) {
        i = i || t->args[k] == g->i;
        pi = pi || t->args[k] == g->pi;
    }
    if (!i || !pi) return NULL;
    cc_xp q = cc_x_div(g, t, cc_x_mul(g, g->i, g->pi));
    return q && (q->kind == CC_X_NUM || is_true(g, q, CC_IS_INTEGER)) ? cc_x_pow(g, g->minus_one, q) : NULL;
}

// c*log(y) → y**c. Else NULL.
static cc_xp of_log(cc_alg *g, cc_xp t) {
    size_t n, at = 0, logs = 0;
    const cc_xp *f = cc_x_factors(&t, &n);
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_fun(f[i], CC_F_LOG)) {
            at = i;
            logs++;
        }
    if (logs != 1) return NULL;
    cc_xp y = f[at]->args[0];
    cc_xp *rest = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++) rest[i] = i == at ? g->one : f[i];
    return cc_x_pow(g, y, cc_x_muln(g, rest, n));
}

static cc_xp exponential(cc_alg *g, cc_xp a) {
    if (a == g->zero) return g->one;
    if (a == g->one) return g->e;
    if (a == g->oo) return a;
    if (a == g->neg_oo) return g->zero;
    if (a == g->zoo) return g->nan;
    size_t n, out = 0, in = 0;
    const cc_xp *t = cc_x_terms(&a, &n);
    cc_xp *factors = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1), *terms = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++) {
        cc_xp x = of_log(g, t[i]);
        if (!x) x = turn(g, t[i]);
        if (g->err->code) return NULL;
        if (x)
            factors[out++] = x;
        else
            terms[in++] = t[i];
    }
    if (!out) return NULL;
    factors[out++] = cc_x_exp(g, cc_x_addn(g, terms, in));
    return cc_x_muln(g, factors, out);
}

// The logarithm of a positive rational: of a perfect power, and of one below 1, by that of the root or reciprocal.
static cc_xp log_of_number(cc_alg *g, const fmpq *q) {
    fmpz_t p, d;
    fmpz_init(p);
    fmpz_init(d);
    int kp = fmpz_is_one(fmpq_numref(q)) ? 0 : fmpz_is_perfect_power(p, fmpq_numref(q));
    int kd = fmpz_is_one(fmpq_denref(q)) ? 0 : fmpz_is_perfect_power(d, fmpq_denref(q));
    bool has_p = !fmpz_is_one(fmpq_numref(q)), has_d = !fmpz_is_one(fmpq_denref(q));
    ulong k = has_p && has_d ? n_gcd((ulong)kp, (ulong)kd) : has_p ? (ulong)kp : (ulong)kd;
    cc_xp x = NULL;
    if (k > 1 && !(has_p && !kp) && !(has_d && !kd)) {
        fmpq_t r;
        fmpq_init(r);
        fmpz_root(fmpq_numref(r), fmpq_numref(q), (slong)k);
        fmpz_root(fmpq_denref(r), fmpq_denref(q), (slong)k);
        x = cc_x_mul(g, cc_x_int(g, (slong)k), cc_x_log(g, cc_x_num(g, r)));
        fmpq_clear(r);
    } else if (fmpz_cmp(fmpq_numref(q), fmpq_denref(q)) < 0) {
        fmpq_t r;
        fmpq_init(r);
        fmpq_inv(r, q);
        x = cc_x_neg(g, cc_x_log(g, cc_x_num(g, r)));
        fmpq_clear(r);
    }
    fmpz_clear(p);
    fmpz_clear(d);
    return x;
}

static cc_xp logarithm(cc_alg *g, cc_xp a) {
    if (a == g->one) return g->zero;
    if (a == g->zero || a == g->zoo) return g->zoo;
    if (a == g->e) return g->one;
    if (a == g->oo || a == g->neg_oo) return g->oo;
    cc_xp i_pi = cc_x_mul(g, g->i, g->pi);
    if (a == g->i) return cc_x_mul(g, g->half, i_pi);
    if (a->kind == CC_X_NUM && cc_x_num_sign(a) > 0) return log_of_number(g, a->num);
    if (cc_x_is_fun(a, CC_F_EXP) && is_true(g, a->args[0], CC_IS_REAL)) return a->args[0];
    if (a->kind == CC_X_POW) {
        cc_xp base = a->args[0], e = a->args[1];
        if (base == g->minus_one && e->kind == CC_X_NUM) return cc_x_mul(g, e, i_pi); // its exponent is in (0, 1)
        bool narrow = e->kind == CC_X_NUM && fmpq_cmp_si(e->num, -1) > 0 && fmpq_cmp_si(e->num, 1) < 0;
        if (narrow || (is_true(g, base, CC_IS_POSITIVE) && is_true(g, e, CC_IS_REAL))) return cc_x_mul(g, e, cc_x_log(g, base));
    }
    if (a->finite && is_true(g, a, CC_IS_NEGATIVE)) return cc_x_add(g, cc_x_log(g, cc_x_neg(g, a)), i_pi);
    if (a->kind == CC_X_MUL) {
        cc_xp r = cc_x_neg(g, cc_x_mul(g, a, g->i)); // a = I*r
        int s = r && cc_x_is_kind(r, CC_X_MUL) && r->size >= a->size ? 2 : cc_x_sign(g, r);
        if (s == 1 || s == -1) return cc_x_add(g, cc_x_log(g, s > 0 ? r : cc_x_neg(g, r)), cc_x_mul(g, cc_x_frac(g, s, 2), i_pi));
    }
    return NULL;
}

// ---- order ----

static cc_xp extreme(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    bool max = fn == CC_F_MAX;
    size_t total = 0, m = 0;
    for (size_t i = 0; i < n; i++) total += cc_x_is_fun(args[i], fn) ? args[i]->n : 1;
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, total);
    for (size_t i = 0; i < n; i++) {
        size_t k = cc_x_is_fun(args[i], fn) ? args[i]->n : 1;
        const cc_xp *from = cc_x_is_fun(args[i], fn) ? args[i]->args : &args[i];
        for (size_t j = 0; j < k; j++) {
            cc_xp x = from[j];
            bool keep = true;
            for (size_t l = 0; l < m && keep; l++) {
                cc_xp order = x == items[l] ? g->yes : cc_x_rel(g, CC_REL_LE, max ? x : items[l], max ? items[l] : x);
                if (!order) return NULL;
                if (order == g->yes) keep = false;
                if (order == g->no) items[l--] = items[--m]; // x is beyond it
            }
            if (keep) items[m++] = x;
        }
    }
    if (m == 1) return items[0];
    cc_x_sort(items, m);
    return cc_x_intern_fun(g, fn, items, m);
}

// floor of a real constant by its enclosure.
static cc_xp floor_of_constant(cc_alg *g, cc_xp a) {
    acb_t v;
    fmpz_t lo;
    acb_init(v);
    fmpz_init(lo);
    cc_xp x = NULL;
    if (cc_x_enclose_to(g, v, a, NULL, 128) && arb_get_unique_fmpz(lo, acb_realref(v))) {
        // an integer is inside: which side is not known, or it is that integer
    } else if (arb_is_finite(acb_realref(v))) {
        arb_t f;
        arb_init(f);
        arb_floor(f, acb_realref(v), 256);
        if (arb_get_unique_fmpz(lo, f)) x = cc_x_fmpz(g, lo);
        arb_clear(f);
    }
    acb_clear(v);
    fmpz_clear(lo);
    return x;
}

static cc_xp floor_of(cc_alg *g, cc_xp a) {
    if (a->kind == CC_X_NUM) {
        fmpz_t f;
        fmpz_init(f);
        fmpz_fdiv_q(f, fmpq_numref(a->num), fmpq_denref(a->num));
        cc_xp x = cc_x_fmpz(g, f);
        fmpz_clear(f);
        return x;
    }
    if (cc_x_is_infinite(a) || is_true(g, a, CC_IS_INTEGER) || cc_x_is_fun(a, CC_F_FLOOR) || cc_x_is_fun(a, CC_F_CEIL)) return a;
    if (a->free == 0 && a->finite && is_true(g, a, CC_IS_REAL)) {
        cc_xp x = floor_of_constant(g, a);
        if (x) return x;
    }
    size_t n, w = 0, r = 0;
    const cc_xp *t = cc_x_terms(&a, &n);
    cc_xp *whole = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1), *rest = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (t[i]->kind == CC_X_NUM && !cc_x_is_int(t[i])) {
            cc_xp f = floor_of(g, t[i]);
            whole[w++] = f;
            rest[r++] = cc_x_sub(g, t[i], f);
        } else if (is_true(g, t[i], CC_IS_INTEGER)) {
            whole[w++] = t[i];
        } else {
            rest[r++] = t[i];
        }
    }
    if (!w || n == 1) return NULL;
    cc_xp moved = cc_x_addn(g, whole, w);
    return moved == g->zero ? NULL : cc_x_add(g, moved, cc_x_f1(g, CC_F_FLOOR, cc_x_addn(g, rest, r)));
}

static cc_xp ceiling_of(cc_alg *g, cc_xp a) {
    cc_xp x = floor_of(g, cc_x_neg(g, a));
    if (!x) return NULL;
    x = cc_x_neg(g, x);
    // what stays unknown, -floor(-b), is ceiling(b)
    size_t n;
    const cc_xp *t = cc_x_terms(&x, &n);
    for (size_t i = 0; i < n; i++)
        if (t[i]->kind == CC_X_MUL && t[i]->n == 2 && t[i]->args[0] == g->minus_one && cc_x_is_fun(t[i]->args[1], CC_F_FLOOR))
            return cc_x_add(g, cc_x_sub(g, x, t[i]),
                            cc_x_intern_fun(g, CC_F_CEIL, (const cc_xp[]){cc_x_neg(g, t[i]->args[1]->args[0])}, 1));
    return x;
}

static cc_xp modulo(cc_alg *g, cc_xp a, cc_xp b) {
    if (b == g->zero) return g->nan;
    if (a == g->zero || a == b) return g->zero;
    if (cc_x_is_infinite(a)) return g->nan;
    if (b == g->one && is_true(g, a, CC_IS_INTEGER)) return g->zero;
    if (b == g->two && is_true(g, a, CC_IS_EVEN)) return g->zero;
    if (b == g->two && is_true(g, a, CC_IS_ODD)) return g->one;
    cc_xp q = cc_x_div(g, a, b);
    if (!q) return NULL;
    if (!q->finite || q->free || !is_true(g, q, CC_IS_REAL)) return NULL;
    cc_xp f = floor_of(g, q);
    return f ? cc_x_sub(g, a, cc_x_mul(g, b, f)) : NULL;
}

static cc_xp piecewise(cc_alg *g, const cc_xp *args, size_t n) {
    if (n % 2) {
        cc_error_set(g->err, CC_VALIDATION, "Piecewise() takes pairs (value, condition)");
        return NULL;
    }
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    size_t m = 0;
    for (size_t i = 0; i < n; i += 2) {
        cc_xp value = args[i], when = args[i + 1];
        if (when->kind < CC_X_REL && when != g->yes && when != g->no) {
            cc_error_set(g->err, CC_VALIDATION, "Piecewise(): condition %zu is no condition", i / 2 + 1);
            return NULL;
        }
        if (when == g->no) continue;
        if (m && out[m - 2] == value) { // the same value under one more condition
            out[m - 1] = cc_x_or(g, out[m - 1], when);
        } else {
            out[m++] = value;
            out[m++] = when;
        }
        if (out[m - 1] == g->yes) break;
    }
    if (g->err->code) return NULL;
    if (m == 0) return g->nan;
    return out[1] == g->yes ? out[0] : cc_x_intern_fun(g, CC_F_PIECEWISE, out, m);
}

cc_xp cc_x_known(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    if (fn == CC_F_PIECEWISE) return piecewise(g, args, n);
    if (fn >= CC_F_INTEGRAL) return NULL;
    if (cc_x_any_nan(g, args, n)) return g->nan;
    cc_xp a = args[0];
    int s;
    switch (fn) {
    case CC_F_EXP: return exponential(g, a);
    case CC_F_LOG: return logarithm(g, a);
    case CC_F_SINC:
        if (a == g->zero) return g->one;
        if (a == g->oo || a == g->neg_oo) return g->zero;
        if (cc_x_takes_minus(a)) return cc_x_f1(g, CC_F_SINC, cc_x_neg(g, a));
        return is_true(g, a, CC_IS_NONZERO) && cc_x_f1(g, CC_F_SIN, a) == g->zero ? g->zero : NULL;
    case CC_F_MAX:
    case CC_F_MIN: return extreme(g, fn, args, n);
    case CC_F_FLOOR: return floor_of(g, a);
    case CC_F_CEIL: return ceiling_of(g, a);
    case CC_F_FRAC: {
        if (is_true(g, a, CC_IS_INTEGER)) return g->zero;
        cc_xp f = a->free ? NULL : floor_of(g, a);
        return f && !cc_x_is_infinite(a) ? cc_x_sub(g, a, f) : NULL;
    }
    case CC_F_MOD: return modulo(g, a, args[1]);
    case CC_F_HEAVISIDE: s = cc_x_sign(g, a); return s == 2 ? NULL : s > 0 ? g->one : s < 0 ? g->zero : g->half;
    case CC_F_DIRAC:
        if (is_true(g, a, CC_IS_NONZERO) && is_true(g, a, CC_IS_REAL)) return g->zero;
        if (a == g->oo || a == g->neg_oo) return g->zero;
        return cc_x_takes_minus(a) ? cc_x_f1(g, CC_F_DIRAC, cc_x_neg(g, a)) : NULL;
    case CC_F_KRONECKER:
        if (a == args[1]) return g->one;
        return is_true(g, cc_x_sub(g, a, args[1]), CC_IS_NONZERO) ? g->zero : NULL;
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_RE:
    case CC_F_IM:
    case CC_F_ARG:
    case CC_F_CONJUGATE:
    case CC_F_ATAN2: return cc_x_known_parts(g, fn, args, n);
    default: return fn >= CC_F_SIN && fn <= CC_F_ACSCH ? cc_x_known_trig(g, fn, a) : cc_x_known_special(g, fn, args, n);
    }
}
