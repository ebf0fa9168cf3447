// From an arguments object to checked values, by the tool's declaration: every message names the field. Called by the server
// before a job starts and by the job itself. Owns nothing; results live in the arena.
#include <stdio.h>
#include <stdlib.h>

#include "codecalc/tools.h"

#define DEFAULT_MAX_LEN   ((size_t)1 << 20)
#define DEFAULT_MAX_ITEMS 10000
#define MAX_INT_DIGITS    20000 // of an integer argument; far beyond any use, and quick to convert

typedef struct reader {
    cc_arena *arena;
    const cc_tool *tool;
    cc_args *out;
    cc_error *err;
} reader;

static void warn(reader *r, cc_str text) {
    if (r->out->n_warnings && cc_str_eq(r->out->warnings[r->out->n_warnings - 1], text)) return; // once for all items of a list
    cc_str *all = CC_ARENA_ARRAY(r->arena, cc_str, r->out->n_warnings + 1);
    if (r->out->n_warnings) memcpy(all, r->out->warnings, r->out->n_warnings * sizeof *all);
    all[r->out->n_warnings++] = text;
    r->out->warnings = all;
}

// ---- numbers ----

// Integer digits without sign, separators or leading zeros.
typedef struct digits {
    bool negative;
    cc_str text;
} digits;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// value × base + digit on a little-endian array of decimal digits.
static size_t multiply_add(char *decimal, size_t n, int base, int digit) {
    int carry = digit;
    for (size_t i = 0; i < n; i++) {
        int v = decimal[i] * base + carry;
        decimal[i] = (char)(v % 10);
        carry = v / 10;
    }
    for (; carry; carry /= 10) decimal[n++] = (char)(carry % 10);
    return n;
}

static int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool read_radix(cc_arena *a, cc_str s, int base, cc_str *out) {
    if (!s.n || s.n > 4096) return false;
    char *decimal = cc_arena_alloc(a, s.n * 2 + 2); // a digit of base 16 is at most 1.21 decimal ones
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '_' && i && i + 1 < s.n) continue;
        int d = digit_of(s.p[i]);
        if (d >= base) return false;
        n = multiply_add(decimal, n, base, d);
    }
    char *text = cc_arena_alloc(a, n + 1);
    for (size_t i = 0; i < n; i++) text[i] = (char)('0' + decimal[n - 1 - i]);
    *out = n ? (cc_str){text, n} : CC_STR("0");
    return true;
}

// Mantissa and exponent of a decimal text, shifted to an integer; false when it is not one.
static bool read_decimal(cc_arena *a, cc_str s, cc_str *out) {
    char *text = cc_arena_alloc(a, s.n + 1);
    size_t n = 0, i = 0;
    long shift = 0; // power of ten that text is multiplied by
    bool point = false, any = false;
    for (; i < s.n && s.p[i] != 'e' && s.p[i] != 'E'; i++) {
        char c = s.p[i];
        if (is_digit(c)) {
            text[n++] = c;
            shift -= point;
            any = true;
        } else if (c == '.' && !point) {
            point = true;
        } else if (!(c == '_' && any && i + 1 < s.n && is_digit(s.p[i + 1]))) {
            return false;
        }
    }
    if (!any) return false;
    if (i < s.n) {
        char exponent[16];
        size_t k = s.n - i - 1;
        if (!k || k >= sizeof exponent) return false;
        memcpy(exponent, s.p + i + 1, k);
        exponent[k] = 0;
        char *end;
        long e = strtol(exponent, &end, 10);
        if (*end || !(is_digit(exponent[0]) || exponent[1])) return false;
        shift += e;
    }
    size_t zeros = 0;
    while (zeros < n && text[zeros] == '0') zeros++;
    text += zeros, n -= zeros;
    if (!n) return *out = CC_STR("0"), true;
    for (; shift < 0 && n && text[n - 1] == '0'; shift++) n--;
    if (shift < 0 || shift > MAX_INT_DIGITS || n + (size_t)shift > MAX_INT_DIGITS) return false;
    char *whole = cc_arena_alloc(a, n + (size_t)shift + 1);
    memcpy(whole, text, n);
    memset(whole + n, '0', (size_t)shift);
    *out = (cc_str){whole, n + (size_t)shift};
    return true;
}

