// Converts between unit expressions exactly: chooses the reading of every name with which the dimensions agree, then computes with
// rationals and powers of pi. Called by convert_units. A reading that a user may not have meant is told; one that could be either
// of two is refused.
#include "codecalc/units.h"

#include <stdlib.h>

#include "codecalc/math.h"
#include "codecalc/rational.h"
#include "math/units.h"

#define MAX_EXPONENT 5000   // of ten in value
#define MAX_CHOICES  20000  // combinations of readings that are tried
#define MAX_RESULT   20000L // of ten in what the calculator gives back
#define SHORT        40     // bytes of an exact form that is worth sending

typedef struct side {
    const char *what;
    cc_str text;
    cc_unit_product product;
    cc_factor factors[CC_UNIT_ITEMS][CC_UNIT_READINGS];
    size_t pick[CC_UNIT_ITEMS], best[CC_UNIT_ITEMS];
    cc_factor total;
} side;

enum { FROM, TO };

typedef struct conversion {
    cc_arena *arena;
    const volatile sig_atomic_t *stop;
    cc_conversion *out;
    cc_error *err;
    side sides[2];
    cc_str value;
    bool rational;
    fmpq_t x;
    bool reciprocal;
    fmpq_t offset; // result = x * factor + offset
    bool affine;
} conversion;

static void warn(conversion *c, const char *fmt, ...) CC_PRINTF(2, 3);
static void warn(conversion *c, const char *fmt, ...) {
    if (c->out->n_warnings == CC_ARRAY_LEN(c->out->warnings)) return;
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    c->out->warnings[c->out->n_warnings++] = cc_arena_dup(c->arena, cc_str_of(text));
}

static cc_str reading_name(conversion *c, const cc_unit_reading *r) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_unit_print(&b, r);
    return cc_arena_dup(c->arena, cc_buf_str(&b));
}

// ---- the two sides ----

static int open_side(conversion *c, side *s) {
    if (cc_unit_parse(s->text, false, s->what, &s->product, c->err)) return -1;
    for (size_t i = 0; i < s->product.n; i++)
        for (size_t k = 0; k < s->product.items[i].n; k++) cc_reading_factor(&s->product.items[i].readings[k], &s->factors[i][k]);
    return 0;
}

static void add_dimension(const side *s, int sign, int dim[CC_DIMS]) {
    for (size_t i = 0; i < s->product.n; i++)
        for (int d = 0; d < CC_DIMS; d++) dim[d] += sign * s->product.items[i].power * s->factors[i][s->pick[i]].dim[d];
}

static bool all_zero(const int dim[CC_DIMS], int except) {
    for (int d = 0; d < CC_DIMS; d++)
        if (d != except && dim[d]) return false;
    return true;
}

// How two sides may agree, best first.
enum { AGREE, ANGLE, RECIPROCAL, DIFFER };

static int agreement(conversion *c) {
    int from[CC_DIMS] = {0}, difference[CC_DIMS], sum[CC_DIMS];
    add_dimension(&c->sides[FROM], 1, from);
    memcpy(difference, from, sizeof from);
    memcpy(sum, from, sizeof from);
    add_dimension(&c->sides[TO], -1, difference);
    if (all_zero(difference, -1)) return AGREE;
    if (all_zero(difference, CC_DIM_ANGLE)) return ANGLE;
    add_dimension(&c->sides[TO], 1, sum);
    // Fuel economy and consumption, frequency and period: nothing else is turned over.
    bool turns =
        (all_zero(from, CC_DIM_LENGTH) && abs(from[CC_DIM_LENGTH]) == 2) || (all_zero(from, CC_DIM_TIME) && abs(from[CC_DIM_TIME]) == 1);
    return turns && all_zero(sum, -1) ? RECIPROCAL : DIFFER;
}

// Limits the combinations: the later names of an overlong expression keep their first reading.
static void limit_choices(conversion *c) {
    size_t total = 1;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < c->sides[s].product.n; i++) {
            size_t *n = &c->sides[s].product.items[i].n;
            if (total * *n > MAX_CHOICES) *n = 1;
            total *= *n;
        }
}

