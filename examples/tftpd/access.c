/* The list of networks. */
#include "access.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The right in front of the colon; returns what follows it. */
static const char *read_right(const char *text, bool *ret_write) {
  if (strncmp(text, "read:", 5) == 0) {
    *ret_write = false;
    return text + 5;
  }
  if (strncmp(text, "write:", 6) == 0) {
    *ret_write = true;
    return text + 6;
  }
  return NULL;
}

static bool read_prefix(const char *text, uint32_t *ret_mask) {
  if (!isdigit((unsigned char)*text)) return false;
  char *end;
  unsigned long bits = strtoul(text, &end, 10);
  if (*end || bits > 32) return false;
  *ret_mask = bits == 0 ? 0 : UINT32_MAX << (32 - bits);
  return true;
}

static bool read_network(const char *text, AccessRule *rule) {
  char host[INET_ADDRSTRLEN];
  size_t length = strcspn(text, "/");
  if (length >= sizeof host) return false;
  memcpy(host, text, length);
  host[length] = '\0';
  Address address;
  if (!net_read_address(host, 0, &address)) return false;
  rule->mask = UINT32_MAX;
  if (text[length] == '/' && !read_prefix(text + length + 1, &rule->mask)) return false;
  rule->network = ntohl(address.sin_addr.s_addr) & rule->mask;
  return true;
}

bool access_add(AccessList *list, const char *text) {
  AccessRule rule;
  const char *network = read_right(text, &rule.write);
  if (!network || !read_network(network, &rule) || list->count == ACCESS_RULES_MAX)
    return false;
  list->rules[list->count++] = rule;
  return true;
}

bool access_allows(const AccessList *list, const Address *client, bool write) {
  if (list->count == 0) return true;
  uint32_t host = ntohl(client->sin_addr.s_addr);
  for (unsigned i = 0; i < list->count; i++) {
    const AccessRule *rule = &list->rules[i];
    if ((host & rule->mask) == rule->network) return rule->write || !write;
  }
  return false;
}
