// Errors and warnings as data: file, line, column, severity, message, from the text that compilers and runtimes write. Called by execute.c.
// Matches each line with the patterns of a format (formats.c); what none of them describes it leaves out. Owns nothing (the list lives in
// the caller's arena).
#include "run/formats.h"
#include "run/run.h"

enum {
    MOST = 10,     // the first errors explain the rest
    STEPS = 20000, // a line that is harder to match is none of ours
    LOOKS = 100,   // into the sources
};

typedef struct match {
    cc_str file, message;
    cc_str more;      // belongs to the message, behind the place
    cc_str procedure; // that line is counted from
    int line, column;
} match;

typedef struct reader {
    cc_arena *a;
    const cc_format *format;
    const char *workdir;
    const cc_source *sources; // the program's own first
    size_t n_sources;
    bool others;  // some of which may be meant where none is named
    int steps;    // left, of matching a line
    int looks;    // left, into the sources
    match now;    // the message that is being read: its text and, from before it or after it, its place
    match before; // the last place seen, no message yet
    const char *severity;
    bool placed;          // now has a place from after its message
    bool wants_text;      // the next line that is not empty is the message of before
    bool held;            // now is a message for certain, and no later line is a better one
    bool chains, chained; // the next report, or this one, takes the place of those that led to it
    size_t chain;         // where these begin in the list
    int mark_lines;       // in how many lines after a place its mark may come
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

static bool is_word(char c) { return c == '_' || c == '.' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

static bool take_name(cc_str *s, cc_str name) {
    cc_str rest = *s;
    if (!take(&rest, name) || (rest.n && is_word(rest.p[0]))) return false;
    *s = rest;
    return true;
}

// One of the program's own files. Some tools name it without its directory.
static bool take_own(const reader *r, cc_str *s, cc_str *file) {
    for (size_t i = 0; i < 2 * r->n_sources; i++) {
        cc_str name = *file = r->sources[i % r->n_sources].file;
        const char *slash = i < r->n_sources ? NULL : memrchr(name.p, '/', name.n);
        if (slash) name.n -= (size_t)(slash + 1 - name.p), name.p = slash + 1;
        if (take_name(s, name)) return true;
    }
    return false;
}

// A name as the program's directory holds it: relative, or inside the work directory.
static bool take_file(const reader *r, cc_str *s, bool own, cc_str *file) {
    cc_str t = *s;
    take(&t, CC_STR("file://"));
    if (take(&t, cc_str_of(r->workdir)) && !take(&t, CC_STR("/"))) return false;
    take(&t, CC_STR("./"));
    if (!take_own(r, &t, file)) {
        size_t n = 0;
        while (n < t.n && !strchr(":(),\"'`<> \t", t.p[n])) n++;
        *file = (cc_str){t.p, n};
        if (own || !n || t.p[0] == '/' || !memchr(t.p, '.', n)) return false;
        t.p += n, t.n -= n;
    }
    *s = t;
    return true;
}

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
    case '&': m->more = line; return true;
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
        if (kind == 'p') m->procedure = (cc_str){line.p, n};
        return true;
    }
    return false;
}

static void keep(reader *r, cc_diagnostic d) {
    for (size_t i = 0; i < r->n; i++) {
        const cc_diagnostic *k = &r->list[i];
        if (k->line == d.line && k->column == d.column && cc_str_eq(k->file, d.file) && cc_str_eq(k->message, d.message)) return;
    }
    if (r->n == MOST && r->format->place_first) r->n--; // the last report is what the program ended with
    if (r->n < MOST) r->list[r->n++] = d;
}

// The message that was being read is complete.
static void finish(reader *r) {
    const match *m = &r->now;
    cc_str message = cc_str_trim(m->message);
    take(&message, CC_STR("• "));
    if (message.n && m->file.n) {
        if (m->more.n) message = cc_arena_printf(r->a, "%.*s, %.*s", (int)message.n, message.p, (int)m->more.n, m->more.p);
        if (r->chained) r->n = r->chain;
        r->chained = false;
        keep(r, (cc_diagnostic){m->file, m->line, m->column, r->severity, message});
    }
    r->now = (match){0};
    r->placed = r->held = false;
}

static void begin(reader *r, cc_str message, const char *severity) {
    finish(r);
    r->now = r->before;
    r->now.message = message;
    r->severity = severity ? severity : "error";
    r->before = (match){0};
}

// A report begins: what was said before is no part of it.
static void begin_report(reader *r) {
    finish(r);
    r->before = (match){0};
    r->chained = r->chains;
    r->chains = false;
    if (!r->chained) r->chain = r->n;
}

