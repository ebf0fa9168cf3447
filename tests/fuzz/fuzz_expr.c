// The expression parser, in both dialects: it ends without a tree only with a message and one of two codes, and every position
// in a tree lies inside the text. Short inputs without digits next to each other are also evaluated, so that nothing large is
// computed: whatever comes back is a value or an error with a message.
#include "fuzz.h"

#include "codecalc/math.h"

static void check_node(const cc_node *x, size_t n, unsigned depth) {
    FUZZ_REQUIRE(x->pos <= n);
    FUZZ_REQUIRE(depth <= CC_EXPR_MAX_LEN);
    for (size_t i = 0; i < x->n_args; i++) check_node(x->args[i], n, depth + 1);
}

// Cheap to evaluate: short, no name longer than three letters but a few, and only one-digit numbers.
static bool cheap(cc_str s) {
    if (s.n > 24) return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool digit = c >= '0' && c <= '9';
        if (digit && i + 1 < s.n && ((s.p[i + 1] >= '0' && s.p[i + 1] <= '9') || s.p[i + 1] == '_')) return false;
        if ((c == 'e' || c == 'E') && i > 0) return false; // exponents
        if (c == '*' || c == '!' || c == '<' || (unsigned char)c >= 0x80) return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str text = {(const char *)data, n};
    for (int d = CC_DIALECT_CALC; d <= CC_DIALECT_SYMBOLIC; d++) {
        cc_parsed p;
        cc_error err = {0};
        if (cc_expr_parse(&a, text, (cc_dialect)d, &p, &err) != 0) {
            FUZZ_REQUIRE((err.code == CC_VALIDATION || err.code == CC_RESOURCE_EXHAUSTED) && err.msg[0]);
            continue;
        }
        FUZZ_REQUIRE(p.n_warnings <= CC_ARRAY_LEN(p.warnings));
        check_node(p.root, n, 0);
    }
    if (!cheap(text)) return 0;
    cc_calc_options opt = {.digits = 20};
    cc_calc_result r;
    cc_error err = {0};
    if (cc_calc_eval(&a, text, &opt, &r, &err) != 0)
        FUZZ_REQUIRE(err.code != CC_OK && err.msg[0]);
    else
        FUZZ_REQUIRE(r.type && (r.value.n || r.approx.n || strcmp(r.type, "bool") == 0));
    return 0;
}
