// A small line diff for files of configuration: common ends are cut off, the middle is compared by the longest common subsequence.
// Called by setup. Pure apart from the terminal's buffer.

#include "cli/diff.h"

enum { MIDDLE_MAX = 1000, LINE_MAX_SHOWN = 160 }; // a larger middle is shown as replaced as a whole

typedef struct lines {
    cc_str *line;
    size_t n;
} lines;

static lines split(cc_arena *a, cc_str text) {
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n';
    lines l = {CC_ARENA_ARRAY(a, cc_str, n), 0};
    while (text.n) {
        const char *eol = memchr(text.p, '\n', text.n);
        size_t length = eol ? (size_t)(eol - text.p) + 1 : text.n;
        l.line[l.n++] = (cc_str){text.p, length};
        text.p += length;
        text.n -= length;
    }
    return l;
}

static void print_line(cc_term *t, char sign, cc_str line, size_t from, size_t to) {
    bool eol = line.n && line.p[line.n - 1] == '\n';
    while (line.n && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r')) line.n--;
    bool head = false, tail = false;
    if (line.n > LINE_MAX_SHOWN && from < line.n) {
        if (to > line.n) to = line.n;
        if (to - from > LINE_MAX_SHOWN) to = from + LINE_MAX_SHOWN;
        tail = to < line.n;
        head = from > 0;
        size_t end = cc_utf8_prefix(line, to).n;
        while (from < end && ((unsigned char)line.p[from] & 0xC0) == 0x80) from++;
        line = (cc_str){line.p + from, end - from};
    }
    cc_term_text(t, sign == '+' ? CC_GREEN : CC_RED, "    %c%s%.*s%s\n", sign, head ? "..." : "", (int)line.n, line.p, tail ? "..." : "");
    if (!eol) cc_term_text(t, CC_DIM, "    \\ no end of line at the end of the file\n");
}

// For a pair of long lines: the parts that differ, with a little of what is around them.
static void changed_part(cc_str x, cc_str y, size_t *from, size_t *x_to, size_t *y_to) {
    size_t start = 0, end = 0, around = 12;
    while (start < x.n && start < y.n && x.p[start] == y.p[start]) start++;
    while (end < x.n - start && end < y.n - start && x.p[x.n - 1 - end] == y.p[y.n - 1 - end]) end++;
    *from = start > around ? start - around : 0;
    *x_to = x.n - end + (end > around ? around : end);
    *y_to = y.n - end + (end > around ? around : end);
}

static void print_hunk(cc_term *t, lines x, size_t x0, size_t x1, lines y, size_t y0, size_t y1) {
    cc_term_text(t, CC_BLUE, "    @@ -%zu,%zu +%zu,%zu @@\n", x1 > x0 ? x0 + 1 : x0, x1 - x0, y1 > y0 ? y0 + 1 : y0, y1 - y0);
    size_t pairs = x1 - x0 == y1 - y0 ? x1 - x0 : 0;
    for (size_t i = x0; i < x1; i++) {
        size_t from = 0, to = LINE_MAX_SHOWN, other;
        if (pairs) changed_part(x.line[i], y.line[y0 + i - x0], &from, &to, &other);
        print_line(t, '-', x.line[i], from, to);
    }
    for (size_t j = y0; j < y1; j++) {
        size_t from = 0, to = LINE_MAX_SHOWN, other;
        if (pairs) changed_part(x.line[x0 + j - y0], y.line[j], &from, &other, &to);
        print_line(t, '+', y.line[j], from, to);
    }
}

void cc_diff_print(cc_term *t, const char *path, cc_str before, cc_str after) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    lines x = split(&a, before), y = split(&a, after);
    size_t start = 0, end = 0;
    while (start < x.n && start < y.n && cc_str_eq(x.line[start], y.line[start])) start++;
    while (end < x.n - start && end < y.n - start && cc_str_eq(x.line[x.n - 1 - end], y.line[y.n - 1 - end])) end++;
    size_t n = x.n - start - end, m = y.n - start - end;
    if (!n && !m) return;
    cc_term_text(t, CC_BOLD, "    --- %s\n    +++ %s\n", path, path);
    if (n > MIDDLE_MAX || m > MIDDLE_MAX) {
        print_hunk(t, x, start, x.n - end, y, start, y.n - end);
        return;
    }
    // common[i][j]: length of the longest common subsequence of what follows line i of x and line j of y
    uint16_t *common = CC_ARENA_ARRAY(&a, uint16_t, (n + 1) * (m + 1));
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            uint16_t *c = &common[i * (m + 1) + j], down = c[m + 1], right = c[1];
            *c = cc_str_eq(x.line[start + i], y.line[start + j]) ? (uint16_t)(c[m + 2] + 1) : down > right ? down : right;
        }
    }
    size_t i = 0, j = 0;
    while (i < n || j < m) {
        size_t i0 = i, j0 = j;
        while (i < n || j < m) {
            if (i < n && j < m && cc_str_eq(x.line[start + i], y.line[start + j])) break;
            if (j == m || (i < n && common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1]))
                i++;
            else
                j++;
        }
        if (i > i0 || j > j0) print_hunk(t, x, start + i0, start + i, y, start + j0, start + j);
        while (i < n && j < m && cc_str_eq(x.line[start + i], y.line[start + j])) i++, j++;
    }
}