// Moves to the next combination of readings; false after the last.
static bool next_choice(conversion *c) {
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < c->sides[s].product.n; i++) {
            if (++c->sides[s].pick[i] < c->sides[s].product.items[i].n) return true;
            c->sides[s].pick[i] = 0;
        }
    return false;
}

static int choose(conversion *c) {
    limit_choices(c);
    int best = DIFFER;
    unsigned best_cost = 0;
    do {
        int level = agreement(c);
        unsigned cost = 0;
        for (int s = 0; s < 2; s++)
            for (size_t i = 0; i < c->sides[s].product.n; i++) cost += c->sides[s].product.items[i].readings[c->sides[s].pick[i]].rank;
        if (level == DIFFER || level > best || (level == best && cost >= best_cost)) continue;
        best = level, best_cost = cost;
        for (int s = 0; s < 2; s++) memcpy(c->sides[s].best, c->sides[s].pick, sizeof c->sides[s].pick);
    } while (next_choice(c));
    for (int s = 0; s < 2; s++) memcpy(c->sides[s].pick, c->sides[s].best, sizeof c->sides[s].pick);
    return best;
}

static const cc_unit_reading *picked(const side *s, size_t i) { return &s->product.items[i].readings[s->pick[i]]; }

// The power of a kind of unit in a side.
static int power_of_kind(const side *s, int kind) {
    int power = 0;
    for (size_t i = 0; i < s->product.n; i++)
        if (picked(s, i)->unit->kind == kind) power += s->product.items[i].power;
    return power;
}

// ---- names with two meanings ----

static bool differ(const side *s, size_t i, size_t k, size_t j) {
    const cc_factor *f = &s->factors[i][k], *g = &s->factors[i][j];
    const cc_unit_reading *r = s->product.items[i].readings;
    bool scale = r[k].unit->offset != r[j].unit->offset && s->product.n == 1;
    return memcmp(f->dim, g->dim, sizeof f->dim) == 0 && (scale || f->pi != g->pi || !fmpq_equal(f->q, g->q));
}

// Tells, or refuses, what item i of a side was read as.
static int tell_reading(conversion *c, side *s, size_t i) {
    const cc_unit_item *item = &s->product.items[i];
    const cc_unit_reading *r = picked(s, i), *others[3];
    size_t n = 0;
    bool refuse = false;
    for (size_t k = 0; k < item->n && n < CC_ARRAY_LEN(others); k++) {
        const cc_unit_reading *o = &item->readings[k];
        if (k == s->pick[i] || !differ(s, i, s->pick[i], k)) continue;
        if (r->rank != CC_RANK_DECIDED && r->rank <= CC_RANK_SECOND && o->rank > CC_RANK_SECOND) continue; // the case says which
        if (r->rank >= CC_RANK_CASE && r->upper && !o->upper) continue;                                    // the prefix's does
        refuse |= r->rank >= CC_RANK_CASE && o->rank <= CC_RANK_CASE_PREFIXED;
        others[n++] = o;
    }
    int len = (int)cc_utf8_prefix(item->text, 60).n;
    cc_str name = reading_name(c, r);
    CC_CLEANUP_BUF cc_buf also = {0};
    for (size_t k = 0; k < n; k++) {
        if (k) cc_buf_addz(&also, ", ");
        cc_unit_print(&also, others[k]);
    }
    if (n && refuse) {
        cc_error_set(c->err, CC_VALIDATION, "%s: '%.*s' may mean %.*s or %.*s", s->what, len, item->text.p, (int)name.n, name.p,
                     (int)also.n, also.p);
        return cc_error_remedy(c->err, "write one of them, in this case");
    }
    if (n)
        warn(c, "'%.*s' was read as %.*s; other meanings: %.*s", len, item->text.p, (int)name.n, name.p, (int)also.n, also.p);
    else if (r->tell)
        warn(c, "'%.*s' was read as %.*s", len, item->text.p, (int)name.n, name.p);
    return 0;
}

