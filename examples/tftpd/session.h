/* The sessions: how many workers there are, and what each of them is doing.
 *
 * The listener reserves room for a worker before it starts one, and the worker gives it
 * back with its last step: so the limit holds, and when the room is all free again no
 * worker is left. */
#ifndef TFTPD_SESSION_H
#define TFTPD_SESSION_H

#include "net.h"
#include "packet.h"

#include <stdbool.h>
#include <stdint.h>

enum { SESSION_MAX = 64, SESSION_NAME = 64, SESSION_NONE = -1 };

typedef struct {
  bool used;
  unsigned number; /* of the request */
  Address client;
  Opcode opcode;
  char file[SESSION_NAME]; /* its beginning, for the log */
  uint64_t bytes;          /* transferred so far */
  uint64_t began_ms;
} Session;

/* Sets the limit. Called before there are threads. */
void sessions_start(unsigned limit);

/* Reserves room for a worker and waits for it if need be; give it back when the worker
 * ends. */
void sessions_reserve(void);
void sessions_release(void);

/* Waits until no worker is left. */
void sessions_drain(void);

/* Enters a session into the table. SESSION_NONE if this client has one for the same file
 * already: then the request came twice. */
int session_enter(unsigned number, const Address *client, const RequestPacket *request);
void session_progress(int slot, uint64_t bytes);
void session_leave(int slot);

/* Writes the table to the log. */
void sessions_log(void);

/* The most workers that there ever were. */
unsigned sessions_peak(void);

#endif
