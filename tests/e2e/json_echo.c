// Reads JSON documents and says how the strict pass takes each: for the test against an independent parser.
//   in:  length as 4 bytes (host order), then the document; repeated until the end of input
//   out: length as 4 bytes, then what was read, written back; or 0xFFFFFFFF where it was refused
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecalc/json.h"

int main(void) {
    uint32_t n;
    while (fread(&n, sizeof n, 1, stdin) == 1) {
        // A copy of exactly n bytes, so that a sanitizer sees a read past the end.
        char *text = cc_malloc(n ? n : 1);
        if (fread(text, 1, n, stdin) != n) return 1;
        CC_CLEANUP_ARENA cc_arena a = {0};
        CC_CLEANUP_BUF cc_buf out = {0};
        const cc_json *v = NULL;
        cc_error err = {0};
        uint32_t size = UINT32_MAX;
        if (cc_json_parse(&a, (cc_str){text, n}, CC_JSON_MAX_DEPTH, &v, &err) == 0) {
            cc_jw w = cc_jw_make(&out);
            cc_jw_value(&w, v);
            size = (uint32_t)out.n;
        } else {
            assert(err.msg[0]);
        }
        free(text);
        fwrite(&size, sizeof size, 1, stdout);
        if (out.n > 0) fwrite(out.p, 1, out.n, stdout);
        fflush(stdout);
    }
    return 0;
}
