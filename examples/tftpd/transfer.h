/* One transfer: blocks in lock step, each answered before the next goes out.
 *
 * Everything that a transfer needs is in its Transfer, which belongs to the thread that
 * runs it. */
#ifndef TFTPD_TRANSFER_H
#define TFTPD_TRANSFER_H

#include "file.h"
#include "net.h"
#include "packet.h"
#include "terms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  /* Given by the caller. */
  unsigned number; /* of the request, for the log */
  int slot;        /* its session */
  int socket;      /* our end, a port of its own */
  Address client;  /* the other end */
  Terms terms;
  unsigned retries;
  uint64_t upload_limit;
  File file;
  /* The transfer's own. */
  uint8_t *packet; /* what was sent last, kept to be sent again */
  size_t packet_length, packet_room;
  uint8_t *reply; /* what came last */
  size_t reply_room;
  uint64_t bytes; /* of contents, so far */
  bool told;      /* the client knows that it is over: send it no error */
} Transfer;

/* Makes the buffers; the other members are set already. */
bool transfer_begin(Transfer *t, Failure *failure);

/* Sends the file, or receives it. */
bool transfer_send(Transfer *t, Failure *failure);
bool transfer_receive(Transfer *t, Failure *failure);

void transfer_end(Transfer *t);

#endif
