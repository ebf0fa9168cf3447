// JSON, strictly (RFC 8259): the only code that knows the JSON library (yyjson). Values keep numbers as their digits, strings
// with their length (NUL inside is fine), and keys with their case. Writing goes straight into a buffer, without a tree.
#ifndef CODECALC_JSON_H
#define CODECALC_JSON_H

#include "codecalc/base.h"

// Version of the JSON library (yyjson). Static.
const char *cc_json_library_version(void);

// ---- reading ----

typedef struct cc_json cc_json; // a value inside a parsed document; owned by the arena it was parsed into

typedef enum cc_json_type { CC_JSON_NULL, CC_JSON_BOOL, CC_JSON_NUMBER, CC_JSON_STRING, CC_JSON_ARRAY, CC_JSON_OBJECT } cc_json_type;

#define CC_JSON_MAX_DEPTH 64

// Parses exactly one value (nothing but white space around it) into the arena: valid UTF-8, no duplicate keys, depth at most
// max_depth. 0, or -1 with a CC_VALIDATION message that gives the byte offset.
int cc_json_parse(cc_arena *a, cc_str text, unsigned max_depth, const cc_json **out, cc_error *err);

cc_json_type cc_json_type_of(const cc_json *v);
const char *cc_json_type_name(const cc_json *v); // "null", "boolean", "number", "string", "array", "object"
// The accessors below ask for the right type (asserted).
bool cc_json_bool(const cc_json *v);
cc_str cc_json_string(const cc_json *v);
cc_str cc_json_number(const cc_json *v); // its text, exactly as sent
size_t cc_json_size(const cc_json *v);   // members or items
// The value at a key, NULL when v is NULL, not an object, or has no such key. Exact case.
const cc_json *cc_json_get(const cc_json *v, const char *key);
// As cc_json_get, and NULL also when the value is of another type.
const cc_json *cc_json_get_type(const cc_json *v, const char *key, cc_json_type type);
// True, with the value in *out, when v is a number written as an integer that fits.
bool cc_json_int64(const cc_json *v, int64_t *out);

// Members or items in order:  cc_json_iter it = cc_json_iterate(v); while (cc_json_next(&it)) … it.key, it.value
typedef struct cc_json_iter {
    cc_str key; // of an object's member
    const cc_json *value;
    const cc_json *container_, *cursor_;
    size_t left_;
} cc_json_iter;
cc_json_iter cc_json_iterate(const cc_json *v);
bool cc_json_next(cc_json_iter *it);

// ---- writing ----

// Writes one document into a buffer that the caller owns; commas are put by the writer. Strings are always sent as valid
// UTF-8 (an invalid byte becomes U+FFFD).
typedef struct cc_jw {
    cc_buf *buf;
    bool comma;
} cc_jw;

static inline cc_jw cc_jw_make(cc_buf *buf) { return (cc_jw){buf, false}; }
void cc_jw_object(cc_jw *w);
void cc_jw_end_object(cc_jw *w);
void cc_jw_array(cc_jw *w);
void cc_jw_end_array(cc_jw *w);
void cc_jw_key(cc_jw *w, const char *key);
void cc_jw_keys(cc_jw *w, cc_str key);
void cc_jw_string(cc_jw *w, cc_str s);
void cc_jw_bool(cc_jw *w, bool v);
void cc_jw_null(cc_jw *w);
// An integer that a double cannot hold exactly (|v| > 2^53) is written as a string of its digits.
void cc_jw_int(cc_jw *w, int64_t v);
// The shortest decimal that reads back as v; v is finite (asserted).
void cc_jw_double(cc_jw *w, double v);
// Text that already is one JSON value.
void cc_jw_raw(cc_jw *w, cc_str json);
// A value that was read, written back unchanged (numbers digit for digit).
void cc_jw_value(cc_jw *w, const cc_json *v);

// key and value in one call
void cc_jw_kstring(cc_jw *w, const char *key, cc_str v);
void cc_jw_kstringz(cc_jw *w, const char *key, const char *v);
void cc_jw_kbool(cc_jw *w, const char *key, bool v);
void cc_jw_kint(cc_jw *w, const char *key, int64_t v);
void cc_jw_kdouble(cc_jw *w, const char *key, double v);
void cc_jw_kraw(cc_jw *w, const char *key, cc_str json);
void cc_jw_kstrings(cc_jw *w, const char *key, const cc_str *items, size_t n); // a list; nothing at all when n = 0

#endif
