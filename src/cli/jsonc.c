// Editing JSON with comments as text: finds the place of one member and splices there, so that every other byte of somebody's
// configuration file stays what it was. Called by setup and the fuzz target. Pure: reads a text, appends to a buffer.
// Never re-serialises a document, never guesses: what does not parse, or is ambiguous (a key twice), is refused.
#include "codecalc/cli.h"

#define DEPTH_MAX 200

typedef struct scan {
    cc_str text;
    size_t at;
    unsigned depth;
    cc_buf *strict; // receives the same value as strict JSON; may be NULL
    cc_error *err;
} scan;

// ---- the scanner ----

static int fail_at(scan *s, size_t at, const char *what) {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at; i++) {
        char c = s->text.p[i];
        if (c != '\n' && c != '\r') continue;
        if (c == '\r' && i + 1 < at && s->text.p[i + 1] == '\n') i++;
        line++;
        start = i + 1;
    }
    return cc_error_set(s->err, CC_VALIDATION, "line %zu, column %zu: %s", line, at - start + 1, what);
}

static bool more(const scan *s) { return s->at < s->text.n; }
static char look(const scan *s) { return more(s) ? s->text.p[s->at] : 0; }
static bool is_eol(char c) { return c == '\n' || c == '\r'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static void emit(scan *s, size_t from, size_t to) {
    if (s->strict) cc_buf_add(s->strict, s->text.p + from, to - from);
}

static void emit_char(scan *s, char c) {
    if (s->strict) cc_buf_addc(s->strict, c);
}

// At a comment: skips it and returns true (a line comment's end of line stays).
static bool skip_comment(scan *s, bool *unterminated) {
    cc_str rest = {s->text.p + s->at, s->text.n - s->at};
    if (cc_str_starts(rest, CC_STR("//"))) {
        while (more(s) && !is_eol(look(s))) s->at++;
        return true;
    }
    if (!cc_str_starts(rest, CC_STR("/*"))) return false;
    const char *end = memmem(rest.p + 2, rest.n - 2, "*/", 2);
    *unterminated = !end;
    s->at += end ? (size_t)(end - rest.p) + 2 : 0;
    return end != NULL;
}

static int skip_trivia(scan *s) {
    bool unterminated = false;
    for (;;) {
        while (is_blank(look(s)) || is_eol(look(s))) s->at++;
        if (skip_comment(s, &unterminated)) continue;
        return unterminated ? fail_at(s, s->at, "a comment that does not end") : 0;
    }
}

static int scan_string(scan *s) {
    size_t from = s->at++;
    for (;; s->at++) {
        if (!more(s)) return fail_at(s, from, "a string that does not end");
        unsigned char c = (unsigned char)look(s);
        if (c == '"') break;
        if (c < 0x20) return fail_at(s, s->at, "a control character in a string");
        if (c != '\\') continue;
        s->at++;
        char e = look(s);
        if (!e || !memchr("\"\\/bfnrtu", e, 9)) return fail_at(s, s->at, "an unknown escape in a string");
        if (e != 'u') continue;
        for (int i = 0; i < 4; i++) {
            s->at++;
            char h = look(s);
            if (!((h >= '0' && h <= '9') || (h >= 'a' && h <= 'f') || (h >= 'A' && h <= 'F')))
                return fail_at(s, s->at, "\\u takes four hexadecimal digits");
        }
    }
    s->at++;
    emit(s, from, s->at);
    return 0;
}

static size_t scan_digits(scan *s) {
    size_t from = s->at;
    while (look(s) >= '0' && look(s) <= '9') s->at++;
    return s->at - from;
}

static int scan_scalar(scan *s) {
    static const char *const words[] = {"true", "false", "null"};
    size_t from = s->at;
    for (size_t i = 0; i < CC_ARRAY_LEN(words); i++) {
        cc_str w = cc_str_of(words[i]);
        if (!cc_str_starts((cc_str){s->text.p + s->at, s->text.n - s->at}, w)) continue;
        s->at += w.n;
        emit(s, from, s->at);
        return 0;
    }
    if (look(s) == '-') s->at++;
    bool zero = look(s) == '0';
    size_t digits = scan_digits(s);
    bool bad = !digits || (zero && digits > 1);
    if (!bad && look(s) == '.') s->at++, bad = !scan_digits(s);
    if (!bad && (look(s) == 'e' || look(s) == 'E')) {
        s->at++;
        if (look(s) == '+' || look(s) == '-') s->at++;
        bad = !scan_digits(s);
    }
    if (bad) return fail_at(s, from, more(s) ? "not a JSON value" : "the text ends where a value should be");
    emit(s, from, s->at);
    return 0;
}

// One member of an object that the caller of scan_object is looking for, and the places around it.
typedef struct object_view {
    size_t open, close; // positions of the braces
    size_t first_key;   // of the first member; = close when there is none
    size_t members;
    unsigned found;               // how often the wanted key occurs; the fields below are of its last occurrence
    size_t key, value, value_end; // [value, value_end) is the value's text
    size_t comma, comma_before;   // 0 = none
    bool spaced;                  // a blank follows the colon of the first member
} object_view;

static int scan_value(scan *s);

// Compares a key as written (quotes and escapes included) with its meaning.
static bool key_is(cc_str raw, cc_str wanted) {
    if (!memchr(raw.p, '\\', raw.n)) return cc_str_eq((cc_str){raw.p + 1, raw.n - 2}, wanted);
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error ignored;
    return !cc_json_parse(&a, raw, 1, &v, &ignored) && cc_str_eq(cc_json_string(v), wanted);
}

// At '{'. view may be NULL.
static int scan_object(scan *s, cc_str wanted, object_view *view) {
    object_view v = {.open = s->at++};
    size_t comma_before = 0;
    bool counts = false;
    emit_char(s, '{');
    for (;;) {
        if (skip_trivia(s)) return -1;
        if (look(s) == '}') break;
        if (look(s) != '"')
            return fail_at(s, s->at, more(s) ? "a key in double quotes or '}' should be here" : "the text ends inside an object");
        if (v.members) emit_char(s, ',');
        size_t key = s->at;
        if (scan_string(s)) return -1;
        size_t key_end = s->at;
        if (skip_trivia(s)) return -1;
        if (look(s) != ':') return fail_at(s, s->at, "':' should follow a key");
        emit_char(s, ':');
        s->at++;
        if (!v.members++) {
            v.first_key = key;
            v.spaced = is_blank(look(s)) || is_eol(look(s));
        }
        if (skip_trivia(s)) return -1;
        size_t value = s->at;
        if (scan_value(s)) return -1;
        size_t value_end = s->at;
        counts = view && key_is((cc_str){s->text.p + key, key_end - key}, wanted);
        if (counts) {
            v.found++;
            v.key = key, v.value = value, v.value_end = value_end;
            v.comma_before = comma_before, v.comma = 0;
        }
        if (skip_trivia(s)) return -1;
        if (look(s) == ',') {
            if (counts) v.comma = s->at;
            comma_before = s->at++;
        } else if (look(s) != '}') {
            return fail_at(s, s->at, more(s) ? "',' or '}' should be here" : "the text ends inside an object");
        }
    }
    v.close = s->at++;
    if (!v.members) v.first_key = v.close;
    emit_char(s, '}');
    if (view) *view = v;
    return 0;
}

static int scan_array(scan *s) {
    s->at++;
    emit_char(s, '[');
    for (size_t items = 0;; items++) {
        if (skip_trivia(s)) return -1;
        if (look(s) == ']') break;
        if (items) emit_char(s, ',');
        if (scan_value(s) || skip_trivia(s)) return -1;
        if (look(s) == ',')
            s->at++;
        else if (look(s) != ']')
            return fail_at(s, s->at, more(s) ? "',' or ']' should be here" : "the text ends inside an array");
    }
    s->at++;
    emit_char(s, ']');
    return 0;
}

static int scan_value(scan *s) {
    if (s->depth == DEPTH_MAX) return fail_at(s, s->at, "nested too deeply");
    s->depth++;
    char c = look(s);
    int rc = c == '{' ? scan_object(s, (cc_str){0}, NULL) : c == '[' ? scan_array(s) : c == '"' ? scan_string(s) : scan_scalar(s);
    s->depth--;
    return rc;
}

// Scans a whole document. *root is where its value begins, or the end of the text when there is none.
static int scan_document(cc_str text, cc_buf *strict, size_t *root, cc_error *err) {
    if (!text.n) text.p = ""; // so that it can be pointed into
    scan s = {.text = text, .strict = strict, .err = err};
    if (!cc_utf8_valid(text)) return cc_error_set(err, CC_VALIDATION, "the text is not valid UTF-8");
    if (cc_str_starts(text, CC_STR("\xEF\xBB\xBF"))) s.at = 3;
    if (skip_trivia(&s)) return -1;
    *root = s.at;
    if (!more(&s)) return 0;
    if (scan_value(&s) || skip_trivia(&s)) return -1;
    return more(&s) ? fail_at(&s, s.at, "text after the end of the document") : 0;
}

int cc_jsonc_parse(cc_arena *a, cc_str text, const cc_json **out, cc_error *err) {
    CC_CLEANUP_BUF cc_buf strict = {0};
    size_t root;
    *out = NULL;
    if (scan_document(text, &strict, &root, err)) return -1;
    return root == text.n ? 0 : cc_json_parse(a, cc_buf_str(&strict), DEPTH_MAX + 1, out, err);
}

// ---- finding the member ----

// Scans the object at position at (validated before) for key.
static int view_object(cc_str text, size_t at, cc_str key, object_view *view, cc_error *err) {
    scan s = {.text = text, .at = at, .err = err};
    if (look(&s) != '{') return fail_at(&s, at, at ? "an object should be here" : "the document should be an object");
    if (scan_object(&s, key, view)) return -1;
    if (view->found > 1) return fail_at(&s, view->key, "the same key occurs twice in this object");
    return 0;
}

// The innermost object on the path that exists: *level is the number of keys passed; view->found tells whether the next is there.
static int walk(cc_str text, const cc_str *path, size_t depth, size_t root, size_t *level, object_view *view, cc_error *err) {
    size_t at = root;
    for (*level = 0;; ++*level) {
        if (view_object(text, at, path[*level], view, err)) return -1;
        if (!view->found || *level + 1 == depth) return 0;
        at = view->value;
    }
}

// ---- writing a value in the style of its surroundings ----

typedef struct style {
    const char *eol; // NULL: everything on one line
    cc_str indent;   // of the line that the member stands on
    cc_str unit;
    bool spaced; // a blank after ':' and ','
} style;

static void new_line(cc_buf *out, const style *st, unsigned level) {
    cc_buf_addz(out, st->eol);
    cc_buf_adds(out, st->indent);
    for (unsigned i = 0; i < level; i++) cc_buf_adds(out, st->unit);
}

static bool flat(const cc_json *v) {
    cc_json_iter it = cc_json_iterate(v);
    while (cc_json_next(&it))
        if (cc_json_type_of(it.value) >= CC_JSON_ARRAY) return false;
    return true;
}

static void write_string(cc_buf *out, cc_str s) {
    cc_jw w = cc_jw_make(out);
    cc_jw_string(&w, s);
}

static void write_value(cc_buf *out, const cc_json *v, const style *st, unsigned level) {
    cc_json_type type = cc_json_type_of(v);
    if (type < CC_JSON_ARRAY || !cc_json_size(v)) {
        cc_jw w = cc_jw_make(out);
        cc_jw_value(&w, v);
        return;
    }
    bool object = type == CC_JSON_OBJECT, lines = st->eol && (object || !flat(v));
    cc_buf_addc(out, object ? '{' : '[');
    cc_json_iter it = cc_json_iterate(v);
    for (bool first = true; cc_json_next(&it); first = false) {
        if (!first) cc_buf_addz(out, lines || !st->spaced ? "," : ", ");
        if (lines) new_line(out, st, level + 1);
        if (object) {
            write_string(out, it.key);
            cc_buf_addz(out, st->spaced ? ": " : ":");
        }
        write_value(out, it.value, st, level + 1);
    }
    if (lines) new_line(out, st, level);
    cc_buf_addc(out, object ? '}' : ']');
}

static const char *eol_of(cc_str text) {
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\n') return "\n";
        if (text.p[i] == '\r') return i + 1 < text.n && text.p[i + 1] == '\n' ? "\r\n" : "\r";
    }
    return "\n";
}

