// Errors and warnings as data: file, line, column, severity, message, from the text that compilers and runtimes write. Called by execute.c.
// Matches each line with the patterns of a format (formats.c); what none of them describes it leaves out. Owns nothing (the list lives in
// the caller's arena).
#include "run/formats.h"
#include "run/run.h"

enum { MOST = 10, STEPS = 20000 }; // the first errors explain the rest; a line that is harder to match is none of ours

typedef struct match {
    cc_str file, message;
    int line, column;
} match;

typedef struct reader {
    cc_arena *a;
    const cc_format *format;
    const char *file, *workdir;
    int steps;    // left, of matching a line
    match now;    // the message that is being read: its text and, from before it or after it, its place
    match before; // the last place seen, no message yet
    const char *severity;
    bool placed;     // now has a place from after its message
    bool wants_text; // the next line that is not empty is the message of before
    int mark_lines;  // in how many lines after a place its mark may come
    cc_diagnostic list[MOST];
    size_t n;
} reader;

static bool next_line(cc_str *text, cc_str *line) {
    if (!text->n) return false;
    const char *eol = memchr(text->p, '\n', text->n);
    size_t n = eol ? (size_t)(eol - text->p) : text->n;
    *line = (cc_str){text->p, n};
    n += eol != NULL;
    text->p += n, text->n -= n;
    while (line->n && (unsigned char)line->p[line->n - 1] <= ' ') line->n--;
    return true;
}

static bool take(cc_str *s, cc_str prefix) {
    if (!prefix.n || !cc_str_starts(*s, prefix)) return false;
    s->p += prefix.n, s->n -= prefix.n;
    return true;
}

static bool take_number(cc_str *s, int *out) {
    int v = 0;
    size_t n = 0;
    while (n < s->n && n < 9 && s->p[n] >= '0' && s->p[n] <= '9') v = v * 10 + (s->p[n++] - '0');
    if (!n) return false;
    *out = v;
    s->p += n, s->n -= n;
    return true;
}

// A name as the program's directory holds it: relative, or inside the work directory.
static bool take_file(const reader *r, cc_str *s, bool own, cc_str *file) {
    cc_str t = *s;
    take(&t, CC_STR("file://"));
    if (take(&t, cc_str_of(r->workdir)) && !take(&t, CC_STR("/"))) return false;
    take(&t, CC_STR("./"));
    cc_str name = cc_str_of(r->file);
    if (!take(&t, name)) {
        size_t n = 0;
        while (n < t.n && !strchr(":(),\"'`<> \t", t.p[n])) n++;
        name = (cc_str){t.p, n};
        if (own || !n || t.p[0] == '/' || !memchr(t.p, '.', n)) return false;
        t.p += n, t.n -= n;
    }
    *file = name;
    *s = t;
    return true;
}