static void describe(cc_buf *b, const side *s) {
    int dim[CC_DIMS] = {0};
    add_dimension(s, 1, dim);
    const char *name = cc_dimension_name_of(dim);
    cc_str text = cc_utf8_prefix(cc_str_trim(s->text), 60);
    cc_buf_printf(b, "%s %.*s is ", s->what, (int)text.n, text.p);
    if (name) cc_buf_printf(b, "%s (", name);
    cc_dimension_print(b, dim);
    if (name) cc_buf_addc(b, ')');
}

static int mismatch(conversion *c, const char *remedy) {
    CC_CLEANUP_BUF cc_buf b = {0};
    for (int s = 0; s < 2; s++) {
        if (s) cc_buf_addz(&b, ", ");
        describe(&b, &c->sides[s]);
    }
    cc_error_set(c->err, CC_VALIDATION, "%.*s: the dimensions differ", (int)b.n, b.p);
    return cc_error_remedy(c->err, "%s", remedy);
}

// ---- conventions ----

// The sides differ by a power of an angle.
static int settle_angle(conversion *c) {
    int dim[CC_DIMS] = {0};
    side *from = &c->sides[FROM], *to = &c->sides[TO];
    add_dimension(from, 1, dim);
    add_dimension(to, -1, dim);
    int missing = dim[CC_DIM_ANGLE]; // what the to-side lacks
    int cycles = power_of_kind(to, CC_KIND_CYCLES) - power_of_kind(from, CC_KIND_CYCLES);
    if (cycles && cycles == missing) {
        cc_factor turn;
        cc_factor_init(&turn);
        fmpq_set_si(turn.q, 2, 1);
        turn.pi = 1;
        int rc = cc_factor_mul(&from->total, &turn, -cycles, c->err);
        cc_factor_clear(&turn);
        warn(c, "1 Hz was counted as one turn a second, 2*pi rad/s");
        return rc;
    }
    if (power_of_kind(from, CC_KIND_TURNS) || power_of_kind(to, CC_KIND_TURNS))
        return mismatch(c, "write Hz where turns are counted, rad where angle is");
    warn(c, "the radian was counted as 1, as in the SI");
    return 0;
}

static void warn_of_kinds(conversion *c) {
    static const int pairs[][2] = {
        {CC_KIND_DOSE, CC_KIND_EFFECT}, {CC_KIND_EFFECT, CC_KIND_DOSE}, {CC_KIND_DECAYS, CC_KIND_CYCLES}, {CC_KIND_CYCLES, CC_KIND_DECAYS}};
    for (size_t i = 0; i < CC_ARRAY_LEN(pairs); i++) {
        if (!power_of_kind(&c->sides[FROM], pairs[i][0]) || !power_of_kind(&c->sides[TO], pairs[i][1])) continue;
        warn(c, i < 2 ? "absorbed dose (Gy) and dose equivalent (Sv) are equal only where the weighting factor is 1"
                      : "Bq counts random decays and Hz cycles: the numbers are equal, the quantities are not");
    }
}

static const cc_unit *scale_of(const side *s) {
    if (s->product.n != 1 || s->product.items[0].power != 1) return NULL;
    const cc_unit *u = picked(s, 0)->unit;
    return u->offset ? u : NULL;
}

// Temperatures: absolute ones on either side, unless a difference is asked for.
static int settle_scales(conversion *c) {
    const cc_unit *scale[2] = {scale_of(&c->sides[FROM]), scale_of(&c->sides[TO])};
    if (!scale[FROM] && !scale[TO]) return 0;
    for (int s = 0; s < 2; s++) {
        if (scale[s] && !fmpq_is_one(c->sides[s].product.number)) {
            cc_error_set(c->err, CC_VALIDATION, "%s: a number before a temperature scale", c->sides[s].what);
            return cc_error_remedy(c->err, "put the number into value, or write delta_degC for a difference");
        }
        if (power_of_kind(&c->sides[s], CC_KIND_DIFFERENCE)) {
            cc_error_set(c->err, CC_VALIDATION, "%s is a temperature difference, %s a temperature", c->sides[s].what, c->sides[!s].what);
            return cc_error_remedy(c->err, "write delta_degC or delta_degF on both sides for differences, degC or degF for temperatures");
        }
    }
    fmpq_t offset;
    fmpq_init(offset);
    cc_error unused;
    c->affine = true;
    if (scale[FROM]) cc_rational_parse(c->offset, cc_str_of(scale[FROM]->offset), 10, "offset", &unused);
    if (c->rational) { // below absolute zero?
        fmpq_t kelvin;
        fmpq_init(kelvin);
        fmpq_mul(kelvin, c->x, c->sides[FROM].total.q);
        fmpq_add(kelvin, kelvin, c->offset);
        if (fmpq_sgn(kelvin) < 0) warn(c, "this is below absolute zero");
        fmpq_clear(kelvin);
    }
    if (scale[TO]) cc_rational_parse(offset, cc_str_of(scale[TO]->offset), 10, "offset", &unused);
    fmpq_sub(c->offset, c->offset, offset);
    fmpq_div(c->offset, c->offset, c->sides[TO].total.q);
    fmpq_clear(offset);
    return 0;
}

