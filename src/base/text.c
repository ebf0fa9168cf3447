// Strings with a length, UTF-8 and the edit distance behind "did you mean". Allocates only through the buffers it is given.
#include "codecalc/base.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

cc_str cc_str_trim(cc_str s) {
    while (s.n && is_space(s.p[0])) s.p++, s.n--;
    while (s.n && is_space(s.p[s.n - 1])) s.n--;
    return s;
}

// The well-formed byte sequences of the Unicode Standard, table 3-7.
size_t cc_utf8_len(cc_str s) {
    if (!s.n) return 0;
    const unsigned char *p = (const unsigned char *)s.p;
    if (p[0] < 0x80) return 1;
    unsigned char low = 0x80, high = 0xBF;
    size_t n;
    if (p[0] >= 0xC2 && p[0] <= 0xDF) {
        n = 2;
    } else if (p[0] >= 0xE0 && p[0] <= 0xEF) {
        n = 3;
        if (p[0] == 0xE0) low = 0xA0;
        if (p[0] == 0xED) high = 0x9F;
    } else if (p[0] >= 0xF0 && p[0] <= 0xF4) {
        n = 4;
        if (p[0] == 0xF0) low = 0x90;
        if (p[0] == 0xF4) high = 0x8F;
    } else {
        return 0;
    }
    if (s.n < n || p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    return n;
}

bool cc_utf8_valid(cc_str s) {
    while (s.n) {
        size_t n = cc_utf8_len(s);
        if (!n) return false;
        s.p += n, s.n -= n;
    }
    return true;
}

cc_str cc_utf8_prefix(cc_str s, size_t max) {
    if (s.n <= max) max = s.n;
    // Step back over at most three continuation bytes, then over a head whose sequence would be cut.
    size_t back = 0;
    while (back < 3 && back < max && ((unsigned char)s.p[max - 1 - back] & 0xC0) == 0x80) back++;
    if (back < max) {
        unsigned char head = (unsigned char)s.p[max - 1 - back];
        size_t want = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : head >= 0xC0 ? 2 : 1;
        if (want > back + 1) max -= back + 1;
    }
    return (cc_str){s.p, max};
}

void cc_utf8_escape_invalid(cc_buf *out, cc_str s) {
    size_t from = 0, at = 0;
    while (at < s.n) {
        size_t n = cc_utf8_len((cc_str){s.p + at, s.n - at});
        if (n) {
            at += n;
            continue;
        }
        cc_buf_add(out, s.p + from, at - from);
        cc_buf_printf(out, "\\x%02x", (unsigned char)s.p[at]);
        from = ++at;
    }
    cc_buf_add(out, s.p + from, at - from);
}

unsigned cc_edit_distance(cc_str a, cc_str b) {
    enum { MAX = 64 };
    if (a.n > MAX || b.n > MAX) return a.n == b.n ? MAX : MAX + 1;
    unsigned row[MAX + 1];
    for (unsigned j = 0; j <= b.n; j++) row[j] = j;
    for (size_t i = 0; i < a.n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < b.n; j++) {
            unsigned best = diagonal + (a.p[i] != b.p[j]);
            if (row[j] + 1 < best) best = row[j] + 1;
            diagonal = row[j + 1];
            if (diagonal + 1 < best) best = diagonal + 1;
            row[j + 1] = best;
        }
    }
    return row[b.n];
}