static size_t line_start(cc_str text, size_t at) {
    while (at && !is_eol(text.p[at - 1])) at--;
    return at == 0 && cc_str_starts(text, CC_STR("\xEF\xBB\xBF")) ? 3 : at;
}

// The blanks that the line of `at` begins with.
static cc_str indent_of(cc_str text, size_t at) {
    size_t from = line_start(text, at), to = from;
    while (to < text.n && is_blank(text.p[to])) to++;
    return (cc_str){text.p + from, to - from};
}

// True when nothing but blanks stands before `at` on its line.
static bool first_on_line(cc_str text, size_t at) { return line_start(text, at) + indent_of(text, at).n == at; }

// The step of indentation of an object that has members on lines of their own; empty when it cannot be told.
static cc_str unit_of(cc_str text, const object_view *v) {
    if (!v->members || !first_on_line(text, v->first_key) || line_start(text, v->first_key) == line_start(text, v->open))
        return (cc_str){0};
    cc_str outer = indent_of(text, v->open), inner = indent_of(text, v->first_key);
    return cc_str_starts(inner, outer) ? (cc_str){inner.p + outer.n, inner.n - outer.n} : (cc_str){0};
}

static cc_str unit_for(cc_str text, const object_view *v, size_t root) {
    cc_str unit = unit_of(text, v);
    object_view outer;
    cc_error ignored;
    if (!unit.n && !view_object(text, root, CC_STR(""), &outer, &ignored)) unit = unit_of(text, &outer);
    return unit.n ? unit : CC_STR("  ");
}

