// Errors and warnings as data: file, line, column, severity, message, from the text that compilers and runtimes write. Called by execute.c.
// One reader a format; what it does not understand it leaves out. Owns nothing (the list lives in the caller's arena).
#include <stdlib.h>

#include "run/run.h"

enum { MOST = 10 }; // the first errors explain the rest

typedef struct reader {
    cc_arena *a;
    const char *file, *workdir;
    cc_diagnostic list[MOST];
    size_t n;
} reader;

static void add(reader *r, cc_str file, int line, int column, const char *severity, cc_str message) {
    message = cc_str_trim(message);
    if (r->n < MOST && message.n) r->list[r->n++] = (cc_diagnostic){file, line, column, severity, message};
}

static bool next_line(cc_str *text, cc_str *line) {
    if (!text->n) return false;
    const char *eol = memchr(text->p, '\n', text->n);
    size_t n = eol ? (size_t)(eol - text->p) : text->n;
    *line = (cc_str){text->p, n};
    n += eol != NULL;
    text->p += n, text->n -= n;
    return true;
}

static bool take(cc_str *s, cc_str prefix) {
    if (!cc_str_starts(*s, prefix)) return false;
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

static bool find(cc_str s, cc_str what, size_t *at) {
    const char *p = s.n ? memmem(s.p, s.n, what.p, what.n) : NULL;
    if (p) *at = (size_t)(p - s.p);
    return p != NULL;
}

// The program's name at the front, with or without the work directory.
static bool take_file(const reader *r, cc_str *s, cc_str *file) {
    cc_str t = *s;
    if (take(&t, cc_str_of(r->workdir)) && !take(&t, CC_STR("/"))) return false;
    *file = cc_str_of(r->file);
    if (!take(&t, *file)) return false;
    *s = t;
    return true;
}

// main.c:3:5: error: text      (also of headers that the call brought: any relative name)
static void read_gcc(reader *r, cc_str text) {
    static const struct {
        cc_str word;
        const char *severity;
    } kinds[] = {{{": fatal error: ", 15}, "error"}, {{": error: ", 9}, "error"}, {{": warning: ", 11}, "warning"}};
    for (cc_str line; next_line(&text, &line);) {
        size_t at;
        for (size_t k = 0; k < CC_ARRAY_LEN(kinds); k++) {
            if (!find(line, kinds[k].word, &at)) continue;
            cc_str place = {line.p, at}, message = {line.p + at + kinds[k].word.n, line.n - at - kinds[k].word.n};
            const char *colon = place.n ? memchr(place.p, ':', place.n) : NULL;
            if (!colon || line.p[0] == '/' || line.p[0] == ' ') break;
            cc_str file = {place.p, (size_t)(colon - place.p)}, rest = {colon + 1, place.n - file.n - 1};
            int row = 0, column = 0;
            if (take_number(&rest, &row) && take(&rest, CC_STR(":"))) take_number(&rest, &column);
            if (row) add(r, file, row, column, kinds[k].severity, message);
            break;
        }
        if (find(line, CC_STR("undefined reference to "), &at))
            add(r, cc_str_of(r->file), 0, 0, "error", (cc_str){line.p + at, line.n - at});
    }
}

//   File "main.py", line 3, in f     … then, for a syntax error, the line and a mark below it …     ZeroDivisionError: text
static void read_python(reader *r, cc_str text) {
    int row = 0, column = 0;
    cc_str message = {0}, source = {0};
    for (cc_str line; next_line(&text, &line);) {
        cc_str t = line, file;
        if (take(&t, CC_STR("Traceback "))) {
            row = 0;
            continue;
        }
        int v;
        if (take(&t, CC_STR("  File \""))) {
            if (take_file(r, &t, &file) && take(&t, CC_STR("\", line ")) && take_number(&t, &v)) row = v, column = 0;
            source = (cc_str){0};
        } else if (take(&t, CC_STR("    "))) {
            cc_str mark = cc_str_trim(t);
            if (mark.n && mark.p[0] == '^' && source.n)
                column = (int)(mark.p - t.p) + 1;
            else
                source = t;
        } else if (line.n && line.p[0] != ' ') {
            message = line;
        }
    }
    // Inside a traceback the text is shown without its own indentation, so only a syntax error's mark tells the column.
    bool syntax = cc_str_starts(message, CC_STR("SyntaxError")) || cc_str_starts(message, CC_STR("IndentationError")) ||
                  cc_str_starts(message, CC_STR("TabError"));
    if (row) add(r, cc_str_of(r->file), row, syntax ? column : 0, "error", message);
}

// /box/main.js:3 … the line … the mark … Error: text …     at f (/box/main.js:3:7)
static void read_node(reader *r, cc_str text) {
    int row = 0, column = 0;
    cc_str message = {0};
    for (cc_str line; next_line(&text, &line);) {
        cc_str t = line, file;
        int v;
        take(&t, CC_STR("file://")); // of modules
        if (!row && take_file(r, &t, &file) && take(&t, CC_STR(":")) && take_number(&t, &v)) {
            row = v;
            continue;
        }
        cc_str mark = cc_str_trim(line);
        if (row && !column && mark.n && mark.p[0] == '^') column = (int)(mark.p - line.p) + 1;
        size_t at;
        if (!message.n && line.n && line.p[0] != ' ' && find(line, CC_STR("Error"), &at)) message = line;
        if (message.n && find(line, cc_str_of(r->file), &at)) {
            cc_str place = {line.p + at, line.n - at};
            int c;
            if (take(&place, cc_str_of(r->file)) && take(&place, CC_STR(":")) && take_number(&place, &v) && take(&place, CC_STR(":")) &&
                take_number(&place, &c)) {
                row = v, column = c;
                break;
            }
        }
    }
    if (row) add(r, cc_str_of(r->file), row, column, "error", message);
}

// main.sh: line 3: text
static void read_bash(reader *r, cc_str text) {
    for (cc_str line; next_line(&text, &line);) {
        cc_str file;
        int row;
        if (take_file(r, &line, &file) && take(&line, CC_STR(": line ")) && take_number(&line, &row) && take(&line, CC_STR(":")))
            add(r, file, row, 0, "error", line);
    }
}

size_t cc_diagnostics_read(cc_arena *a, const char *format, cc_str text, const char *file, const char *workdir, const cc_diagnostic **out) {
    static const struct {
        const char *name;
        void (*read)(reader *, cc_str);
    } formats[] = {{"gcc", read_gcc}, {"python", read_python}, {"node", read_node}, {"bash", read_bash}};
    reader r = {.a = a, .file = file, .workdir = workdir};
    for (size_t i = 0; i < CC_ARRAY_LEN(formats); i++)
        if (!strcmp(format, formats[i].name)) formats[i].read(&r, text);
    cc_diagnostic *list = CC_ARENA_ARRAY(a, cc_diagnostic, r.n + 1);
    if (r.n) memcpy(list, r.list, r.n * sizeof *list);
    *out = list;
    return r.n;
}