// ---- value ----

static int read_value(conversion *c) {
    *c->err = (cc_error){0};
    c->value = cc_str_trim(c->value);
    if (cc_rational_parse(c->x, c->value, MAX_EXPONENT, "value", c->err) == 0) {
        c->rational = true;
        return 0;
    }
    if (c->err->code == CC_RESOURCE_EXHAUSTED) return -1;
    *c->err = (cc_error){0};
    cc_calc_options opt = {.digits = CC_CALC_DIGITS, .stop = c->stop};
    cc_calc_result r = {0};
    if (cc_calc_eval(c->arena, c->value, &opt, &r, c->err)) {
        cc_error_wrap(c->err, "value");
        return c->err->remedy[0] ? -1 : cc_error_remedy(c->err, "give a number or a literal expression; its unit goes into from_unit");
    }
    for (size_t i = 0; i < r.n_warnings; i++) warn(c, "value: %.*s", (int)r.warnings[i].n, r.warnings[i].p);
    if (strcmp(r.type, "irrational") == 0 || strcmp(r.type, "real") == 0) return 0;
    if (strcmp(r.type, "rational") != 0) {
        cc_error_set(c->err, CC_VALIDATION, "value: takes a real number; this is of type %s", r.type);
        return cc_error_remedy(c->err, "give a number");
    }
    if (!r.value.n) return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "value: is too long");
    c->rational = true;
    return cc_rational_parse(c->x, r.value, MAX_EXPONENT, "value", c->err);
}

// Writes "q*pi^k" in the calculator's language and as people do: "pi/180", "3*pi", "9/(2*pi)".
static void print_with_pi(cc_buf *b, const fmpq_t q, int k) {
    if (!k) {
        cc_rational_print(b, q);
        return;
    }
    CC_CLEANUP_BUF cc_buf up = {0}, down = {0};
    cc_buf *side_of_pi = k > 0 ? &up : &down;
    if (!fmpz_is_one(fmpq_numref(q))) cc_integer_print(&up, fmpq_numref(q));
    if (!fmpz_is_one(fmpq_denref(q))) cc_integer_print(&down, fmpq_denref(q));
    cc_buf_printf(side_of_pi, "%spi", side_of_pi->n ? "*" : "");
    if (abs(k) > 1) cc_buf_printf(side_of_pi, "**%d", abs(k));
    cc_buf_adds(b, up.n ? cc_buf_str(&up) : CC_STR("1"));
    if (!down.n) return;
    bool paren = k < 0 && !fmpz_is_one(fmpq_denref(q));
    cc_buf_printf(b, paren ? "/(%.*s)" : "/%.*s", (int)down.n, down.p);
}

static cc_str keep(conversion *c, const cc_buf *b) { return cc_arena_dup(c->arena, cc_buf_str(b)); }

// The exact decimal of q where it is short. Appends; false when there is none.
static bool short_decimal(cc_buf *b, const fmpq_t q) {
    slong places;
    if (!cc_rational_terminates(q, &places)) return false;
    size_t start = b->n;
    if (cc_rational_digits(b, q, 17)) return true;
    b->n = start;
    if (places <= SHORT && cc_rational_decimal(b, q, SHORT) && b->n - start <= 60) return true;
    b->n = start;
    return false;
}