static bool read_integer(cc_arena *a, cc_str s, digits *out) {
    s = cc_str_trim(s);
    if (!s.n || s.n > MAX_INT_DIGITS) return false;
    out->negative = s.p[0] == '-';
    if (s.p[0] == '-' || s.p[0] == '+') s.p++, s.n--;
    int base = 10;
    if (s.n > 2 && s.p[0] == '0') {
        char c = (char)(s.p[1] | 0x20);
        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
    }
    bool read = base == 10 ? read_decimal(a, s, &out->text) : read_radix(a, (cc_str){s.p + 2, s.n - 2}, base, &out->text);
    if (read && cc_str_eqz(out->text, "0")) out->negative = false;
    return read;
}

// sign digits [. digits] [e sign digits] [/ digits]: what every reader of exact numbers accepts.
static bool number_shape(cc_str s) {
    s = cc_str_trim(s);
    size_t i = 0, before, after = 0;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) i++;
    size_t from = i;
    while (i < s.n && (is_digit(s.p[i]) || (s.p[i] == '_' && i > from))) i++;
    before = i - from;
    if (i < s.n && s.p[i] == '.') {
        from = ++i;
        while (i < s.n && is_digit(s.p[i])) i++;
        after = i - from;
    }
    if (!before && !after) return false;
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        i++;
        if (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) i++;
        from = i;
        while (i < s.n && is_digit(s.p[i])) i++;
        if (i == from) return false;
    }
    if (i < s.n && s.p[i] == '/') {
        from = ++i;
        while (i < s.n && is_digit(s.p[i])) i++;
        if (i == from) return false;
    }
    return i == s.n;
}

// A client that reads JSON numbers into doubles has rounded an integer past 2^53 before we saw it.
static void warn_if_rounded(reader *r, const cc_param *p, cc_str text) {
    digits d;
    if (!read_integer(r->arena, text, &d)) return;
    cc_str limit = CC_STR("9007199254740992");
    bool beyond = d.text.n != limit.n ? d.text.n > limit.n : memcmp(d.text.p, limit.p, limit.n) > 0;
    if (beyond)
        warn(r, cc_arena_printf(r->arena, "%s came as a JSON number past 2^53, which your client may have rounded; send it as a string",
                                p->name));
}

// ---- one argument ----

static int wrong_type(reader *r, const cc_param *p, const char *wanted, const cc_json *got) {
    return cc_error_set(r->err, CC_VALIDATION, "%s: takes %s, got %s", p->name, wanted, cc_json_type_name(got));
}

static int take_int(reader *r, const cc_param *p, cc_value *v, cc_str text) {
    digits d;
    if (!read_integer(r->arena, text, &d)) {
        cc_str shown = cc_utf8_prefix(text, 60);
        return cc_error_set(r->err, CC_VALIDATION, "%s: takes an integer, got '%.*s'", p->name, (int)shown.n, shown.p);
    }
    v->text = d.negative ? cc_arena_printf(r->arena, "-%.*s", (int)d.text.n, d.text.p) : d.text;
    v->fits = d.text.n <= 18; // every 18-digit integer fits an int64
    if (v->fits) v->i = strtoll(cc_arena_dup(r->arena, v->text).p, NULL, 10);
    if (!p->min && !p->max) return 0;
    bool low = v->fits ? v->i < p->min : d.negative, high = v->fits ? v->i > p->max : !d.negative;
    if (!low && !high) return 0;
    if (!p->clamp)
        return cc_error_set(r->err, CC_VALIDATION, "%s: %.*s is outside %lld to %lld", p->name, (int)(v->text.n > 60 ? 60 : v->text.n),
                            v->text.p, (long long)p->min, (long long)p->max);
    v->i = low ? p->min : p->max;
    v->fits = true;
    warn(r, cc_arena_printf(r->arena, "%s was %s to %lld", p->name, low ? "raised" : "limited", (long long)v->i));
    v->text = cc_arena_printf(r->arena, "%lld", (long long)v->i);
    return 0;
}