static void apply(reader *r, const cc_line_pattern *pattern, const match *m) {
    switch (pattern->role) {
    case CC_LINE_WHOLE:
        r->before = *m;
        if (!m->file.n && !r->others) r->before.file = r->sources[0].file;
        begin(r, m->message, pattern->severity);
        r->now.more = m->more;
        r->placed = true;
        break;
    case CC_LINE_MAYBE:
        if (!r->held) begin(r, m->message, pattern->severity);
        break;
    case CC_LINE_MESSAGE: begin(r, m->message, pattern->severity); break;
    case CC_LINE_HOLD: r->held = r->now.message.n > 0; break;
    case CC_LINE_PLACE:
        if (r->format->place_first || !r->now.message.n) {
            r->before = *m;
        } else if (!r->placed) {
            r->now.file = m->file, r->now.line = m->line, r->now.column = m->column;
            r->placed = true;
        }
        break;
    case CC_LINE_PLACE_THEN:
        finish(r);
        r->before = *m;
        r->wants_text = true;
        r->severity = pattern->severity;
        break;
    case CC_LINE_REPORT: begin_report(r); break;
    case CC_LINE_CHAIN: r->chains = true; break;
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

static cc_str without_indentation(cc_str line) {
    while (line.n && (line.p[0] == ' ' || line.p[0] == '\t')) line.p++, line.n--;
    return line;
}

// How far a line of the program's is indented.
static int indentation(reader *r, const match *m) {
    for (size_t i = 0; i < r->n_sources && --r->looks >= 0; i++) {
        cc_str code = r->sources[i].code, line = {0};
        if (!cc_str_eq(r->sources[i].file, m->file)) continue;
        for (int n = 0; n < m->line; n++)
            if (!next_line(&code, &line)) return 0;
        return (int)(line.n - without_indentation(line).n);
    }
    return 0;
}

static void read_mark(reader *r, int column) {
    match *at = r->now.message.n && !r->format->place_first ? &r->now : &r->before;
    if (!at->line || at->column || r->mark_lines <= 0) return;
    if (r->format->mark_moved) column += indentation(r, at) - 4; // shown four spaces in
    at->column = column > 0 ? column : 0;
}

// Makes a line that is counted from where a procedure begins one of its file. False when no file defines it.
static bool locate(reader *r, match *m) {
    cc_str name = m->procedure;
    const char *colon = memrchr(name.p, ':', name.n); // behind the namespaces
    if (colon) name.n -= (size_t)(colon + 1 - name.p), name.p = colon + 1;
    for (size_t i = 0; i < r->n_sources && --r->looks >= 0; i++) {
        cc_str code = r->sources[i].code, line;
        for (int number = 1; next_line(&code, &line); number++) {
            line = without_indentation(line);
            bool named = take(&line, cc_str_of(r->format->procedure));
            line = without_indentation(line);
            if (!take_name(&line, name)) continue;
            line = without_indentation(line);
            if (!named && !take(&line, CC_STR("()"))) continue;
            m->file = r->sources[i].file;
            m->line += number + r->format->procedure_from;
            return true;
        }
    }
    return false;
}

// The bars before the lines of a report inside another.
static cc_str without_bars(cc_str line) {
    for (cc_str rest = line;;) {
        rest = without_indentation(rest);
        if (!take(&rest, CC_STR("| ")) && !take(&rest, CC_STR("+ "))) return line;
        line = rest;
    }
}

static void read_line(reader *r, cc_str line) {
    if (r->format->bars) line = without_bars(line);
    if (!line.n) return;
    if (r->wants_text) {
        r->wants_text = false;
        begin(r, line, r->severity);
        r->placed = true;
        return;
    }
    int column = r->format->mark ? mark_of(line) : 0;
    if (column) {
        read_mark(r, column);
        return;
    }
    r->mark_lines--;
    r->steps = STEPS;
    for (const cc_line_pattern *p = r->format->lines; p->role != CC_LINE_END; p++) {
        match m = {0};
        if (!matches(r, p->text, line, &m) || (m.procedure.n && !locate(r, &m))) continue;
        if (m.line) r->mark_lines = 2; // the source, then the mark
        apply(r, p, &m);
        return;
    }
}

// Whether further files may be meant where a tool names none: those of the program's kind.
static bool has_others(const cc_source *sources, size_t n) {
    const char *dot = n ? memrchr(sources[0].file.p, '.', sources[0].file.n) : NULL;
    cc_str extension = dot ? (cc_str){dot, (size_t)(sources[0].file.p + sources[0].file.n - dot)} : (cc_str){0};
    for (size_t i = 1; i < n; i++) {
        cc_str end = sources[i].file;
        if (end.n > extension.n) end.p += end.n - extension.n, end.n = extension.n;
        if (cc_str_eq(end, extension)) return true;
    }
    return false;
}

size_t cc_diagnostics_read(cc_arena *a, const char *format, cc_str text, const char *workdir, const cc_source *sources, size_t n_sources,
                           const cc_diagnostic **out) {
    reader r = {.a = a, .format = cc_format_find(format), .workdir = workdir, .sources = sources, .n_sources = n_sources, .looks = LOOKS};
    r.others = has_others(sources, n_sources);
    for (cc_str line; r.format && next_line(&text, &line);) read_line(&r, line);
    if (r.format) finish(&r);
    cc_diagnostic *list = CC_ARENA_ARRAY(a, cc_diagnostic, r.n + 1);
    if (r.n) memcpy(list, r.list, r.n * sizeof *list);
    *out = list;
    return r.n;
}