// value as JSON; true when it is exactly y.
static bool print_value(cc_buf *b, const fmpq_t y) {
    CC_CLEANUP_BUF cc_buf decimal = {0}, nearest = {0};
    cc_rational_nearest(&nearest, y);
    if (!short_decimal(&decimal, y)) {
        cc_buf_adds(b, cc_buf_str(&nearest));
        return false;
    }
    fmpq_t back;
    fmpq_init(back);
    cc_error unused;
    bool big = fmpz_is_one(fmpq_denref(y)) && fmpz_cmpabs(fmpq_numref(y), (fmpz[]){WORD(1) << 53}) > 0;
    bool number = !big && *nearest.p != '"' && !cc_rational_parse(back, cc_buf_str(&nearest), 400, "", &unused) && fmpq_equal(back, y);
    fmpq_clear(back);
    if (number)
        cc_buf_adds(b, cc_buf_str(&nearest));
    else
        cc_buf_printf(b, "\"%.*s\"", (int)decimal.n, decimal.p);
    return true;
}

static void answer_rational(conversion *c, const fmpq_t y, unsigned digits) {
    CC_CLEANUP_BUF cc_buf b = {0}, form = {0};
    if (digits) {
        fmpq_t rounded;
        fmpq_init(rounded);
        cc_error unused;
        cc_rational_digits(&form, y, (slong)digits);
        cc_rational_parse(rounded, cc_buf_str(&form), MAX_RESULT, "", &unused);
        print_value(&b, rounded);
        fmpq_clear(rounded);
    } else {
        c->out->exact = print_value(&b, y);
        cc_rational_print(&form, y);
        if (!c->out->exact && form.n <= SHORT) c->out->exact_value = keep(c, &form);
    }
    c->out->value = keep(c, &b);
}

// The value is irrational, or pi is in the factor: the calculator does it.
static int answer_real(conversion *c, const cc_factor *f) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_buf_printf(&text, c->reciprocal ? "1/((%.*s)*(" : "(%.*s)*(", (int)c->value.n, c->value.p);
    print_with_pi(&text, f->q, f->pi);
    cc_buf_addz(&text, c->reciprocal ? "))" : ")");
    if (c->affine) {
        cc_buf_addz(&text, "+(");
        cc_rational_print(&text, c->offset);
        cc_buf_addc(&text, ')');
    }
    cc_calc_options opt = {.digits = f->digits ? (long)f->digits : CC_CALC_DIGITS, .stop = c->stop};
    cc_calc_result r = {0};
    if (cc_calc_eval(c->arena, cc_buf_str(&text), &opt, &r, c->err)) return cc_error_wrap(c->err, "value");
    fmpq_t y;
    fmpq_init(y);
    int rc = 0;
    bool rational = strcmp(r.type, "rational") == 0 && r.value.n;
    cc_str number = rational ? r.value : r.approx;
    if (!number.n)
        rc = cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "value: the result cannot be written as a decimal");
    else
        rc = cc_rational_parse(y, number, MAX_RESULT, "value", c->err);
    if (!rc && (rational || f->digits)) {
        answer_rational(c, y, f->digits);
    } else if (!rc) {
        CC_CLEANUP_BUF cc_buf b = {0};
        cc_rational_nearest(&b, y);
        c->out->value = keep(c, &b);
        if (r.exact && r.value.n && r.value.n <= SHORT) c->out->exact_value = r.value;
    }
    fmpq_clear(y);
    return rc;
}

static void tell_factor(conversion *c, const cc_factor *f) {
    if (c->affine || c->reciprocal || f->digits || (c->rational && (fmpq_is_one(c->x) || fmpq_is_zero(c->x)))) return;
    CC_CLEANUP_BUF cc_buf b = {0};
    if (f->pi || !short_decimal(&b, f->q)) print_with_pi(&b, f->q, f->pi);
    if (b.n <= SHORT) c->out->factor = keep(c, &b);
}

