/* The terms of a transfer: what the client asked for by options (RFC 2347), what the
 * server grants, and the answer that says so.
 *
 *   blksize  RFC 2348   bytes in a block; the server may grant less
 *   timeout  RFC 2349   seconds until a packet is sent again; granted as asked
 *   tsize    RFC 2349   size of the file; told by the side that has it */
#ifndef TFTPD_TERMS_H
#define TFTPD_TERMS_H

#include "config.h"
#include "packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t block_size;
  unsigned timeout_ms;
  bool block_size_asked, timeout_asked,
      size_asked; /* and granted: they go into the answer */
  uint64_t size;  /* of a write, if the client said it */
} Terms;

/* What the request asks for, within what the configuration allows. Options that are
 * unknown or out of range are not granted, which is no error; one that is not a number at
 * all is. */
bool terms_negotiate(const RequestPacket *request, const Config *config, Terms *ret,
                     const char **ret_problem);

/* Whether there is anything to answer by an OACK. */
bool terms_any(const Terms *terms);

/* Writes the OACK; `size` is what the option tsize gets. */
size_t terms_write(const Terms *terms, uint64_t size, uint8_t *to, size_t room);

#endif