static bool on_one_line(cc_str text, size_t root) {
    object_view v;
    cc_error ignored;
    if (view_object(text, root, (cc_str){0}, &v, &ignored)) return false;
    return !memchr(text.p + root, '\n', v.close - root) && !memchr(text.p + root, '\r', v.close - root);
}

static void replace_span(cc_buf *out, cc_str text, size_t from, size_t to, cc_str with) {
    cc_buf_add(out, text.p, from);
    cc_buf_adds(out, with);
    cc_buf_add(out, text.p + to, text.n - to);
}

// ---- set ----

static void insert_member(cc_str text, const object_view *v, size_t root, cc_str key, const cc_json *value, cc_buf *out) {
    scan s = {.text = text, .at = v->open + 1};
    bool unterminated;
    do
        while (is_blank(look(&s))) s.at++;
    while (skip_comment(&s, &unterminated));
    bool at_eol = is_eol(look(&s));
    // An empty object on one line of a file with lines is opened up; one with members on its own line keeps to that line.
    bool lines = at_eol || (!v->members && (v->open == root || !on_one_line(text, root)));
    cc_buf indent = {0};
    style st = {.spaced = v->members ? v->spaced : true};
    if (lines) {
        st.eol = eol_of(text);
        st.unit = unit_for(text, v, root);
        bool aligned = v->members && first_on_line(text, v->first_key);
        cc_buf_adds(&indent, indent_of(text, aligned ? v->first_key : v->open));
        if (!aligned) cc_buf_adds(&indent, st.unit);
        st.indent = cc_buf_str(&indent);
    }
    CC_CLEANUP_BUF cc_buf member = {0};
    if (lines) new_line(&member, &st, 0);
    write_string(&member, key);
    cc_buf_addz(&member, st.spaced ? ": " : ":");
    write_value(&member, value, &st, 0);
    if (v->members) cc_buf_addz(&member, lines || !st.spaced ? "," : ", ");
    if (lines && !at_eol) {
        cc_buf_addz(&member, st.eol);
        cc_buf_adds(&member, indent_of(text, v->open));
    }
    size_t at = lines ? (at_eol ? s.at : v->open + 1) : (v->members ? v->first_key : v->open + 1);
    replace_span(out, text, at, at, cc_buf_str(&member));
    cc_buf_free(&indent);
}

