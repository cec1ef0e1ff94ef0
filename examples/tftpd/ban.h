/* Clients that are ignored for a while, because the server had to refuse them too often.
 * A scan for file names over TFTP is a burst of requests for what is not there; without a
 * ban each of them costs a worker. */
#ifndef TFTPD_BAN_H
#define TFTPD_BAN_H

#include "net.h"

#include <stdbool.h>

/* `limit` refusals within `seconds` ban a client for as long again; 0: nobody is banned.
 * Called before there are threads. */
void ban_start(unsigned limit, unsigned seconds);

/* Whether the client's requests are to be ignored. The port does not matter. */
bool ban_includes(const Address *client);

/* Notes that a request of the client was refused; true if that was one too many. */
bool ban_note_refusal(const Address *client);

/* Forgets everybody. */
void ban_clear(void);

/* How many clients are banned now. */
unsigned ban_count(void);

#endif
