/* UDP sockets and addresses. Thin: each function is one system call, with the retries and
 * the casts that it needs. */
#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

bool net_read_address(const char *text, unsigned port, Address *ret) {
  memset(ret, 0, sizeof *ret);
  ret->sin_family = AF_INET;
  ret->sin_port = htons((uint16_t)port);
  return inet_pton(AF_INET, text, &ret->sin_addr) == 1;
}

int net_open(const Address *address) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (bind(fd, (const struct sockaddr *)address, sizeof *address) == 0) return fd;
  int reason = errno;
  close(fd);
  errno = reason;
  return -1;
}

bool net_local_address(int socket, Address *ret) {
  socklen_t length = sizeof *ret;
  return getsockname(socket, (struct sockaddr *)ret, &length) == 0;
}

bool net_send(int socket, const Address *to, const void *bytes, size_t length) {
  ssize_t sent;
  do {
    sent = sendto(socket, bytes, length, 0, (const struct sockaddr *)to, sizeof *to);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)length;
}

long net_receive(int socket, void *bytes, size_t room, Address *ret_from) {
  ssize_t received;
  do {
    socklen_t length = sizeof *ret_from;
    received = recvfrom(socket, bytes, room, 0, (struct sockaddr *)ret_from, &length);
  } while (received < 0 && errno == EINTR);
  return (long)received;
}

bool net_wait(int socket, unsigned milliseconds) {
  struct pollfd event = {.fd = socket, .events = POLLIN};
  int ready = poll(&event, 1, (int)milliseconds);
  return ready > 0 && (event.revents & POLLIN) != 0;
}

uint64_t net_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool net_same_address(const Address *a, const Address *b) {
  return a->sin_addr.s_addr == b->sin_addr.s_addr && a->sin_port == b->sin_port;
}

/* A race: every thread that writes to the log writes to the same buffer. */
const char *net_text(const Address *address) {
  static char text[NET_TEXT];
  uint32_t host = ntohl(address->sin_addr.s_addr);
  snprintf(text, sizeof text, "%u.%u.%u.%u:%u", host >> 24, host >> 16 & 255,
           host >> 8 & 255, host & 255, ntohs(address->sin_port));
  return text;
}
