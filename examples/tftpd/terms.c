/* Negotiation of options. Each option has a row in a table: its name, the range of its
 * values, and a function that grants it or does not. */
#include "terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

typedef struct {
  const char *name;
  unsigned long long least, most;
  void (*grant)(Terms *terms, unsigned long long value, const Config *config,
                Opcode opcode);
} OptionKind;

static void grant_block_size(Terms *terms, unsigned long long value, const Config *config,
                             Opcode opcode) {
  (void)opcode;
  size_t most = config->max_block_size;
  terms->block_size = value < most ? (size_t)value : most;
  terms->block_size_asked = true;
}

static void grant_timeout(Terms *terms, unsigned long long value, const Config *config,
                          Opcode opcode) {
  (void)config;
  (void)opcode;
  terms->timeout_ms = (unsigned)value * 1000;
  terms->timeout_asked = true;
}

/* In a netascii transfer the number of bytes on the wire is not known in advance, and RFC
 * 2349 leaves open which of the two sizes is meant: the server then tells the size on
 * disk. */
static void grant_size(Terms *terms, unsigned long long value, const Config *config,
                       Opcode opcode) {
  (void)config;
  if (opcode == OPCODE_WRITE) terms->size = value;
  terms->size_asked = true;
}

static const OptionKind kinds[] = {
    {"blksize", BLOCK_SIZE_MIN, BLOCK_SIZE_MAX, grant_block_size},
    {"timeout", 1, 255, grant_timeout},
    {"tsize", 0, UINT64_MAX, grant_size},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* The whole text as a number: no sign, no blank, nothing behind it. */
static bool read_number(const char *text, unsigned long long *ret) {
  if (!isdigit((unsigned char)*text)) return false;
  char *end;
  errno = 0;
  *ret = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0';
}

static bool consider(const PacketOption *option, Opcode opcode, const Config *config,
                     Terms *terms, const char **ret_problem) {
  for (size_t i = 0; i < KIND_COUNT; i++) {
    const OptionKind *kind = &kinds[i];
    if (strcasecmp(option->name, kind->name) != 0) continue;
    unsigned long long value;
    if (!read_number(option->value, &value)) {
      *ret_problem = "the value of an option is not a number";
      return false;
    }
    if (value >= kind->least && value <= kind->most)
      kind->grant(terms, value, config, opcode);
  }
  return true;
}

bool terms_negotiate(const RequestPacket *request, const Config *config, Terms *ret,
                     const char **ret_problem) {
  Terms terms = {.block_size = BLOCK_SIZE_DEFAULT, .timeout_ms = config->timeout_ms};
  for (size_t i = 0; i < request->option_count; i++)
    if (!consider(&request->options[i], request->opcode, config, &terms, ret_problem))
      return false;
  *ret = terms;
  return true;
}

bool terms_any(const Terms *terms) {
  return terms->block_size_asked || terms->timeout_asked || terms->size_asked;
}

size_t terms_write(const Terms *terms, uint64_t size, uint8_t *to, size_t room) {
  size_t length = packet_begin_oack(to);
  if (terms->block_size_asked)
    length = packet_add_option(to, length, room, "blksize", terms->block_size);
  if (terms->timeout_asked)
    length = packet_add_option(to, length, room, "timeout", terms->timeout_ms / 1000);
  if (terms->size_asked) length = packet_add_option(to, length, room, "tsize", size);
  return length;
}