static int take_number_text(reader *r, const cc_param *p, cc_str text) {
    size_t max = p->max_len ? p->max_len : DEFAULT_MAX_LEN;
    if (text.n <= max && number_shape(text)) return 0;
    cc_str shown = cc_utf8_prefix(text, 60);
    return cc_error_set(r->err, CC_VALIDATION, "%s: takes a number such as 12, 0.5, 1e-3 or 1/3, got '%.*s'", p->name, (int)shown.n,
                        shown.p);
}

static int take_text(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    cc_json_type t = cc_json_type_of(json);
    if (t == CC_JSON_STRING) {
        v->text = cc_json_string(json);
    } else if (t == CC_JSON_NUMBER) {
        v->text = cc_json_number(json);
        warn_if_rounded(r, p, v->text);
    } else {
        return wrong_type(r, p, p->kind == CC_STRING ? "a string" : p->kind == CC_INT ? "an integer" : "a number", json);
    }
    return 0;
}

static int take_enum(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    if (cc_json_type_of(json) != CC_JSON_STRING) return wrong_type(r, p, "one of its words", json);
    v->text = cc_json_string(json);
    CC_CLEANUP_BUF cc_buf words = {0};
    for (const char *const *w = p->values; *w; w++) {
        if (cc_str_eqz(v->text, *w)) return 0;
        cc_buf_printf(&words, "%s%s", words.n ? ", " : "", *w);
    }
    cc_str shown = cc_utf8_prefix(v->text, 60);
    return cc_error_set(r->err, CC_VALIDATION, "%s: '%.*s' is not one of %.*s", p->name, (int)shown.n, shown.p, (int)words.n, words.p);
}

static int take_bool(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    if (cc_json_type_of(json) == CC_JSON_BOOL) {
        v->flag = cc_json_bool(json);
        return 0;
    }
    if (cc_json_type_of(json) == CC_JSON_STRING) {
        cc_str s = cc_json_string(json);
        v->flag = cc_str_eqz(s, "true");
        if (v->flag || cc_str_eqz(s, "false")) return 0;
    }
    return wrong_type(r, p, "true or false", json);
}

// One item of a list, map or matrix as text. where: the item's key or number, for messages; empty in a matrix.
static int take_item(reader *r, const cc_param *p, cc_str where, const cc_json *json, cc_str *out) {
    cc_json_type t = cc_json_type_of(json);
    bool number_allowed = p->kind != CC_STRING_LIST && p->kind != CC_STRING_MAP;
    if (t == CC_JSON_STRING) {
        *out = cc_json_string(json);
        if (out->n > DEFAULT_MAX_LEN)
            return cc_error_set(r->err, CC_VALIDATION, "%s%.*s: has %zu bytes, at most %zu are taken", p->name, (int)where.n, where.p,
                                out->n, DEFAULT_MAX_LEN);
    } else if (t == CC_JSON_NUMBER && number_allowed) {
        *out = cc_json_number(json);
        warn_if_rounded(r, p, *out);
    } else {
        return cc_error_set(r->err, CC_VALIDATION, "%s%.*s: takes a %s, got %s", p->name, (int)where.n, where.p,
                            number_allowed ? "number" : "string", cc_json_type_name(json));
    }
    return p->kind == CC_NUMBER_LIST ? take_number_text(r, p, *out) : 0;
}

