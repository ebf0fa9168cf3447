// What the server, the spawner and the workers say to each other. Included by the files of this folder only. All parties are one
// program on one machine (a fork of it), so the structs travel as they lie in memory; lengths and kinds are checked all the same,
// because a worker has read untrusted text.
#ifndef CODECALC_JOB_PROTOCOL_H
#define CODECALC_JOB_PROTOCOL_H

#include <sys/uio.h>

#include "codecalc/base.h"
#include "codecalc/runs.h"
#include "codecalc/tools.h"

// ---- server → spawner (SEQPACKET; the worker's end of its socket pair travels with it) and back (with the pidfd) ----

typedef struct cc_spawn_request {
    uint64_t id;
    uint32_t where;    // cc_where: CC_SEALED, CC_FILES or CC_LAUNCHER
    uint32_t language; // whose interpreter a CC_LAUNCHER shall start ahead; 0 = none
} cc_spawn_request;

typedef struct cc_spawn_answer {
    uint64_t id;   // of the request; answers come in the order of the requests
    int32_t error; // errno of the clone, 0 when the pidfd came along
    int32_t zero;
} cc_spawn_answer;

// One packet with at most one descriptor (fd < 0: none). Returns bytes, 0 at the end of the stream, -1 with errno.
ssize_t cc_packet_send(int socket, const void *data, size_t n, int fd);
// *fd is the close-on-exec descriptor that came along, or -1.
ssize_t cc_packet_receive(int socket, void *data, size_t n, int *fd);

// ---- server → worker (stream): head, then the text of the arguments object ----

#define CC_REQUEST_MAGIC 0x71634343u
#define CC_FRAME_MAGIC   0x72634343u

typedef struct cc_request_head {
    uint32_t magic;
    uint32_t tool; // index in cc_tools
    uint64_t n;    // bytes of arguments
    int64_t deadline_ms;
    uint32_t watched;           // the call's output is wanted as it comes
    uint32_t language;          // a launcher with an interpreter of it is the right one; 0 = any
    char run_id[CC_RUN_ID + 8]; // of a background run; "" for a call
} cc_request_head;

// ---- worker → server (stream): head, then body, then receipt ----

typedef enum cc_frame_type {
    CC_FRAME_REPLY,    // ends the call
    CC_FRAME_PROGRESS, // body is the message
    CC_FRAME_OUTPUT,   // body is the next piece of what a program writes
    CC_FRAME_HOLDS,    // between calls: the interpreter that it has started waits, and holds .grown_kb
    CC_FRAME_FATAL,    // the worker ends; body is the reason in words
} cc_frame_type;

typedef struct cc_frame_head {
    uint32_t magic;
    uint16_t type;     // cc_frame_type
    uint16_t code;     // cc_code: how the call ended, CC_OK when the tool answered
    uint32_t body;     // bytes
    uint32_t receipt;  // bytes
    uint64_t grown_kb; // by how much the worker's resident memory ever exceeded that of its start
    uint32_t language; // of a reply: an interpreter of it would be used by a call like this one; 0 = none
    uint32_t zero;
    double done, total;
} cc_frame_head;

// A reply over this is not sent (the tool's answer becomes resource_exhausted), and a worker that announces one is killed.
#define CC_REPLY_MAX        ((size_t)64 << 20)
#define CC_FRAME_TEXT_MAX   ((size_t)1024) // of a progress message or a reason
#define CC_FRAME_OUTPUT_MAX ((size_t)1 << 20)

// False when no worker of ours can have sent it.
bool cc_frame_head_valid(const cc_frame_head *head);
static inline size_t cc_frame_size(const cc_frame_head *head) { return sizeof *head + head->body + head->receipt; }

// writev until everything is out, on a blocking descriptor; changes the vector. 0, or -1 with errno.
int cc_write_vector(int fd, struct iovec *v, int count);

#endif
