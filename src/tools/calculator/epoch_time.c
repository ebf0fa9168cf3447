// epoch_time: what moment a number counts, as seconds, milli-, micro- or nanoseconds since 1970. A reading is plausible from 1900 to
// 2199; counts of the smaller units also only when they are at least a year away from 1970, because a few thousand milliseconds are
// far more likely seconds. These windows never overlap, so at most one reading is plausible.
#include <assert.h>

#include "codecalc/civil.h"
#include "tools/calculator/shared.h"

#define FROM_1900 INT64_C(-2208988800)
#define TO_2200   INT64_C(7258118400)
#define YEAR      INT64_C(31536000)

static const cc_param params[] = {
    {"n", CC_NUMBER, .required = true, .big = true, .max_len = 1000, .doc = "Count since 1970"},
    {0},
};

static const cc_field result[] = {
    {"input", "number|string", true, "The count"},
    {"interpretations", "object", true, "Unit (seconds, millis, micros, nanos) to ISO 8601 in UTC"},
    {"plausible", "boolean", false, "false when every reading lies outside 1900 to 2199"},
    {"note", "string", false, "What the readings leave out"},
    {0},
};

typedef struct moment {
    int64_t seconds;
    uint32_t nanos;
    bool valid; // within the calendar
} moment;

enum { UNITS = 4 };
static const char *const units[UNITS] = {"seconds", "millis", "micros", "nanos"};

// n / 1000^power seconds. Sets *cut when something below a nanosecond is left out.
static moment read_as(const fmpq_t n, int power, bool *cut) {
    fmpq_t t;
    fmpz_t seconds, rest;
    fmpq_init(t);
    fmpz_init_set_ui(seconds, 1000);
    fmpz_init(rest);
    fmpz_pow_ui(seconds, seconds, (ulong)power);
    fmpq_div_fmpz(t, n, seconds);
    fmpz_fdiv_qr(seconds, rest, fmpq_numref(t), fmpq_denref(t));
    moment m = {0};
    CC_CLEANUP_BUF cc_buf scratch = {0};
    if (fmpz_fits_si(seconds) && cc_civil_print(&scratch, fmpz_get_si(seconds), 0)) {
        m.valid = true;
        m.seconds = fmpz_get_si(seconds);
        fmpz_mul_ui(rest, rest, 1000000000);
        fmpz_fdiv_qr(seconds, rest, rest, fmpq_denref(t));
        m.nanos = (uint32_t)fmpz_get_ui(seconds);
        *cut |= !fmpz_is_zero(rest);
    }
    fmpq_clear(t);
    fmpz_clear(seconds);
    fmpz_clear(rest);
    return m;
}

static bool in_range(const moment *m) { return m->valid && m->seconds >= FROM_1900 && m->seconds < TO_2200; }
static bool near_epoch(const moment *m) { return m->seconds < YEAR && m->seconds >= -YEAR; }

static void write_reading(cc_jw *w, int unit, const moment *m) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (!m->valid) return;
    cc_civil_print(&text, m->seconds, m->nanos);
    cc_jw_kstring(w, units[unit], cc_buf_str(&text));
}

static int answer(cc_jw *w, const fmpq_t n, cc_error *err) {
    moment m[UNITS];
    bool cut[UNITS] = {0};
    int first = UNITS; // the largest unit whose reading is not past 2199
    for (int i = UNITS - 1; i >= 0; i--) {
        m[i] = read_as(n, i, &cut[i]);
        if (in_range(&m[i])) first = i;
    }
    if (first == UNITS && !m[UNITS - 1].valid) {
        cc_error_set(err, CC_VALIDATION, "n: even in nanoseconds it is past the year %d", CC_CIVIL_MAX_YEAR);
        return cc_error_remedy(err, "check that n is a timestamp");
    }
    bool plausible = first == 0 || (first < UNITS && !near_epoch(&m[first]));
    // Between two windows: too far as the larger unit, too near as the smaller one; both are told.
    int from = plausible ? first : first - 1, to = first < UNITS ? first : UNITS - 1;
    cc_jw_kvalue(w, "input", n);
    cc_jw_key(w, "interpretations");
    cc_jw_object(w);
    bool any_cut = false;
    for (int i = from; i <= to; i++) {
        write_reading(w, i, &m[i]);
        any_cut |= cut[i];
    }
    cc_jw_end_object(w);
    if (!plausible) cc_jw_kbool(w, "plausible", false);
    if (any_cut) cc_jw_kstringz(w, "note", "cut to whole nanoseconds");
    return 0;
}

static int run(cc_call *call, cc_error *err) {
    fmpq_t n;
    fmpq_init(n);
    int rc = cc_arg_rational(call, "n", 100, n, err);
    if (!rc) rc = answer(&call->out, n, err);
    fmpq_clear(n);
    return rc;
}

const cc_tool cc_tool_epoch_time = {
    .name = "epoch_time",
    .group = CC_CALCULATOR,
    .title = "Epoch Time",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Epoch s, ms, µs or ns (told by size) to ISO 8601 UTC. For a span use human_duration.",
    .params = params,
    .result = result,
    .run = run,
};