static int take_items(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    size_t rows = cc_json_size(json), max = p->max_len ? p->max_len : DEFAULT_MAX_ITEMS;
    if (rows > max) return cc_error_set(r->err, CC_VALIDATION, "%s: has %zu items, at most %zu are taken", p->name, rows, max);
    cc_str *items = CC_ARENA_ARRAY(r->arena, cc_str, rows), *keys = CC_ARENA_ARRAY(r->arena, cc_str, rows);
    cc_json_iter it = cc_json_iterate(json);
    for (size_t i = 0; cc_json_next(&it); i++) {
        cc_str shown = cc_utf8_prefix(it.key, 60);
        char where[80];
        int n = p->kind == CC_STRING_MAP ? snprintf(where, sizeof where, "['%.*s']", (int)shown.n, shown.p)
                                         : snprintf(where, sizeof where, "[%zu]", i);
        keys[i] = it.key;
        if (take_item(r, p, (cc_str){where, (size_t)n}, it.value, &items[i])) return -1;
    }
    v->items = items;
    v->keys = keys;
    v->n = rows;
    return 0;
}

static int take_matrix(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    size_t rows = cc_json_size(json), max = p->max_len ? p->max_len : DEFAULT_MAX_ITEMS, n = 0;
    cc_str *items = NULL;
    cc_json_iter it = cc_json_iterate(json);
    for (size_t row = 0; cc_json_next(&it); row++) {
        if (cc_json_type_of(it.value) != CC_JSON_ARRAY) return wrong_type(r, p, "a list of rows (lists)", it.value);
        size_t columns = cc_json_size(it.value);
        if (row == 0) {
            if (!columns || columns > max / rows)
                return cc_error_set(r->err, CC_VALIDATION, "%s: has %zu x %zu entries, 1 to %zu are taken", p->name, rows, columns, max);
            items = CC_ARENA_ARRAY(r->arena, cc_str, rows * columns);
            v->columns = columns;
        }
        if (columns != v->columns)
            return cc_error_set(r->err, CC_VALIDATION, "%s: row %zu has %zu entries, row 1 has %zu", p->name, row + 1, columns, v->columns);
        cc_json_iter entry = cc_json_iterate(it.value);
        while (cc_json_next(&entry))
            if (take_item(r, p, (cc_str){0}, entry.value, &items[n++])) return -1;
    }
    if (!rows) return cc_error_set(r->err, CC_VALIDATION, "%s: has no rows", p->name);
    v->items = items;
    v->n = n;
    return 0;
}

static int take_container(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    bool object = p->kind == CC_STRING_MAP || p->kind == CC_OBJECT;
    cc_json_type wanted = object ? CC_JSON_OBJECT : CC_JSON_ARRAY;
    if (cc_json_type_of(json) == CC_JSON_STRING) { // some clients send structured arguments as their text
        cc_error ignored = {0};
        const cc_json *inner;
        if (cc_json_parse(r->arena, cc_json_string(json), CC_JSON_MAX_DEPTH, &inner, &ignored) == 0) json = inner;
    }
    if (cc_json_type_of(json) != wanted) return wrong_type(r, p, object ? "an object" : "a list", json);
    v->json = json;
    if (p->kind == CC_OBJECT) return 0;
    return p->kind == CC_MATRIX ? take_matrix(r, p, v, json) : take_items(r, p, v, json);
}

static int take(reader *r, const cc_param *p, cc_value *v, const cc_json *json) {
    v->present = true;
    v->json = json;
    switch (p->kind) {
    case CC_STRING: {
        if (take_text(r, p, v, json)) return -1;
        size_t max = p->max_len ? p->max_len : DEFAULT_MAX_LEN;
        if (v->text.n > max)
            return cc_error_set(r->err, CC_VALIDATION, "%s: has %zu bytes, at most %zu are taken", p->name, v->text.n, max);
        return 0;
    }
    case CC_INT: return take_text(r, p, v, json) ? -1 : take_int(r, p, v, v->text);
    case CC_NUMBER: return take_text(r, p, v, json) ? -1 : take_number_text(r, p, v->text);
    case CC_BOOL: return take_bool(r, p, v, json);
    case CC_ENUM: return take_enum(r, p, v, json);
    default: return take_container(r, p, v, json);
    }
}

