// Editing one server table of a TOML configuration as text. Called by setup. Pure: reads a text, appends to a buffer. Scans every
// statement of the file first; what is not understood, or says the same thing in another form (dotted keys, an inline table), is
// refused rather than guessed at, and every byte outside the edited lines is kept.
#include <assert.h>

#include "codecalc/cli.h"

enum { SEGMENTS_MAX = 16, NESTING_MAX = 64 };

typedef struct key_path {
    cc_str part[SEGMENTS_MAX];
    size_t n;
} key_path;

typedef enum statement_kind { END, BLANK, TABLE, TABLE_ARRAY, PAIR } statement_kind;

typedef struct statement {
    statement_kind kind;
    size_t from, to; // its lines, end of line included
    key_path key;
    size_t value, value_end;
} statement;

typedef struct scan {
    cc_str text;
    size_t at;
    unsigned depth;
    cc_error *err;
} scan;

static char look(const scan *s) { return s->at < s->text.n ? s->text.p[s->at] : 0; }
static bool at_text(const scan *s, const char *z) { return cc_str_starts((cc_str){s->text.p + s->at, s->text.n - s->at}, cc_str_of(z)); }
static bool at_eol(const scan *s) { return look(s) == '\n' || at_text(s, "\r\n"); }

static int refuse(scan *s, size_t at, const char *what) {
    size_t line = 1;
    for (size_t i = 0; i < at; i++) line += s->text.p[i] == '\n';
    return cc_error_set(s->err, CC_VALIDATION, "line %zu: %s", line, what);
}

static void skip_blanks(scan *s) {
    while (look(s) == ' ' || look(s) == '\t') s->at++;
}

static void skip_comment(scan *s) {
    if (look(s) != '#') return;
    while (s->at < s->text.n && !at_eol(s)) s->at++;
}

static void skip_lines(scan *s) { // blanks, comments and ends of line, inside brackets
    for (;;) {
        skip_blanks(s);
        skip_comment(s);
        if (!at_eol(s)) return;
        s->at += look(s) == '\r' ? 2 : 1;
    }
}

// ---- strings, keys and values ----

static int scan_quoted(scan *s) {
    char q = look(s);
    size_t from = s->at;
    bool basic = q == '"', lines = at_text(s, basic ? "\"\"\"" : "'''");
    const char *end = lines ? (basic ? "\"\"\"" : "'''") : (basic ? "\"" : "'");
    s->at += strlen(end);
    while (!at_text(s, end)) {
        if (s->at >= s->text.n || (!lines && at_eol(s))) return refuse(s, from, "a string that does not end");
        if ((unsigned char)look(s) < 0x20 && look(s) != '\t' && !at_eol(s) && look(s) != '\n')
            return refuse(s, s->at, "a control character in a string");
        if (basic && look(s) == '\\' && s->at + 1 < s->text.n) s->at++;
        s->at++;
    }
    s->at += strlen(end);
    for (int i = 0; lines && i < 2 && look(s) == q; i++) s->at++; // """ a quote at the end""""
    return 0;
}

