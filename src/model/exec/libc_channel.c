/* Pipes and pairs of sockets, inside of the machine.
 *
 * A channel is a queue of bytes that has no limit: who writes never waits. A pipe is one channel, a
 * pair of sockets two. Reading from an empty channel would wait for another thread, which is not
 * modelled: then the run stops. */
#include "model/exec/libc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

enum { MESSAGE_BYTES = 56, MOST_PARTS = 1024 };

static int add_end(LibcState *state, uint32_t from, uint32_t to) {
  int fd = libc_fd_add(state, LIBC_NO_HOST);
  state->fds.data[fd].close = false;
  state->fds.data[fd].from = from;
  state->fds.data[fd].to = to;
  return fd;
}

static uint32_t add_channel(LibcState *state) {
  vec_push(&state->channels, (LibcChannel){0});
  return state->channels.len;
}

static NativeStatus give_pair(NativeCall *call, uint64_t at, int first, int second) {
  int32_t pair[2] = {first, second};
  return libc_put(call, at, pair, sizeof pair) ? ret_int(call, 0) : NATIVE_STOP;
}

static NativeStatus native_pipe(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  uint32_t channel = add_channel(state);
  int reading = add_end(state, channel, 0);
  return give_pair(call, arg_u64(call, 0), reading, add_end(state, 0, channel));
}

static NativeStatus native_socketpair(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  int type = arg_int(call, 1) & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (arg_int(call, 0) != AF_UNIX) return ret_errno(call, EOPNOTSUPP, UINT64_MAX);
  if (type != SOCK_STREAM) {
    exec_stop(call->exec, "a pair of sockets that is no stream is not modelled");
    return NATIVE_STOP;
  }
  uint32_t there = add_channel(state), back = add_channel(state);
  int first = add_end(state, back, there);
  return give_pair(call, arg_u64(call, 3), first, add_end(state, there, back));
}

static bool has_end(const LibcState *state, uint32_t channel, bool reads) {
  for (uint32_t i = 0; i < state->fds.len; i++) {
    const LibcFd *fd = &state->fds.data[i];
    if (fd->host >= 0 && (reads ? fd->from : fd->to) == channel) return true;
  }
  return false;
}

ssize_t libc_channel_write(NativeCall *call, const LibcFd *fd, const void *bytes,
                           size_t n) {
  LibcState *state = exec_libc(call->exec);
  if (!fd->to || !has_end(state, fd->to, true)) {
    libc_errno(call, fd->to ? EPIPE : EBADF);
    return -1;
  }
  LibcChannel *c = &state->channels.data[fd->to - 1];
  for (size_t i = 0; i < n; i++) vec_push(&c->bytes, ((const uint8_t *)bytes)[i]);
  return (ssize_t)n;
}

bool libc_channel_read(NativeCall *call, const LibcFd *fd, void *bytes, size_t n,
                       ssize_t *ret_done) {
  LibcState *state = exec_libc(call->exec);
  *ret_done = -1;
  if (!fd->from) {
    libc_errno(call, EBADF);
    return true;
  }
  LibcChannel *c = &state->channels.data[fd->from - 1];
  size_t left = c->bytes.len - c->at, part = left < n ? left : n;
  if (n && !part && has_end(state, fd->from, false)) {
    exec_stop(call->exec, "waits for bytes from a pipe or socket, which is not modelled");
    return false;
  }
  if (part) memcpy(bytes, c->bytes.data + c->at, part);
  c->at += (uint32_t)part;
  *ret_done = (ssize_t)part;
  return true;
}

/* ---- sockets ---- */

static NativeStatus ret_count(NativeCall *call, ssize_t n) {
  return ret_u64(call, (uint64_t)n);
}

static NativeStatus native_send(NativeCall *call) {
  const uint8_t *bytes = libc_bytes(call, arg_u64(call, 1), arg_u64(call, 2));
  if (!bytes) return NATIVE_STOP;
  return ret_count(call, libc_fd_write(call, arg_int(call, 0), bytes, arg_u64(call, 2)));
}

/* Reads at most n bytes into the program's memory. False: stop. */
static bool receive(NativeCall *call, uint64_t to, uint64_t n, ssize_t *ret_done) {
  const LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  *ret_done = -1;
  if (!fd) return true;
  if (!fd->from && !fd->to) {
    libc_errno(call, ENOTSOCK);
    return true;
  }
  uint8_t block[4096];
  if (!libc_channel_read(call, fd, block, n < sizeof block ? n : sizeof block, ret_done))
    return false;
  return *ret_done <= 0 || libc_put(call, to, block, (uint64_t)*ret_done);
}

static NativeStatus native_recv(NativeCall *call) {
  ssize_t done;
  if (arg_int(call, 3) & ~MSG_NOSIGNAL) {
    exec_stop(call->exec, "flags of recv are not modelled");
    return NATIVE_STOP;
  }
  return receive(call, arg_u64(call, 1), arg_u64(call, 2), &done) ? ret_count(call, done)
                                                                  : NATIVE_STOP;
}

/* The vector of a struct msghdr. False: stop. */
static bool message_parts(NativeCall *call, uint64_t *ret_parts, uint64_t *ret_count_) {
  uint64_t words[MESSAGE_BYTES / 8];
  if (!exec_read(call->exec, arg_u64(call, 1), words, sizeof words)) return false;
  *ret_parts = words[2];
  *ret_count_ = words[3];
  if (words[3] <= MOST_PARTS && !words[5]) return true;
  exec_stop(call->exec, "a message with control data is not modelled");
  return false;
}

static NativeStatus pass_message(NativeCall *call, bool sends) {
  uint64_t parts, count, part[2];
  ssize_t total = 0, done;
  if (!message_parts(call, &parts, &count)) return NATIVE_STOP;
  for (uint64_t i = 0; i < count; i++) {
    if (!exec_read(call->exec, parts + i * sizeof part, part, sizeof part))
      return NATIVE_STOP;
    const uint8_t *bytes = sends ? libc_bytes(call, part[0], part[1]) : NULL;
    if (sends && !bytes) return NATIVE_STOP;
    if (sends)
      done = libc_fd_write(call, arg_int(call, 0), bytes, part[1]);
    else if (!receive(call, part[0], part[1], &done))
      return NATIVE_STOP;
    if (done < 0) return ret_count(call, total ? total : -1);
    total += done;
    if ((uint64_t)done < part[1]) break;
  }
  return ret_count(call, total);
}

static NativeStatus native_sendmsg(NativeCall *call) {
  return pass_message(call, true);
}

static NativeStatus native_recvmsg(NativeCall *call) {
  return pass_message(call, false);
}

static const Native natives[] = {
    {"pipe", native_pipe, 1},
    {"pipe2", native_pipe, 2},
    {"recv", native_recv, 4},
    {"recvmsg", native_recvmsg, 3},
    {"send", native_send, 4},
    {"sendmsg", native_sendmsg, 3},
    {"socketpair", native_socketpair, 4},
};
NATIVE_TABLE(channel, natives);