// ---- the object ----

static int position_of(const cc_tool *tool, cc_str key) {
    for (int i = 0; tool->params && tool->params[i].name; i++)
        if (cc_str_eqz(key, tool->params[i].name)) return i;
    return -1;
}

static size_t count_params(const cc_tool *tool) {
    size_t n = 0;
    while (tool->params && tool->params[n].name) n++;
    return n;
}

// The same call with the misspelt key put right, when it fits.
static void suggest_call(const cc_tool *tool, const cc_json *object, cc_str wrong, const char *right, cc_error *err) {
    if (cc_json_get(object, right)) return;
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_jw w = cc_jw_make(&text);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "tool", tool->name);
    cc_jw_key(&w, "arguments");
    cc_jw_object(&w);
    cc_json_iter it = cc_json_iterate(object);
    while (cc_json_next(&it)) {
        cc_jw_keys(&w, cc_str_eq(it.key, wrong) ? cc_str_of(right) : it.key);
        cc_jw_value(&w, it.value);
        if (text.n >= sizeof err->next) return;
    }
    cc_jw_end_object(&w);
    cc_jw_end_object(&w);
    if (text.n >= sizeof err->next) return;
    memcpy(err->next, text.p, text.n);
    err->next[text.n] = 0;
}

// "lang" for language, "memory" for max_memory_mb: nearer than any misspelling.
static bool abbreviates(cc_str key, const char *name) { return key.n >= 3 && memmem(name, strlen(name), key.p, key.n); }

static int say_what_it_takes(const cc_tool *tool, cc_error *err) {
    CC_CLEANUP_BUF cc_buf names = {0};
    for (size_t i = 0; i < count_params(tool); i++) cc_buf_printf(&names, "%s%s", i ? ", " : "", tool->params[i].name);
    return names.n ? cc_error_remedy(err, "%s takes: %.*s", tool->name, (int)names.n, names.p)
                   : cc_error_remedy(err, "%s takes none", tool->name);
}

