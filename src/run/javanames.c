// The names in a Java source that decide what its file must be called and which class to start: its public top-level type, and the first
// top-level type that has a method main. Called by plan.c. Reads tokens only, past comments and literals; owns nothing.
#include "run/run.h"

typedef struct scanner {
    const char *p, *end;
} scanner;

static bool is_name(char c) {
    return c == '_' || c == '$' || (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool at(const scanner *s, const char *text) {
    size_t n = strlen(text);
    return (size_t)(s->end - s->p) >= n && !memcmp(s->p, text, n);
}

static void skip_past(scanner *s, const char *closing) {
    while (s->p < s->end && !at(s, closing)) s->p += *s->p == '\\' && *closing != '*' && *closing != '\n' && s->p + 1 < s->end ? 2 : 1;
    size_t n = strlen(closing), left = (size_t)(s->end - s->p);
    s->p += n < left ? n : left;
}

// The next name or character that is neither space, comment nor literal; empty at the end.
static cc_str next(scanner *s) {
    while (s->p < s->end) {
        const char *begin = s->p;
        if (at(s, "//")) {
            skip_past(s, "\n");
        } else if (at(s, "/*")) {
            s->p += 2;
            skip_past(s, "*/");
        } else if (at(s, "\"\"\"")) {
            s->p += 3;
            skip_past(s, "\"\"\"");
        } else if (*s->p == '"' || *s->p == '\'') {
            const char quote[2] = {*s->p++, 0};
            skip_past(s, quote);
        } else if (is_name(*s->p)) {
            while (s->p < s->end && is_name(*s->p)) s->p++;
            return (cc_str){begin, (size_t)(s->p - begin)};
        } else if (*s->p++ > ' ') {
            return (cc_str){begin, 1};
        }
    }
    return (cc_str){s->end, 0};
}

void cc_java_names_read(cc_str code, cc_java_names *out) {
    *out = (cc_java_names){0};
    scanner s = {code.p, code.p + code.n};
    int depth = 0;
    bool is_public = false;
    cc_str type = {0}, before = {0};
    for (cc_str word; (word = next(&s)).n; before = word) {
        char c = word.p[0];
        if (c == '{') depth++;
        if (c == '}') depth--;
        if (depth == 0 && (c == ';' || c == '}')) is_public = false;
        if (depth == 0 && cc_str_eqz(word, "public")) is_public = true;
        bool declares =
            cc_str_eqz(before, "class") || cc_str_eqz(before, "record") || cc_str_eqz(before, "interface") || cc_str_eqz(before, "enum");
        if (depth == 0 && declares && is_name(c)) {
            type = word;
            if (is_public && !out->public_type.n) out->public_type = type;
        }
        if (depth == 1 && c == '(' && cc_str_eqz(before, "main") && type.n && !out->main_type.n) out->main_type = type;
    }
}