static bool equal(const cc_json *a, const cc_json *b) {
    cc_json_type type = cc_json_type_of(a);
    if (type != cc_json_type_of(b)) return false;
    switch (type) {
    case CC_JSON_NULL: return true;
    case CC_JSON_BOOL: return cc_json_bool(a) == cc_json_bool(b);
    case CC_JSON_NUMBER: return cc_str_eq(cc_json_number(a), cc_json_number(b));
    case CC_JSON_STRING: return cc_str_eq(cc_json_string(a), cc_json_string(b));
    case CC_JSON_ARRAY:
    case CC_JSON_OBJECT: break;
    }
    if (cc_json_size(a) != cc_json_size(b)) return false;
    cc_json_iter x = cc_json_iterate(a), y = cc_json_iterate(b);
    while (cc_json_next(&x) && cc_json_next(&y))
        if ((type == CC_JSON_OBJECT && !cc_str_eq(x.key, y.key)) || !equal(x.value, y.value)) return false;
    return true;
}

int cc_jsonc_set(cc_str text, const cc_str *path, size_t depth, cc_str value, cc_buf *out, cc_error *err) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    size_t root, level = 0;
    if (scan_document(text, NULL, &root, err)) return -1;
    object_view v = {0};
    bool empty = root == text.n;
    if (!empty && walk(text, path, depth, root, &level, &v, err)) return -1;

    // What is missing of the path becomes objects around the value.
    CC_CLEANUP_BUF cc_buf wrapped = {0};
    size_t outermost = empty ? 0 : level + 1;
    cc_jw w = cc_jw_make(&wrapped);
    for (size_t i = outermost; i < depth; i++) {
        cc_jw_object(&w);
        cc_jw_keys(&w, path[i]);
    }
    cc_jw_raw(&w, value);
    for (size_t i = outermost; i < depth; i++) cc_jw_end_object(&w);
    const cc_json *wanted;
    if (cc_json_parse(&a, cc_buf_str(&wrapped), DEPTH_MAX, &wanted, err)) return -1;

    if (empty) {
        style st = {.eol = eol_of(text), .unit = CC_STR("  "), .spaced = true};
        cc_buf_adds(out, text);
        if (text.n && !is_eol(text.p[text.n - 1]) && memchr(text.p, '/', text.n)) cc_buf_addz(out, st.eol); // a last line of comment
        write_value(out, wanted, &st, 0);
        cc_buf_addz(out, st.eol);
        return 0;
    }
    if (!v.found) {
        insert_member(text, &v, root, path[level], wanted, out);
        return 0;
    }
    const cc_json *present;
    if (cc_jsonc_parse(&a, (cc_str){text.p + v.value, v.value_end - v.value}, &present, err)) return -1;
    if (equal(present, wanted)) {
        cc_buf_adds(out, text);
        return 0;
    }
    CC_CLEANUP_BUF cc_buf fresh = {0};
    bool lines = first_on_line(text, v.key);
    style st = {.eol = lines ? eol_of(text) : NULL, .indent = indent_of(text, v.key), .unit = unit_for(text, &v, root), .spaced = v.spaced};
    write_value(&fresh, wanted, &st, 0);
    replace_span(out, text, v.value, v.value_end, cc_buf_str(&fresh));
    return 0;
}

