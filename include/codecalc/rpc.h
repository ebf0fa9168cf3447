// Bytes ↔ frames. Knows JSON-RPC 2.0 and nothing of MCP. A second transport (HTTP) will implement the same events beside stdio.
#ifndef CODECALC_RPC_H
#define CODECALC_RPC_H

#include <uv.h>

#include "codecalc/base.h"
#include "codecalc/json.h"

#define CC_FRAME_MAX (16u << 20) // bytes of one message

enum { // JSON-RPC 2.0 error codes
    CC_RPC_PARSE = -32700,
    CC_RPC_INVALID_REQUEST = -32600,
    CC_RPC_NO_METHOD = -32601,
    CC_RPC_BAD_PARAMS = -32602,
    CC_RPC_INTERNAL = -32603,
};

// ---- messages (src/rpc/message.c) ----

typedef enum cc_message_kind { CC_REQUEST, CC_NOTIFICATION, CC_RESPONSE } cc_message_kind;

typedef struct cc_message {
    cc_message_kind kind;
    cc_str id; // as JSON text (1 and "1" differ); empty for a notification
    cc_str method;
    const cc_json *params; // NULL when absent or null
} cc_message;

// Reads one frame into the arena. 0; or -1 with the JSON-RPC error code in *rpc_code, the text in err, and msg->id set when the
// id could be told (else empty: the error goes out without id). *rpc_code is 0 when nothing may be answered, because the frame
// is a malformed notification.
int cc_message_parse(cc_arena *a, cc_str frame, cc_message *msg, int *rpc_code, cc_error *err);
// The JSON text of a value that can identify a request (a string or an integer), one text for one value however it was written;
// empty for any other. In the arena.
cc_str cc_message_id_text(cc_arena *a, const cc_json *value);
// Append one whole frame, LF included. data is JSON text or empty.
void cc_message_write_error(cc_buf *out, cc_str id, int rpc_code, cc_str text, cc_str data);
// {"jsonrpc":"2.0","id":…,"result": is opened; the caller writes the result value and closes with cc_message_end.
cc_jw cc_message_begin_result(cc_buf *out, cc_str id);
cc_jw cc_message_begin_notification(cc_buf *out, const char *method); // params value follows
void cc_message_end(cc_jw *w);

// ---- stdio transport (src/rpc/stdio.c) ----

typedef struct cc_stdio cc_stdio;

// All are called from the loop, never from inside a function below.
typedef struct cc_stdio_events {
    void (*frame)(void *ctx, cc_str frame); // one line without LF or CRLF; blank lines are not reported
    void (*oversized)(void *ctx);           // a line over CC_FRAME_MAX was skipped
    void (*eof)(void *ctx);                 // no more input; once
    void (*drained)(void *ctx);             // all that was appended has been written
    void (*gone)(void *ctx);                // stdout is closed or broken; once
} cc_stdio_events;

// Takes descriptors 0 and 1 (pipe, file, terminal or socket), moves them out of reach, and points 0 at /dev/null and 1 at
// stderr, so that nothing but frames can ever reach the client. SIGPIPE must be ignored. 0, or -1 with *err.
int cc_stdio_open(uv_loop_t *loop, cc_stdio_events events, void *ctx, cc_stdio **out, cc_error *err);
// True when stdin is a regular file (calls in flight at EOF keep their own deadlines).
bool cc_stdio_input_is_file(const cc_stdio *s);
// Where whole frames are appended; they leave at the end of the loop iteration, in few writes.
cc_buf *cc_stdio_out(cc_stdio *s);
// Reading pauses while more than 8 MiB wait to be written, and by request. May be called from an event: no further one follows.
void cc_stdio_pause(cc_stdio *s, bool paused);
// Bytes not yet written.
size_t cc_stdio_pending(const cc_stdio *s);
// Stops both directions, dropping what is pending, and gives the descriptors' flags back; the memory goes with the loop's next turn.
void cc_stdio_close(cc_stdio *s);

#endif
