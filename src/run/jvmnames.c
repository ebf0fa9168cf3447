// The names in a Java or Kotlin source that decide what its file must be called and which class to start: its package, its public type, the
// type that has a method main. Called by plan.c. Reads tokens only, past comments and literals; owns nothing.
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

// Reads on after the word package: names and the dots between them. The token that follows is left in *word.
static cc_str package_name(scanner *s, cc_str *word) {
    cc_str name = {0}, before = {0};
    while ((*word = next(s)).n && (*word->p == '.' || (is_name(*word->p) && (!before.n || *before.p == '.')))) {
        if (!name.n) name = *word;
        name.n = (size_t)(word->p + word->n - name.p);
        before = *word;
    }
    return name;
}

static bool is_type(cc_str word) {
    return cc_str_eqz(word, "class") || cc_str_eqz(word, "record") || cc_str_eqz(word, "interface") || cc_str_eqz(word, "enum") ||
           cc_str_eqz(word, "object");
}

void cc_java_names_read(cc_str code, cc_jvm_names *out) {
    *out = (cc_jvm_names){0};
    scanner s = {code.p, code.p + code.n};
    int depth = 0;
    bool is_public = false, is_static = false;
    cc_str type = {0}, instance = {0}, before = {0}, earlier = {0};
    for (cc_str word; (word = next(&s)).n; earlier = before, before = word) {
        if (depth == 0 && !type.n && !out->package.n && cc_str_eqz(word, "package")) out->package = package_name(&s, &word);
        if (!word.n) break;
        char c = word.p[0];
        if (c == '{') depth++;
        if (c == '}') depth--;
        if (depth == 0 && (c == ';' || c == '}')) is_public = false;
        if (c == ';' || c == '{' || c == '}') is_static = false;
        if (depth == 0 && cc_str_eqz(word, "public")) is_public = true;
        if (depth == 1 && cc_str_eqz(word, "static")) is_static = true;
        if (depth == 0 && is_type(before) && is_name(c)) {
            type = word;
            if (is_public && !out->public_type.n) out->public_type = type;
            if (!out->first_type.n) out->first_type = type;
        }
        bool is_main = depth == 1 && type.n && c == '(' && cc_str_eqz(before, "main") && cc_str_eqz(earlier, "void");
        if (is_main && is_static && !out->main_type.n) out->main_type = type;
        if (is_main && !instance.n) instance = type;
    }
    if (!out->main_type.n) out->main_type = instance; // newer versions take it, older ones say what is wrong with it
}

void cc_kotlin_names_read(cc_str code, cc_jvm_names *out) {
    enum { DEEP = 3 }; // a companion object of a class
    static const char annotation[] = "@file:JvmName(\"";
    *out = (cc_jvm_names){0};
    scanner s = {code.p, code.p + code.n};
    int depth = 0;
    bool in_file = false, is_companion = false;
    cc_str types[DEEP] = {{0}}, type = {0}, before = {0};
    for (cc_str word; (word = next(&s)).n; before = word) {
        if (depth == 0 && !type.n && !out->package.n && cc_str_eqz(word, "package")) out->package = package_name(&s, &word);
        if (!word.n) break;
        char c = word.p[0];
        if (c == '{' && ++depth <= DEEP) { // what a companion has is its class's
            types[depth - 1] = is_companion && depth > 1 ? types[depth - 2] : type;
            type = (cc_str){0}, is_companion = false;
        }
        if (c == '}') depth--;
        if (cc_str_eqz(word, "companion")) is_companion = true;
        if (is_type(before) && is_name(c)) type = word;
        if (!cc_str_eqz(before, "fun")) continue;
        if (depth == 0) type = (cc_str){0};
        bool is_main = cc_str_eqz(word, "main");
        if (is_main && depth == 0) in_file = true;
        if (is_main && depth > 0 && depth <= DEEP && types[depth - 1].n && !out->main_type.n) out->main_type = types[depth - 1];
    }
    if (!in_file && out->main_type.n) return;
    const char *at = code.n ? memmem(code.p, code.n, annotation, sizeof annotation - 1) : NULL;
    out->main_type = (cc_str){0};
    if (!at) return;
    out->main_type.p = at + sizeof annotation - 1;
    while (out->main_type.p + out->main_type.n < s.end && is_name(out->main_type.p[out->main_type.n])) out->main_type.n++;
}