static int unknown_key(const cc_tool *tool, const cc_json *object, cc_str key, cc_error *err) {
    cc_str shown = cc_utf8_prefix(key, 60);
    if (!count_params(tool))
        return cc_error_set(err, CC_VALIDATION, "unknown argument '%.*s': %s takes none", (int)shown.n, shown.p, tool->name);
    const char *nearest = NULL;
    unsigned distance = (unsigned)(key.n / 3) + 2;
    for (const cc_param *p = tool->params; p->name; p++) {
        unsigned d = abbreviates(key, p->name) ? 0 : cc_edit_distance(key, cc_str_of(p->name));
        if (d < distance) nearest = p->name, distance = d;
    }
    cc_error_set(err, CC_VALIDATION, "unknown argument '%.*s'%s%s%s", (int)shown.n, shown.p, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
    say_what_it_takes(tool, err);
    if (nearest) suggest_call(tool, object, key, nearest, err);
    return -1;
}

// All that are missing, so that one more call is enough.
static int missing(const cc_tool *tool, const cc_args *args, cc_error *err) {
    CC_CLEANUP_BUF cc_buf names = {0}, docs = {0};
    size_t n = 0;
    for (const cc_param *p = tool->params; p->name; p++) {
        if (!p->required || args->values[p - tool->params].present) continue;
        cc_buf_printf(&names, "%s%s", n++ ? ", " : "", p->name);
        if (p->doc) cc_buf_printf(&docs, "%s%s: %s", docs.n ? "; " : "", p->name, p->doc);
    }
    cc_error_set(err, CC_VALIDATION, "%.*s: %s required", (int)names.n, names.p, n == 1 ? "is" : "are");
    cc_str text = cc_buf_str(&docs);
    if (n == 1 && text.n) text.p += names.n + 2, text.n -= names.n + 2; // its name has been said
    return text.n ? cc_error_remedy(err, "%.*s", (int)text.n, text.p) : -1;
}

int cc_args_parse(cc_arena *a, const cc_tool *tool, const cc_json *object, cc_args *out, cc_error *err) {
    size_t n = count_params(tool);
    *out = (cc_args){.tool = tool, .values = CC_ARENA_ARRAY(a, cc_value, n + 1)};
    reader r = {a, tool, out, err};
    if (object && cc_json_type_of(object) != CC_JSON_OBJECT)
        return cc_error_set(err, CC_VALIDATION, "arguments: takes an object, got %s", cc_json_type_name(object));
    if (object) {
        cc_json_iter it = cc_json_iterate(object);
        while (cc_json_next(&it)) {
            int i = position_of(tool, it.key);
            if (i < 0) return unknown_key(tool, object, it.key, err);
            if (cc_json_type_of(it.value) == CC_JSON_NULL) continue;
            if (take(&r, &tool->params[i], &out->values[i], it.value)) return -1;
            out->values[i].given = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const cc_param *p = &tool->params[i];
        if (out->values[i].present) continue;
        if (p->required) return missing(tool, out, err);
        if (!p->def) continue;
        const cc_json *value;
        if (cc_json_parse(a, cc_str_of(p->def), CC_JSON_MAX_DEPTH, &value, err) || take(&r, p, &out->values[i], value))
            return cc_error_wrap(err, "the declared default of %s", p->name);
    }
    return 0;
}

// ---- the command line ----

int cc_args_from_words(cc_arena *a, const cc_tool *tool, size_t n, char *const *words, cc_buf *out, cc_error *err) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    for (size_t i = 0; i < n; i++) {
        const char *equals = strchr(words[i], '=');
        if (!equals || equals == words[i]) {
            cc_error_set(err, CC_VALIDATION, "'%.60s' is not of the form key=value", words[i]);
            return say_what_it_takes(tool, err);
        }
        cc_str key = {words[i], (size_t)(equals - words[i])}, value = cc_str_of(equals + 1);
        int at = position_of(tool, key);
        // Containers are written as JSON; a list may also be items with commas between. Everything else is its own text.
        cc_kind kind = at < 0 ? CC_STRING : tool->params[at].kind;
        cc_jw_keys(&w, key);
        const cc_json *parsed;
        cc_error not_json = {0};
        bool json = kind >= CC_STRING_LIST && cc_json_parse(a, value, CC_JSON_MAX_DEPTH, &parsed, &not_json) == 0;
        if (json && cc_json_type_of(parsed) != CC_JSON_NUMBER) {
            cc_jw_raw(&w, value);
        } else if (kind == CC_STRING_LIST || kind == CC_NUMBER_LIST) {
            cc_jw_array(&w);
            while (value.n) {
                const char *comma = memchr(value.p, ',', value.n);
                size_t len = comma ? (size_t)(comma - value.p) : value.n;
                cc_jw_string(&w, cc_str_trim((cc_str){value.p, len}));
                value.p += len + (comma ? 1 : 0), value.n -= len + (comma ? 1 : 0);
            }
            cc_jw_end_array(&w);
        } else if (kind > CC_NUMBER_LIST) {
            cc_error_set(err, CC_VALIDATION, "%.*s: takes %s in JSON; %s", (int)key.n, key.p,
                         kind == CC_MATRIX ? "a list of lists" : "an object", not_json.msg);
            return cc_error_remedy(err, "for example %.*s='%s'", (int)key.n, key.p,
                                   kind == CC_MATRIX ? "[[1,2],[3,4]]" : "{\"name\":\"text\"}");
        } else {
            cc_jw_string(&w, value);
        }
    }
    cc_jw_end_object(&w);
    return 0;
}
