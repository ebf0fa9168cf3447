// Packets with a descriptor, checks of frame heads, and the one blocking write of a worker. Called by the files of this folder;
// owns nothing.
#include <errno.h>
#include <sys/socket.h>

#include "job/protocol.h"

typedef union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
} control;

ssize_t cc_packet_send(int socket, const void *data, size_t n, int fd) {
    struct iovec iov = {(void *)(uintptr_t)data, n}; // sendmsg only reads
    control c = {0};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fd >= 0) {
        msg.msg_control = c.bytes;
        msg.msg_controllen = sizeof c.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(head), &fd, sizeof fd);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &msg, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t cc_packet_receive(int socket, void *data, size_t n, int *fd) {
    struct iovec iov = {data, n};
    control c = {0};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = c.bytes, .msg_controllen = sizeof c.bytes};
    *fd = -1;
    ssize_t got;
    do got = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0) return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(head), sizeof *fd);
    return got;
}

bool cc_frame_head_valid(const cc_frame_head *head) {
    if (head->magic != CC_FRAME_MAGIC || head->code > CC_INTERNAL) return false;
    switch ((cc_frame_type)head->type) {
    case CC_FRAME_REPLY: return (size_t)head->body + head->receipt <= CC_REPLY_MAX;
    case CC_FRAME_HOLDS: return !head->body && !head->receipt;
    case CC_FRAME_PROGRESS: return head->body <= CC_FRAME_TEXT_MAX && !head->receipt;
    case CC_FRAME_OUTPUT: return head->body <= CC_FRAME_OUTPUT_MAX && !head->receipt;
    case CC_FRAME_FATAL: return head->body <= CC_FRAME_TEXT_MAX && !head->receipt && head->code != CC_OK;
    }
    return false;
}

int cc_write_vector(int fd, struct iovec *v, int count) {
    while (count) {
        ssize_t n = writev(fd, v, count);
        if (n < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        for (size_t left = (size_t)n; count; v++, count--) {
            if (left < v->iov_len) {
                v->iov_base = (char *)v->iov_base + left;
                v->iov_len -= left;
                break;
            }
            left -= v->iov_len;
        }
    }
    return 0;
}
