// JSON over yyjson: reading with our rules on top (depth, duplicate keys, numbers as text), writing straight into a buffer.
// Called by everything that speaks JSON; owns nothing (documents live in the caller's arena).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

#include "codecalc/json.h"

static const yyjson_val *val(const cc_json *v) { return (const yyjson_val *)v; }
// yyjson's readers take non-const pointers but do not write through them.
static yyjson_val *mut(const cc_json *v) { return (yyjson_val *)(uintptr_t)v; }

const char *cc_json_library_version(void) { return YYJSON_VERSION_STRING; }

// ---- reading ----

// yyjson allocates one block for the values and one for the text; both come from the arena. Its growth by realloc copies, which
// its size estimate makes rare.
typedef struct block_head {
    size_t size;
    max_align_t bytes[];
} block_head;

static void *arena_malloc(void *ctx, size_t size) {
    block_head *h = cc_arena_alloc(ctx, sizeof *h + size);
    h->size = size;
    return h->bytes;
}

static void *arena_realloc(void *ctx, void *p, size_t old, size_t size) {
    (void)old;
    block_head *h = (block_head *)(void *)((char *)p - offsetof(block_head, bytes));
    if (size <= h->size) return p;
    void *q = arena_malloc(ctx, size);
    return memcpy(q, p, h->size);
}

static void arena_release(void *ctx, void *p) {
    (void)ctx;
    (void)p;
}

// Depth is bounded before parsing: a frame of sixteen million brackets is refused by a scan and costs no memory.
static bool too_deep(cc_str text, unsigned max, size_t *at) {
    unsigned depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > max) return *at = i, true;
        } else if (c == ']' || c == '}') {
            if (depth) depth--;
        }
    }
    return false;
}

static uint64_t hash_of(cc_str s) { // FNV-1a, seeded per process so that keys cannot be made to collide beforehand
    static uint64_t seed;
    if (!seed) seed = ((uint64_t)cc_now_ns() * 0x9E3779B97F4A7C15u) | 1;
    uint64_t h = seed;
    for (size_t i = 0; i < s.n; i++) h = (h ^ (unsigned char)s.p[i]) * 0x100000001B3u;
    return h ^ h >> 29;
}

static bool duplicate_in(cc_arena *a, const cc_json *object, cc_str *key) {
    size_t n = cc_json_size(object);
    cc_json_iter it = cc_json_iterate(object);
    if (n <= 8) {
        cc_str seen[8];
        for (size_t i = 0; cc_json_next(&it); i++) {
            for (size_t j = 0; j < i; j++)
                if (cc_str_eq(seen[j], it.key)) return *key = it.key, true;
            seen[i] = it.key;
        }
        return false;
    }
    size_t slots = 16;
    while (slots < n * 2) slots *= 2;
    cc_str *table = CC_ARENA_ARRAY(a, cc_str, slots);
    while (cc_json_next(&it)) {
        size_t i = hash_of(it.key) & (slots - 1);
        for (; table[i].p; i = (i + 1) & (slots - 1))
            if (cc_str_eq(table[i], it.key)) return *key = it.key, true;
        table[i] = it.key;
    }
    return false;
}

// Depth is bounded, so recursion is.
static bool find_duplicate(cc_arena *a, const cc_json *v, cc_str *key) {
    cc_json_type t = cc_json_type_of(v);
    if (t != CC_JSON_OBJECT && t != CC_JSON_ARRAY) return false;
    if (t == CC_JSON_OBJECT && duplicate_in(a, v, key)) return true;
    cc_json_iter it = cc_json_iterate(v);
    while (cc_json_next(&it))
        if (find_duplicate(a, it.value, key)) return true;
    return false;
}

int cc_json_parse(cc_arena *a, cc_str text, unsigned max_depth, const cc_json **out, cc_error *err) {
    size_t at;
    if (too_deep(text, max_depth, &at))
        return cc_error_set(err, CC_VALIDATION, "JSON nests deeper than %u levels at byte %zu", max_depth, at);
    if (!text.n) return cc_error_set(err, CC_VALIDATION, "invalid JSON: the text is empty");
    yyjson_alc alc = {arena_malloc, arena_realloc, arena_release, a};
    yyjson_read_err why;
    // Without YYJSON_READ_INSITU the text is not written to, in spite of the type.
    yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text.p, text.n, YYJSON_READ_NUMBER_AS_RAW, &alc, &why);
    if (!doc) return cc_error_set(err, CC_VALIDATION, "invalid JSON at byte %zu: %s", why.pos, why.msg);
    const cc_json *root = (const cc_json *)yyjson_doc_get_root(doc);
    cc_str key;
    if (find_duplicate(a, root, &key)) {
        key = cc_utf8_prefix(key, 80);
        return cc_error_set(err, CC_VALIDATION, "invalid JSON: the key \"%.*s\" occurs twice in one object", (int)key.n, key.p);
    }
    *out = root;
    return 0;
}

