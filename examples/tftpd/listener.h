/* The listener: receives requests at the port that everyone knows, and starts a worker
 * for each.
 *
 * A request goes to its worker through one slot. The listener locks the slot before it
 * fills it, and the worker unlocks it when it has its copy: the lock is handed over
 * together with the request. */
#ifndef TFTPD_LISTENER_H
#define TFTPD_LISTENER_H

#include "net.h"
#include "packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A request as it came, with the zero byte behind it that reading it needs. */
typedef struct {
  unsigned number; /* counted from 1 */
  Address client;
  uint64_t came_ms;
  size_t length;
  uint8_t bytes[PACKET_REQUEST_MAX + 1];
} Datagram;

/* Opens the socket; false with the reason in errno. Called before there are threads. */
bool listener_open(const char *address, unsigned port);

/* The socket, for whoever waits for several things. */
int listener_socket(void);

/* Takes one request from the socket and starts its worker. Waits for room if there are
 * many. */
void listener_accept(void);

/* For the worker: copies the request out of the slot and frees it for the next one. */
void listener_take(Datagram *ret);

/* For the worker: a socket of its own on the same interface, with another port. */
int listener_open_reply(void);

/* How many requests there were; for the thread that calls listener_accept. */
unsigned listener_count(void);

/* How many of them have reached a worker. */
unsigned long listener_taken(void);

void listener_close(void);

#endif