static bool is_word(char c) { return c == '_' || c == '.' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

static bool matches(reader *r, const char *p, cc_str line, match *m) {
    if (--r->steps < 0) return false;
    for (; *p && *p != '%'; p++, line.p++, line.n--)
        if (!line.n || line.p[0] != *p) return false;
    if (!*p) return line.n == 0;
    p++;
    char kind = *p++;
    switch (kind) {
    case 'F':
    case 'f': return take_file(r, &line, kind == 'F', &m->file) && matches(r, p, line, m);
    case 'l': return take_number(&line, &m->line) && matches(r, p, line, m);
    case 'o':
        if (!take_number(&line, &m->column)) return false;
        m->column++;
        return matches(r, p, line, m);
    case 'c': return take_number(&line, &m->column) && matches(r, p, line, m);
    case '(': m->message = line; return matches(r, p, line, m);
    case 's':
        while (line.n && (line.p[0] == ' ' || line.p[0] == '\t')) line.p++, line.n--;
        return matches(r, p, line, m);
    default: break;
    }
    // The shortest text that lets the rest match.
    size_t n = kind == 'm';
    if (!*p && kind != 'w') n = line.n;
    for (; n <= line.n && (kind != 'w' || !n || is_word(line.p[n - 1])); n++) {
        match tried = *m;
        if (!matches(r, p, (cc_str){line.p + n, line.n - n}, &tried)) continue;
        *m = tried;
        if (kind == 'm') m->message = (cc_str){line.p, n};
        return true;
    }
    return false;
}

// The message that was being read is complete.
static void finish(reader *r) {
    cc_str message = cc_str_trim(r->now.message);
    take(&message, CC_STR("• "));
    if (message.n && r->now.file.n) {
        if (r->format->last) r->n = 0;
        if (r->n < MOST) r->list[r->n++] = (cc_diagnostic){r->now.file, r->now.line, r->now.column, r->severity, message};
    }
    r->now = (match){0};
    r->placed = false;
}

static void begin(reader *r, cc_str message, const char *severity) {
    finish(r);
    r->now = r->before;
    r->now.message = message;
    r->severity = severity ? severity : "error";
    r->before = (match){0};
}

static void apply(reader *r, const cc_line_pattern *pattern, const match *m) {
    switch (pattern->role) {
    case CC_LINE_WHOLE:
        r->before = *m;
        if (!m->file.n) r->before.file = cc_str_of(r->file);
        begin(r, m->message, pattern->severity);
        r->placed = true;
        break;
    case CC_LINE_FIRST:
    case CC_LINE_MESSAGE: begin(r, m->message, pattern->severity); break;
    case CC_LINE_PLACE:
        if (!r->now.message.n) {
            r->before = *m;
        } else if (!r->placed) {
            r->now.file = m->file, r->now.line = m->line, r->now.column = m->column;
            r->placed = true;
        } else if (r->format->last) {
            r->before = *m;
        }
        break;
    case CC_LINE_PLACE_THEN:
        finish(r);
        r->before = *m;
        r->wants_text = true;
        r->severity = pattern->severity;
        break;
    case CC_LINE_IGNORE:
    case CC_LINE_END: break;
    }
}

// The column of a mark, 0 when the line is none: nothing but a ^, with more of it or ~ beside it.
static int mark_of(cc_str line) {
    int column = 0;
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        if (c == '^' && !column) column = (int)i + 1;
        if (c != '^' && c != '~' && c != ' ' && c != '\t') return 0;
    }
    return column;
}

// How far the line of a source is indented.
static int indentation(cc_str code, int line) {
    cc_str text = {0};
    for (int i = 0; i < line; i++)
        if (!next_line(&code, &text)) return 0;
    int n = 0;
    while ((size_t)n < text.n && (text.p[n] == ' ' || text.p[n] == '\t')) n++;
    return n;
}

static void read_mark(reader *r, int column, cc_str code) {
    match *at = r->now.message.n ? &r->now : &r->before;
    if (!at->line || at->column || r->mark_lines <= 0) return;
    if (r->format->mark_moved) column += indentation(code, at->line) - 4; // shown four spaces in
    at->column = column > 0 ? column : 0;
}

static void read_line(reader *r, cc_str line, cc_str code) {
    if (!line.n) return;
    if (r->wants_text) {
        r->wants_text = false;
        begin(r, line, r->severity);
        r->placed = true;
        return;
    }
    int column = r->format->mark ? mark_of(line) : 0;
    if (column) {
        read_mark(r, column, code);
        return;
    }
    r->mark_lines--;
    r->steps = STEPS;
    for (const cc_line_pattern *p = r->format->lines; p->role != CC_LINE_END; p++) {
        match m = {0};
        if (p->role == CC_LINE_FIRST && (r->n || r->now.message.n)) continue;
        if (!matches(r, p->text, line, &m)) continue;
        if (m.line) r->mark_lines = 2; // the source, then the mark
        apply(r, p, &m);
        return;
    }
}

size_t cc_diagnostics_read(cc_arena *a, const char *format, cc_str text, const char *file, const char *workdir, cc_str code,
                           const cc_diagnostic **out) {
    reader r = {.a = a, .format = cc_format_find(format), .file = file, .workdir = workdir};
    for (cc_str line; r.format && next_line(&text, &line);) read_line(&r, line, code);
    if (r.format) finish(&r);
    cc_diagnostic *list = CC_ARENA_ARRAY(a, cc_diagnostic, r.n + 1);
    if (r.n) memcpy(list, r.list, r.n * sizeof *list);
    *out = list;
    return r.n;
}
