// The results that we send, in the shape of their era. Called by mcp.c and calls.c; owns nothing.
#include <assert.h>

#include "mcp/internal.h"

cc_jw cc_reply_begin(const cc_mcp *m, cc_str id, bool modern) {
    cc_jw w = cc_message_begin_result(cc_mcp_out(m), id);
    cc_jw_object(&w);
    if (modern) cc_jw_kstringz(&w, "resultType", "complete");
    return w;
}

void cc_reply_end(cc_jw *w, bool modern) {
    if (modern) cc_jw_kraw(w, "_meta", CC_STR("{" CC_MCP_SERVER_INFO "}"));
    cc_jw_end_object(w);
    cc_message_end(w);
}

void cc_reply_cacheable(cc_jw *w) {
    // The answer is fixed for the life of the process and holds nothing of a user; five minutes bound how long a client that
    // keeps it over a restart can miss an upgrade.
    cc_jw_kint(w, "ttlMs", 300000);
    cc_jw_kstringz(w, "cacheScope", "public");
}

// <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#135"/>
// <path d="M4 6h8M4 10h8" stroke="#fff" stroke-width="2"/></svg>: an equals sign on a tile.
#define ICON                                                                                                                               \
    "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxNiAxNiI+PHJlY3Qgd2lkdGg9IjE2IiBoZWlnaH"                       \
    "Q9IjE2IiByeD0iMyIgZmlsbD0iIzEzNSIvPjxwYXRoIGQ9Ik00IDZoOE00IDEwaDgiIHN0cm9rZT0iI2ZmZiIgc3Ryb2tlLXdpZHRoPSIyIi8+"                       \
    "PC9zdmc+"

// websiteUrl is left out: there is no public page to name.
void cc_reply_server_info(cc_jw *w, bool icons) {
    cc_jw_object(w);
    cc_jw_kstringz(w, "name", "codecalc");
    cc_jw_kstringz(w, "version", CC_VERSION);
    if (icons) {
        cc_jw_key(w, "icons");
        cc_jw_array(w);
        cc_jw_object(w);
        cc_jw_kstringz(w, "src", "data:image/svg+xml;base64," ICON);
        cc_jw_kstringz(w, "mimeType", "image/svg+xml");
        cc_jw_key(w, "sizes");
        cc_jw_raw(w, CC_STR("[\"any\"]"));
        cc_jw_end_object(w);
        cc_jw_end_array(w);
    }
    cc_jw_end_object(w);
}

// The facts of every receipt, and those that the job added.
static void write_receipt(cc_buf *out, cc_str receipt) {
    cc_buf_adds(out, CC_STR("\"codecalc/receipt\":{\"contract_version\":\"" CC_CONTRACT_VERSION
                            "\",\"backend\":\"native\",\"platform\":\"linux\""));
    if (receipt.n > 2) { // not just {}
        assert(receipt.p[0] == '{' && receipt.p[receipt.n - 1] == '}');
        cc_buf_addc(out, ',');
        cc_buf_add(out, receipt.p + 1, receipt.n - 2);
    }
    cc_buf_addc(out, '}');
}

void cc_reply_tool(const cc_mcp *m, cc_str id, bool modern, const cc_outcome *outcome) {
    assert(outcome->body.n && outcome->body.p[0] == '{');
    cc_buf *out = cc_mcp_out(m);
    cc_buf_reserve(out, outcome->body.n * 2 + 512);
    cc_jw w = cc_reply_begin(m, id, modern);
    cc_jw_key(&w, "content");
    cc_jw_array(&w);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "type", "text");
    cc_jw_kstring(&w, "text", outcome->body);
    cc_jw_end_object(&w);
    cc_jw_end_array(&w);
    if (cc_settings_get()->structured && (modern || m->legacy->structured)) cc_jw_kraw(&w, "structuredContent", outcome->body);
    if (outcome->failed) cc_jw_kbool(&w, "isError", true);
    cc_jw_key(&w, "_meta");
    cc_buf_addc(out, '{');
    if (modern) cc_buf_adds(out, CC_STR(CC_MCP_SERVER_INFO ","));
    write_receipt(out, outcome->receipt);
    cc_buf_addc(out, '}');
    w.comma = true;
    cc_jw_end_object(&w);
    cc_message_end(&w);
}