cc_json_type cc_json_type_of(const cc_json *v) {
    switch (yyjson_get_type(mut(v))) {
    case YYJSON_TYPE_BOOL: return CC_JSON_BOOL;
    case YYJSON_TYPE_RAW: return CC_JSON_NUMBER;
    case YYJSON_TYPE_STR: return CC_JSON_STRING;
    case YYJSON_TYPE_ARR: return CC_JSON_ARRAY;
    case YYJSON_TYPE_OBJ: return CC_JSON_OBJECT;
    default: return CC_JSON_NULL;
    }
}

const char *cc_json_type_name(const cc_json *v) {
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    return names[cc_json_type_of(v)];
}

bool cc_json_bool(const cc_json *v) {
    assert(cc_json_type_of(v) == CC_JSON_BOOL);
    return yyjson_get_bool(mut(v));
}

cc_str cc_json_string(const cc_json *v) {
    assert(cc_json_type_of(v) == CC_JSON_STRING);
    return (cc_str){yyjson_get_str(mut(v)), yyjson_get_len(mut(v))};
}

cc_str cc_json_number(const cc_json *v) {
    assert(cc_json_type_of(v) == CC_JSON_NUMBER);
    return (cc_str){yyjson_get_raw(mut(v)), yyjson_get_len(mut(v))};
}

size_t cc_json_size(const cc_json *v) { return yyjson_is_obj(mut(v)) ? yyjson_obj_size(mut(v)) : yyjson_arr_size(mut(v)); }

const cc_json *cc_json_get(const cc_json *v, const char *key) {
    return v && yyjson_is_obj(mut(v)) ? (const cc_json *)yyjson_obj_get(mut(v), key) : NULL;
}

const cc_json *cc_json_get_type(const cc_json *v, const char *key, cc_json_type type) {
    const cc_json *member = cc_json_get(v, key);
    return member && cc_json_type_of(member) == type ? member : NULL;
}

bool cc_json_int64(const cc_json *v, int64_t *out) {
    if (cc_json_type_of(v) != CC_JSON_NUMBER) return false;
    cc_str s = cc_json_number(v);
    if (s.n > 20 || memchr(s.p, '.', s.n) || memchr(s.p, 'e', s.n) || memchr(s.p, 'E', s.n)) return false;
    char digits[24];
    memcpy(digits, s.p, s.n);
    digits[s.n] = 0;
    char *end;
    long long n = strtoll(digits, &end, 10);
    if (*end || n == INT64_MAX || n == INT64_MIN) return false; // the two ends of the range are nobody's argument
    *out = n;
    return true;
}

cc_json_iter cc_json_iterate(const cc_json *v) {
    bool container = yyjson_is_ctn(mut(v));
    return (cc_json_iter){.container_ = v, .left_ = container ? cc_json_size(v) : 0};
}

bool cc_json_next(cc_json_iter *it) {
    if (!it->left_) return false;
    bool object = yyjson_is_obj(mut(it->container_));
    // The first key or item follows the container's head; then each follows the last value.
    const yyjson_val *first = it->cursor_ ? val(it->cursor_) : (const yyjson_val *)unsafe_yyjson_get_first(mut(it->container_));
    if (object) {
        it->key = cc_json_string((const cc_json *)first);
        first++;
    }
    it->value = (const cc_json *)first;
    it->left_--;
    it->cursor_ = (const cc_json *)unsafe_yyjson_get_next((yyjson_val *)(uintptr_t)first);
    return true;
}

// ---- writing ----

static void separate(cc_jw *w) {
    if (w->comma) cc_buf_addc(w->buf, ',');
    w->comma = true;
}

static void open_with(cc_jw *w, char c) {
    separate(w);
    cc_buf_addc(w->buf, c);
    w->comma = false;
}

static void close_with(cc_jw *w, char c) {
    cc_buf_addc(w->buf, c);
    w->comma = true;
}

void cc_jw_object(cc_jw *w) { open_with(w, '{'); }
void cc_jw_end_object(cc_jw *w) { close_with(w, '}'); }
void cc_jw_array(cc_jw *w) { open_with(w, '['); }
void cc_jw_end_array(cc_jw *w) { close_with(w, ']'); }