// ---- remove ----

static bool only_blanks(cc_str text, size_t from, size_t to) {
    for (; from < to; from++)
        if (!is_blank(text.p[from]) && !is_eol(text.p[from])) return false;
    return true;
}

int cc_jsonc_remove(cc_str text, const cc_str *path, size_t depth, cc_buf *out, cc_error *err) {
    size_t root, level;
    object_view v = {0};
    if (scan_document(text, NULL, &root, err)) return -1;
    if (root < text.n && walk(text, path, depth, root, &level, &v, err)) return -1;
    if (!v.found) {
        cc_buf_adds(out, text);
        return 0;
    }
    // [from, to) is the member with the comma after it, and its whole lines when it has them for itself.
    size_t from = v.key, to = v.comma ? v.comma + 1 : v.value_end;
    bool near_comma = !v.comma || only_blanks(text, v.value_end, v.comma);
    if (!near_comma) to = v.value_end; // a comment stands between: the comma goes by itself
    size_t after = to;
    while (after < text.n && is_blank(text.p[after])) after++;
    bool whole_lines = first_on_line(text, from) && after < text.n && is_eol(text.p[after]);
    if (v.members == 1 && only_blanks(text, v.open + 1, from) && only_blanks(text, to, v.close)) {
        from = v.open + 1, to = v.close; // the last member of all: {}
    } else if (whole_lines) {
        from = line_start(text, from);
        to = after + (text.p[after] == '\r' && after + 1 < text.n && text.p[after + 1] == '\n' ? 2 : 1);
    } else if (v.comma) {
        to = after;
    } else if (v.comma_before && only_blanks(text, v.comma_before + 1, from)) {
        from = v.comma_before;
    }
    // Without a comma after it, the one before it would be left dangling.
    bool dangling = !v.comma && v.comma_before && from > v.comma_before;
    size_t first_end = dangling ? v.comma_before : from;
    cc_buf_add(out, text.p, first_end);
    if (dangling) cc_buf_add(out, text.p + v.comma_before + 1, from - v.comma_before - 1);
    if (near_comma) {
        cc_buf_add(out, text.p + to, text.n - to);
    } else {
        cc_buf_add(out, text.p + to, v.comma - to);
        cc_buf_add(out, text.p + v.comma + 1, text.n - v.comma - 1);
    }
    return 0;
}