static bool is_bare(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

static int scan_key(scan *s, key_path *key) {
    key->n = 0;
    for (;;) {
        skip_blanks(s);
        size_t from = s->at;
        cc_str part;
        if (look(s) == '"' || look(s) == '\'') {
            if (at_text(s, "\"\"\"") || at_text(s, "'''")) return refuse(s, from, "a key over several lines");
            if (scan_quoted(s)) return -1;
            part = (cc_str){s->text.p + from + 1, s->at - from - 2};
            if (s->text.p[from] == '"' && memchr(part.p, '\\', part.n)) return refuse(s, from, "an escape in a key is not understood here");
        } else {
            while (is_bare(look(s))) s->at++;
            part = (cc_str){s->text.p + from, s->at - from};
            if (!part.n) return refuse(s, from, "a key should be here");
        }
        if (key->n == SEGMENTS_MAX) return refuse(s, from, "a key with too many parts");
        key->part[key->n++] = part;
        skip_blanks(s);
        if (look(s) != '.') return 0;
        s->at++;
    }
}

static int scan_value(scan *s);

static int scan_bracketed(scan *s) {
    bool table = look(s) == '{';
    char close = table ? '}' : ']';
    size_t from = s->at++;
    for (;;) {
        skip_lines(s);
        if (look(s) == close) break;
        if (table) {
            key_path ignored;
            if (scan_key(s, &ignored)) return -1;
            if (look(s) != '=') return refuse(s, s->at, "'=' should follow a key");
            s->at++;
            skip_blanks(s);
        }
        if (scan_value(s)) return -1;
        skip_lines(s);
        if (look(s) == ',')
            s->at++;
        else if (look(s) != close)
            return refuse(s, s->at < s->text.n ? s->at : from, table ? "an inline table that does not end" : "an array that does not end");
    }
    s->at++;
    return 0;
}

// Numbers, dates, true and false are told by their characters alone: they are never changed here.
static int scan_bare_value(scan *s) {
    size_t from = s->at;
    while (is_bare(look(s)) || (look(s) && memchr("+.:", look(s), 3))) s->at++;
    bool date = s->at - from == 10 && s->text.p[from + 4] == '-';
    if (date && look(s) == ' ' && s->at + 1 < s->text.n && s->text.p[s->at + 1] >= '0' && s->text.p[s->at + 1] <= '9') {
        s->at++;
        while (is_bare(look(s)) || (look(s) && memchr("+.:", look(s), 3))) s->at++;
    }
    cc_str word = {s->text.p + from, s->at - from};
    bool number = word.n && memchr("+-0123456789", word.p[0], 12);
    static const char *const words[] = {"true", "false", "inf", "nan"};
    for (size_t i = 0; i < CC_ARRAY_LEN(words); i++) number |= cc_str_eqz(word, words[i]);
    return number ? 0 : refuse(s, from, "a value should be here");
}

static int scan_value(scan *s) {
    if (s->depth == NESTING_MAX) return refuse(s, s->at, "nested too deeply");
    s->depth++;
    char c = look(s);
    int rc = c == '"' || c == '\'' ? scan_quoted(s) : c == '[' || c == '{' ? scan_bracketed(s) : scan_bare_value(s);
    s->depth--;
    return rc;
}

// ---- statements ----

static int next_statement(scan *s, statement *st) {
    *st = (statement){.kind = END, .from = s->at};
    if (s->at >= s->text.n) return 0;
    skip_blanks(s);
    if (look(s) == '[') {
        bool array = at_text(s, "[[");
        st->kind = array ? TABLE_ARRAY : TABLE;
        s->at += array ? 2 : 1;
        if (scan_key(s, &st->key)) return -1;
        if (!at_text(s, array ? "]]" : "]")) return refuse(s, s->at, "']' should end the table's name");
        s->at += array ? 2 : 1;
    } else if (look(s) == '#' || at_eol(s) || s->at >= s->text.n) {
        st->kind = BLANK;
    } else {
        st->kind = PAIR;
        if (scan_key(s, &st->key)) return -1;
        if (look(s) != '=') return refuse(s, s->at, "'=' should follow a key");
        s->at++;
        skip_blanks(s);
        st->value = s->at;
        if (scan_value(s)) return -1;
        st->value_end = s->at;
    }
    skip_blanks(s);
    skip_comment(s);
    if (s->at < s->text.n) {
        if (!at_eol(s)) return refuse(s, s->at, "one statement a line");
        s->at += look(s) == '\r' ? 2 : 1;
    }
    st->to = s->at;
    return 0;
}

static bool starts_with(const key_path *key, const cc_str *path, size_t depth) {
    if (key->n < depth) return false;
    for (size_t i = 0; i < depth; i++)
        if (!cc_str_eq(key->part[i], path[i])) return false;
    return true;
}

static bool is_prefix(const key_path *key, const cc_str *path, size_t depth) { return key->n <= depth && starts_with(key, path, key->n); }

static int append_path(scan *s, size_t at, key_path *full, const key_path *key) {
    for (size_t i = 0; i < key->n; i++) {
        if (full->n == SEGMENTS_MAX) return refuse(s, at, "a key with too many parts");
        full->part[full->n++] = key->part[i];
    }
    return 0;
}

// ---- the table that is looked for ----

typedef struct view {
    bool table;            // [path] is there
    size_t last, last_end; // its last line that says something
    bool key;              // and the key in it
    size_t value, value_end;
    size_t n_spans; // sections of [path] and what lies below it, each from its header to its last statement
    struct {
        size_t from, to;
    } span[SEGMENTS_MAX];
} view;

static int look_over(cc_str text, const cc_str *path, size_t depth, cc_str wanted, view *v, cc_error *err) {
    *v = (view){0};
    if (!text.n) text.p = ""; // so that it can be pointed into
    if (!cc_utf8_valid(text)) return cc_error_set(err, CC_VALIDATION, "the text is not valid UTF-8");
    scan s = {.text = text, .at = cc_str_starts(text, CC_STR("\xEF\xBB\xBF")) ? 3 : 0, .err = err};
    key_path current = {0};
    bool here = false, below = false; // inside [path]; inside it or a table under it
    for (statement st;;) {
        if (next_statement(&s, &st)) return -1;
        if (st.kind == END) return 0;
        if (st.kind == BLANK) continue;
        if (st.kind != PAIR) {
            current = st.key;
            below = starts_with(&current, path, depth);
            here = below && current.n == depth;
            if (st.kind == TABLE_ARRAY && is_prefix(&current, path, depth))
                return refuse(&s, st.from, "an array of tables stands where the server's table should be");
            if (here && v->table) return refuse(&s, st.from, "the same table occurs twice");
            v->table |= here;
            if (below) {
                if (v->n_spans == CC_ARRAY_LEN(v->span)) return refuse(&s, st.from, "too many tables of the server");
                v->span[v->n_spans].from = st.from;
                v->span[v->n_spans++].to = st.to;
            }
        } else {
            key_path full = current;
            if (append_path(&s, st.from, &full, &st.key)) return -1;
            if (!below && (is_prefix(&full, path, depth) || starts_with(&full, path, depth)))
                return refuse(&s, st.from, "the server is written as an inline table or with dotted keys, which are not edited here");
            if (below) v->span[v->n_spans - 1].to = st.to;
            if (here && st.key.n == 1 && cc_str_eq(st.key.part[0], wanted)) {
                if (v->key) return refuse(&s, st.from, "the same key occurs twice");
                v->key = true;
                v->value = st.value, v->value_end = st.value_end;
            }
        }
        if (here) v->last = st.from, v->last_end = st.to;
    }
}

static const char *eol_of(cc_str text) { return text.n && memmem(text.p, text.n, "\r\n", 2) ? "\r\n" : "\n"; }

int cc_toml_get(cc_str text, const cc_str *path, size_t depth, cc_str key, cc_str *raw, cc_error *err) {
    view v;
    if (look_over(text, path, depth, key, &v, err)) return -1;
    if (v.key) *raw = (cc_str){text.p + v.value, v.value_end - v.value};
    return v.key;
}

int cc_toml_set(cc_str text, const cc_str *path, size_t depth, cc_str key, cc_str value, cc_buf *out, cc_error *err) {
    view v;
    if (look_over(text, path, depth, key, &v, err)) return -1;
    const char *eol = eol_of(text);
    if (v.key) {
        cc_buf_add(out, text.p, v.value);
        cc_buf_adds(out, value);
        cc_buf_add(out, text.p + v.value_end, text.n - v.value_end);
        return 0;
    }
    size_t at = v.table ? v.last_end : text.n;
    cc_buf_add(out, text.p, at);
    if (at && text.p[at - 1] != '\n') cc_buf_addz(out, eol);
    if (v.table) {
        size_t blanks = v.last;
        while (text.p[blanks] == ' ' || text.p[blanks] == '\t') blanks++;
        cc_buf_add(out, text.p + v.last, blanks - v.last);
    } else {
        if (text.n) cc_buf_addz(out, eol);
        cc_buf_addc(out, '[');
        for (size_t i = 0; i < depth; i++) {
            for (size_t j = 0; j < path[i].n; j++) assert(is_bare(path[i].p[j]));
            if (i) cc_buf_addc(out, '.');
            cc_buf_adds(out, path[i]);
        }
        cc_buf_addc(out, ']');
        cc_buf_addz(out, eol);
    }
    cc_buf_adds(out, key);
    cc_buf_addz(out, " = ");
    cc_buf_adds(out, value);
    cc_buf_addz(out, eol);
    cc_buf_add(out, text.p + at, text.n - at);
    return 0;
}

static bool blank_line(cc_str text, size_t from, size_t to) {
    for (; from < to; from++)
        if (!memchr(" \t\r\n", text.p[from], 4)) return false;
    return true;
}

int cc_toml_remove(cc_str text, const cc_str *path, size_t depth, cc_buf *out, cc_error *err) {
    view v;
    if (look_over(text, path, depth, (cc_str){0}, &v, err)) return -1;
    size_t at = 0;
    for (size_t i = 0; i < v.n_spans; i++) {
        size_t from = v.span[i].from, to = v.span[i].to, line = from;
        // The empty line before the table goes with it when another gap, or the end, follows.
        if (line > at) line--;
        while (line > at && text.p[line - 1] != '\n') line--;
        size_t next = to;
        while (next < text.n && text.p[next] != '\n') next++;
        if (line < from && blank_line(text, line, from) && (to == text.n || blank_line(text, to, next))) from = line;
        cc_buf_add(out, text.p + at, from - at);
        at = to;
    }
    cc_buf_add(out, text.p + at, text.n - at);
    return 0;
}