static void quote(cc_buf *b, cc_str s) {
    cc_buf_reserve(b, s.n + 2);
    cc_buf_addc(b, '"');
    size_t from = 0, at = 0;
    while (at < s.n) {
        unsigned char c = (unsigned char)s.p[at];
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            at++;
            continue;
        }
        size_t n = c < 0x80 ? 0 : cc_utf8_len((cc_str){s.p + at, s.n - at});
        if (n) {
            at += n;
            continue;
        }
        cc_buf_add(b, s.p + from, at - from);
        switch (c) {
        case '"': cc_buf_addz(b, "\\\""); break;
        case '\\': cc_buf_addz(b, "\\\\"); break;
        case '\n': cc_buf_addz(b, "\\n"); break;
        case '\r': cc_buf_addz(b, "\\r"); break;
        case '\t': cc_buf_addz(b, "\\t"); break;
        default: c < 0x80 ? cc_buf_printf(b, "\\u%04x", c) : cc_buf_addz(b, "\xEF\xBF\xBD"); break;
        }
        from = ++at;
    }
    cc_buf_add(b, s.p + from, at - from);
    cc_buf_addc(b, '"');
}

void cc_jw_keys(cc_jw *w, cc_str key) {
    separate(w);
    quote(w->buf, key);
    cc_buf_addc(w->buf, ':');
    w->comma = false;
}

void cc_jw_key(cc_jw *w, const char *key) { cc_jw_keys(w, cc_str_of(key)); }

void cc_jw_string(cc_jw *w, cc_str s) {
    separate(w);
    quote(w->buf, s);
}

void cc_jw_raw(cc_jw *w, cc_str json) {
    separate(w);
    cc_buf_adds(w->buf, json);
}

void cc_jw_bool(cc_jw *w, bool v) { cc_jw_raw(w, v ? CC_STR("true") : CC_STR("false")); }
void cc_jw_null(cc_jw *w) { cc_jw_raw(w, CC_STR("null")); }

void cc_jw_int(cc_jw *w, int64_t v) {
    const int64_t exact = INT64_C(1) << 53;
    separate(w);
    cc_buf_printf(w->buf, v > exact || v < -exact ? "\"%lld\"" : "%lld", (long long)v);
}

void cc_jw_double(cc_jw *w, double v) {
    assert(isfinite(v));
    char text[40];
    for (int digits = 15; digits <= 17; digits++) { // 17 significant digits always read back as the same double
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v) break;
    }
    cc_jw_raw(w, cc_str_of(text));
}

void cc_jw_value(cc_jw *w, const cc_json *v) {
    cc_json_iter it = cc_json_iterate(v);
    switch (cc_json_type_of(v)) {
    case CC_JSON_NULL: cc_jw_null(w); break;
    case CC_JSON_BOOL: cc_jw_bool(w, cc_json_bool(v)); break;
    case CC_JSON_NUMBER: cc_jw_raw(w, cc_json_number(v)); break;
    case CC_JSON_STRING: cc_jw_string(w, cc_json_string(v)); break;
    case CC_JSON_ARRAY:
        cc_jw_array(w);
        while (cc_json_next(&it)) cc_jw_value(w, it.value);
        cc_jw_end_array(w);
        break;
    case CC_JSON_OBJECT:
        cc_jw_object(w);
        while (cc_json_next(&it)) {
            cc_jw_keys(w, it.key);
            cc_jw_value(w, it.value);
        }
        cc_jw_end_object(w);
        break;
    }
}

void cc_jw_kstring(cc_jw *w, const char *key, cc_str v) {
    cc_jw_key(w, key);
    cc_jw_string(w, v);
}

void cc_jw_kstringz(cc_jw *w, const char *key, const char *v) { cc_jw_kstring(w, key, cc_str_of(v)); }

void cc_jw_kstrings(cc_jw *w, const char *key, const cc_str *items, size_t n) {
    if (!n) return;
    cc_jw_key(w, key);
    cc_jw_array(w);
    for (size_t i = 0; i < n; i++) cc_jw_string(w, items[i]);
    cc_jw_end_array(w);
}

void cc_jw_kbool(cc_jw *w, const char *key, bool v) {
    cc_jw_key(w, key);
    cc_jw_bool(w, v);
}

void cc_jw_kint(cc_jw *w, const char *key, int64_t v) {
    cc_jw_key(w, key);
    cc_jw_int(w, v);
}

void cc_jw_kdouble(cc_jw *w, const char *key, double v) {
    cc_jw_key(w, key);
    cc_jw_double(w, v);
}

void cc_jw_kraw(cc_jw *w, const char *key, cc_str json) {
    cc_jw_key(w, key);
    cc_jw_raw(w, json);
}
