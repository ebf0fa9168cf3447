// The only file that knows escape sequences. Called by every command. Owns the output buffer; never writes to anything but the
// descriptor that it was opened on.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/term.h"

static bool locale_is_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++) {
        const char *v = getenv(names[i]);
        if (v && *v) return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
    }
    return false;
}

cc_term cc_term_open(int fd) {
    cc_term t = {.fd = fd, .terminal = isatty(fd), .utf8 = locale_is_utf8(), .width = 100};
    const char *kind = getenv("TERM"), *off = getenv("NO_COLOR");
    t.smart = t.terminal && kind && *kind && strcmp(kind, "dumb") != 0;
    t.colour = t.smart && !(off && *off);
    struct winsize size;
    if (t.terminal && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= 40) t.width = size.ws_col;
    return t;
}

static bool failed;

bool cc_term_failed(void) { return failed; }

void cc_term_flush(cc_term *t) {
    if (t->out.n && cc_fd_write_all(t->fd, t->out.p, t->out.n) && errno != EPIPE) {
        if (!failed) fprintf(stderr, "codecalc: the output cannot be written: %s\n", strerror(errno));
        failed = true;
    }
    t->out.n = 0;
}

void cc_term_free(cc_term *t) { cc_buf_free(&t->out); }
void cc_cleanup_term_(cc_term *t) {
    cc_term_flush(t);
    cc_term_free(t);
}

static void set_style(cc_term *t, cc_style style) {
    static const char *const codes[] = {"0", "1", "2", "31", "32", "33", "34"};
    if (t->colour) cc_buf_printf(&t->out, "\x1b[%sm", codes[style]);
}

// Text from files and programs may hold escape sequences of its own; what reaches the terminal is ours alone.
static void add_safe(cc_buf *out, cc_str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i], next = i + 1 < s.n ? (unsigned char)s.p[i + 1] : 0;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            cc_buf_printf(out, "\\x%02x", c);
        else if (c == 0xC2 && next >= 0x80 && next < 0xA0) // U+0080 to U+009F: controls of eight bits
            cc_buf_printf(out, "\\x%02x", (unsigned char)s.p[++i]);
        else
            cc_buf_addc(out, (char)c);
    }
}

CC_PRINTF(3, 0) static void styled(cc_term *t, cc_style style, const char *fmt, va_list args) {
    char *text;
    int n = vasprintf(&text, fmt, args);
    if (n < 0) cc_out_of_memory();
    if (style != CC_PLAIN) set_style(t, style);
    add_safe(&t->out, (cc_str){text, (size_t)n});
    if (style != CC_PLAIN) set_style(t, CC_PLAIN);
    free(text);
}

void cc_term_text(cc_term *t, cc_style style, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    styled(t, style, fmt, args);
    va_end(args);
}

void cc_term_heading(cc_term *t, const char *title) { cc_term_text(t, CC_BOLD, "\n%s\n", title); }

// Columns of valid UTF-8 text, one a code point: what is wrapped here is our own prose.
static size_t columns(cc_str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

// Text that begins at a column; further lines begin at `from`. Blanks between words stay, but for those where a line is broken.
static void wrap(cc_term *t, size_t at, size_t from, const char *text) {
    for (const char *p = text; *p;) {
        size_t blanks = strspn(p, " "), n = strcspn(p + blanks, " ");
        cc_str word = {p + blanks, n};
        if (p > text && n && at + blanks + columns(word) > t->width) {
            cc_buf_printf(&t->out, "\n%*s", (int)from, "");
            at = from;
        } else {
            cc_buf_printf(&t->out, "%*s", (int)blanks, "");
            at += blanks;
        }
        add_safe(&t->out, word);
        at += columns(word);
        p += blanks + n;
    }
    cc_buf_addc(&t->out, '\n');
}

enum { INDENT = 13 }; // of what stands behind a mark and its word

void cc_term_finding(cc_term *t, cc_mark mark, const char *fmt, ...) {
    static const struct {
        const char *utf8, *ascii, *word;
        cc_style style;
    } marks[] = {{"\xE2\x9C\x93", "+", "ok     ", CC_GREEN}, {"!", "!", "warning", CC_YELLOW}, {"\xE2\x9C\x97", "x", "problem", CC_RED}};
    cc_term_text(t, marks[mark].style, "  %s %s", t->utf8 ? marks[mark].utf8 : marks[mark].ascii, marks[mark].word);
    cc_buf_addz(&t->out, "  ");
    va_list args;
    va_start(args, fmt);
    char *text;
    if (vasprintf(&text, fmt, args) < 0) cc_out_of_memory();
    va_end(args);
    unsigned width = t->width;
    if (!t->terminal) t->width = UINT_MAX; // who searches in it wants a finding in one line
    wrap(t, INDENT, INDENT, text);
    t->width = width;
    free(text);
}

void cc_term_under(cc_term *t, const char *label, const char *text) {
    size_t at = INDENT + (*label ? strlen(label) + 2 : 0);
    cc_buf_printf(&t->out, "%*s", INDENT, "");
    if (*label) cc_term_text(t, CC_BOLD, "%s: ", label);
    wrap(t, at, at, text);
}

void cc_term_prose(cc_term *t, const char *text) {
    cc_buf_addz(&t->out, "  ");
    wrap(t, 2, 2, text);
}

// A short list of plain values, which reads best on one line.
static bool short_list(const cc_json *v) {
    if (cc_json_type_of(v) != CC_JSON_ARRAY || cc_json_size(v) > 8) return false;
    cc_json_iter it = cc_json_iterate(v);
    while (cc_json_next(&it)) {
        cc_json_type type = cc_json_type_of(it.value);
        if (type >= CC_JSON_ARRAY || (type == CC_JSON_STRING && cc_json_string(it.value).n > 40)) return false;
    }
    return true;
}

static void json_at(cc_term *t, const cc_json *v, unsigned level) {
    cc_json_type type = cc_json_type_of(v);
    bool object = type == CC_JSON_OBJECT;
    if (type < CC_JSON_ARRAY || !cc_json_size(v) || short_list(v)) {
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_jw w = cc_jw_make(&text);
        cc_jw_value(&w, v);
        add_safe(&t->out, cc_buf_str(&text));
        return;
    }
    cc_buf_addz(&t->out, object ? "{" : "[");
    cc_json_iter it = cc_json_iterate(v);
    for (bool first = true; cc_json_next(&it); first = false) {
        cc_buf_printf(&t->out, "%s\n%*s", first ? "" : ",", (int)(level + 1) * 2, "");
        if (object) {
            CC_CLEANUP_BUF cc_buf key = {0};
            cc_jw w = cc_jw_make(&key);
            cc_jw_string(&w, it.key);
            cc_term_text(t, CC_BLUE, "%.*s", (int)key.n, key.p);
            cc_buf_addz(&t->out, ": ");
        }
        json_at(t, it.value, level + 1);
    }
    cc_buf_printf(&t->out, "\n%*s%s", (int)level * 2, "", object ? "}" : "]");
}

void cc_term_json(cc_term *t, const cc_json *value) {
    json_at(t, value, 0);
    cc_buf_addc(&t->out, '\n');
}

void cc_term_progress(cc_term *t, const char *fmt, ...) {
    if (!t->smart || !(fmt || t->progress)) return;
    t->progress = fmt;
    cc_buf_addz(&t->out, "\r\x1b[K");
    if (fmt) {
        va_list args;
        va_start(args, fmt);
        styled(t, CC_DIM, fmt, args);
        va_end(args);
    }
    cc_term_flush(t);
}
