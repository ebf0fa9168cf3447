// Enclosures of functions against mpmath (enclose_data.h): the value is inside, at low and high precision, for exact arguments and for
// balls; a ball over a branch cut holds the values on both sides.
#include "unit.h"

#include "math/expr/enclose.h"

#include <math.h>

typedef struct sample {
    cc_xfn fn;
    size_t n;
    double args[6]; // re, im of each
    const char *re, *im;
} sample;

static const sample samples[] = {
#include "enclose_data.h"
};

static void parse(acb_t v, const sample *s) {
    assert_int_equal(arb_set_str(acb_realref(v), s->re, 256), 0);
    assert_int_equal(arb_set_str(acb_imagref(v), s->im, 256), 0);
    // 36 digits of the larger part
    mag_t m;
    mag_init(m);
    acb_get_mag(m, v);
    mag_mul_2exp_si(m, m, -110);
    acb_add_error_mag(v, m);
    mag_clear(m);
}

static void arguments(acb_ptr a, const sample *s) {
    for (size_t i = 0; i < s->n; i++) acb_set_d_d(a + i, s->args[2 * i], s->args[2 * i + 1]);
}

#define NAME(id, name, least, most) name,
static const char *const names[] = {CC_X_FUNCTIONS(NAME)};

static unsigned n_wrong;

static void wrong(const sample *s, const char *what, const acb_t have) {
    char *re = arb_get_str(acb_realref(have), 20, 0), *im = arb_get_str(acb_imagref(have), 20, 0);
    print_error("%s(%g%+gi, %g%+gi): %s: have %s + %s*I, want %s + %s*I\n", names[s->fn], s->args[0], s->args[1], s->args[2], s->args[3],
                what, re, im, s->re, s->im);
    flint_free(re);
    flint_free(im);
    n_wrong++;
}

static void values(void **state) {
    (void)state;
    acb_ptr a = _acb_vec_init(3);
    acb_t want, have;
    acb_init(want);
    acb_init(have);
    for (size_t i = 0; i < CC_ARRAY_LEN(samples); i++) {
        const sample *s = &samples[i];
        parse(want, s);
        arguments(a, s);
        for (slong prec = 24; prec <= 384; prec *= 2)
            if (cc_x_enclose_fun(s->fn, have, a, s->n, prec) && !acb_overlaps(have, want)) wrong(s, "misses the value", have);
        if (!cc_x_enclose_fun(s->fn, have, a, s->n, 384)) wrong(s, "refused", have);
        if (acb_rel_accuracy_bits(have) < 100) wrong(s, "too wide", have);
        bool real = true;
        for (size_t k = 0; k < s->n; k++) real = real && s->args[2 * k + 1] == 0;
        if (real && strcmp(s->im, "0.0") == 0 && !arb_is_zero(acb_imagref(have))) wrong(s, "not seen to be real", have);
        for (size_t k = 0; k < s->n; k++) {
            arb_add_error_2exp_si(acb_realref(a + k), -60);
            arb_add_error_2exp_si(acb_imagref(a + k), -60);
        }
        if (cc_x_enclose_fun(s->fn, have, a, s->n, 384) && !acb_overlaps(have, want)) wrong(s, "misses the value at a ball", have);
    }
    assert_int_equal(n_wrong, 0);
    acb_clear(want);
    acb_clear(have);
    _acb_vec_clear(a, 3);
}

// A ball over two points holds the values at both.
static void both_sides(void **state) {
    (void)state;
    acb_ptr a = _acb_vec_init(3), b = _acb_vec_init(3);
    acb_t u, v, have;
    acb_init(u);
    acb_init(v);
    acb_init(have);
    size_t enclosed = 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(samples); i++)
        for (size_t k = i + 1; k < CC_ARRAY_LEN(samples) && samples[k].fn == samples[i].fn && k < i + 400; k++) {
            const sample *s = &samples[i], *t = &samples[k];
            if (s->n != t->n) continue;
            double far = 0;
            for (size_t j = 0; j < 2 * s->n; j++) far += fabs(s->args[j] - t->args[j]);
            if (far > 0.6) continue;
            arguments(a, s);
            arguments(b, t);
            for (size_t j = 0; j < s->n; j++) acb_union(a + j, a + j, b + j, 128);
            if (!cc_x_enclose_fun(s->fn, have, a, s->n, 128)) continue;
            enclosed++;
            parse(u, s);
            parse(v, t);
            if (!acb_overlaps(have, u)) wrong(s, "a ball with a neighbour misses it", have);
            if (!acb_overlaps(have, v)) wrong(t, "a ball with a neighbour misses it", have);
        }
    assert_true(enclosed > 500);
    assert_int_equal(n_wrong, 0);
    acb_clear(u);
    acb_clear(v);
    acb_clear(have);
    _acb_vec_clear(a, 3);
    _acb_vec_clear(b, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