static int compute(conversion *c) {
    cc_factor *f = &c->sides[FROM].total;
    if (c->reciprocal ? cc_factor_mul(f, &c->sides[TO].total, 1, c->err) : cc_factor_mul(f, &c->sides[TO].total, -1, c->err)) return -1;
    if (f->digits) {
        CC_CLEANUP_BUF cc_buf b = {0};
        if (f->measured) {
            cc_unit_reading r = {.unit = f->measured};
            cc_unit_print(&b, &r);
        }
        warn(c, "the value of %.*s is %s: given to %u digits", (int)b.n, b.p,
             f->measured && strcmp(f->measured->names, "mach") == 0 ? "that of the standard atmosphere at sea level" : "measured",
             f->digits);
    }
    tell_factor(c, f);
    if (c->reciprocal && c->rational && fmpq_is_zero(c->x)) {
        cc_error_set(c->err, CC_VALIDATION, "value: 0 has no reciprocal");
        return cc_error_remedy(c->err, "from_unit is the reciprocal of to_unit; give a value other than 0");
    }
    if (!c->rational || (f->pi && !fmpq_is_zero(c->x))) return answer_real(c, f);
    fmpq_t y;
    fmpq_init(y);
    fmpq_mul(y, c->x, f->q);
    if (c->reciprocal) fmpq_inv(y, y);
    fmpq_add(y, y, c->offset);
    answer_rational(c, y, f->digits);
    fmpq_clear(y);
    return 0;
}

static int convert(conversion *c) {
    if (read_value(c)) return -1;
    for (int s = 0; s < 2; s++)
        if (open_side(c, &c->sides[s])) return -1;
    if (c->sides[FROM].product.regrouped || c->sides[TO].product.regrouped) warn(c, "a space binds tighter than /: 'J/kg K' is J/(kg*K)");
    int level = choose(c);
    if (level == DIFFER) {
        for (int s = 0; s < 2; s++) memset(c->sides[s].pick, 0, sizeof c->sides[s].pick);
        return mismatch(c, "give units of one dimension; products and quotients of units are taken too");
    }
    for (int s = 0; s < 2; s++) {
        side *p = &c->sides[s];
        fmpq_set(p->total.q, p->product.number);
        for (size_t i = 0; i < p->product.n; i++)
            if (tell_reading(c, p, i) || cc_factor_mul(&p->total, &p->factors[i][p->pick[i]], p->product.items[i].power, c->err)) return -1;
    }
    c->reciprocal = level == RECIPROCAL;
    if (c->reciprocal) warn(c, "to_unit measures the reciprocal of from_unit: the result is 1 / value, converted");
    if (level == ANGLE && settle_angle(c)) return -1;
    warn_of_kinds(c);
    if (settle_scales(c)) return -1;
    return compute(c);
}

int cc_units_convert(cc_arena *a, cc_str value, cc_str from_unit, cc_str to_unit, const volatile sig_atomic_t *stop, cc_conversion *out,
                     cc_error *err) {
    *out = (cc_conversion){0};
    conversion *c = cc_malloc(sizeof *c);
    *c = (conversion){.arena = a, .stop = stop, .out = out, .err = err, .value = value};
    c->sides[FROM].what = "from_unit", c->sides[FROM].text = from_unit;
    c->sides[TO].what = "to_unit", c->sides[TO].text = to_unit;
    fmpq_init(c->x);
    fmpq_init(c->offset);
    for (int s = 0; s < 2; s++) {
        fmpq_init(c->sides[s].product.number);
        cc_factor_init(&c->sides[s].total);
        for (size_t i = 0; i < CC_UNIT_ITEMS; i++)
            for (size_t k = 0; k < CC_UNIT_READINGS; k++) cc_factor_init(&c->sides[s].factors[i][k]);
    }
    int rc = convert(c);
    for (int s = 0; s < 2; s++) {
        fmpq_clear(c->sides[s].product.number);
        cc_factor_clear(&c->sides[s].total);
        for (size_t i = 0; i < CC_UNIT_ITEMS; i++)
            for (size_t k = 0; k < CC_UNIT_READINGS; k++) cc_factor_clear(&c->sides[s].factors[i][k]);
    }
    fmpq_clear(c->x);
    fmpq_clear(c->offset);
    free(c);
    return rc;
}
