/* Who may do what: a list of networks, each with the right to read or to read and write.
 * The first rule that matches the client decides; a client that matches none may do
 * nothing. Without any rule everyone may do everything that the server does at all. */
#ifndef TFTPD_ACCESS_H
#define TFTPD_ACCESS_H

#include "net.h"

#include <stdbool.h>
#include <stdint.h>

enum { ACCESS_RULES_MAX = 32 };

typedef struct {
  uint32_t network, mask; /* in the byte order of the host */
  bool write;
} AccessRule;

typedef struct {
  AccessRule rules[ACCESS_RULES_MAX];
  unsigned count;
} AccessList;

/* Adds `read:10.0.0.0/8` or `write:10.1.2.3`; false if it is no rule, or one too many. */
bool access_add(AccessList *list, const char *text);

bool access_allows(const AccessList *list, const Address *client, bool write);

#endif
