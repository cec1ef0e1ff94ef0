/* The packets of TFTP, byte by byte.
 *
 * A packet is a 16-bit opcode in network order and what the opcode asks for. A request is
 * a list of texts that end in zero bytes: file, mode, then pairs of option and value. A
 * reader of such a list only has to look for zero bytes and to stop at the end of the
 * datagram: `next_text` is the one place that does. */
#include "packet.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct {
  const uint8_t *at, *end;
} Cursor;

static uint16_t get16(const uint8_t *at) {
  return (uint16_t)(at[0] << 8 | at[1]);
}

static void put16(uint8_t *at, unsigned value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

/* The text at the cursor, or NULL if none ends before the datagram does. */
static const char *next_text(Cursor *c) {
  const uint8_t *zero = memchr(c->at, 0, (size_t)(c->end - c->at));
  if (!zero) return NULL;
  const char *text = (const char *)c->at;
  c->at = zero + 1;
  return text;
}

static bool read_mode(const char *text, Mode *ret) {
  if (strcasecmp(text, "octet") == 0)
    *ret = MODE_OCTET;
  else if (strcasecmp(text, "netascii") == 0)
    *ret = MODE_NETASCII;
  else
    return false;
  return true;
}

static void read_options(Cursor *c, RequestPacket *ret) {
  ret->option_count = 0;
  while (ret->option_count < PACKET_OPTIONS_MAX) {
    const char *name = next_text(c);
    const char *value = name ? next_text(c) : NULL;
    if (!value) return;
    ret->options[ret->option_count].name = name;
    ret->options[ret->option_count].value = value;
    ret->option_count++;
  }
}

bool packet_read_request(const uint8_t *bytes, size_t length, RequestPacket *ret,
                         const char **ret_problem) {
  *ret_problem = "not a request";
  if (length < 2) return false;
  unsigned opcode = get16(bytes);
  if (opcode != OPCODE_READ && opcode != OPCODE_WRITE) return false;
  ret->opcode = (Opcode)opcode;

  Cursor c = {bytes + 2, bytes + length};
  *ret_problem = "the name of the file is missing";
  ret->file = next_text(&c);
  if (!ret->file || !*ret->file) return false;

  *ret_problem = "the mode is missing";
  const char *mode = next_text(&c);
  if (!mode) return false;
  *ret_problem = "the mode must be octet or netascii";
  if (!read_mode(mode, &ret->mode)) return false;

  read_options(&c, ret);
  return true;
}

bool packet_read_reply(const uint8_t *bytes, size_t length, ReplyPacket *ret) {
  if (length < PACKET_HEADER) return false;
  memset(ret, 0, sizeof *ret);
  ret->opcode = (Opcode)get16(bytes);
  switch (ret->opcode) {
  case OPCODE_DATA:
    ret->block = get16(bytes + 2);
    ret->data = bytes + PACKET_HEADER;
    ret->length = length - PACKET_HEADER;
    return true;
  case OPCODE_ACK: ret->block = get16(bytes + 2); return true;
  case OPCODE_ERROR:
    ret->code = (ErrorCode)get16(bytes + 2);
    ret->text = (const char *)bytes + PACKET_HEADER;
    return true;
  default: return false;
  }
}

size_t packet_write_data(uint8_t *to, uint16_t block) {
  put16(to, OPCODE_DATA);
  put16(to + 2, block);
  return PACKET_HEADER;
}

size_t packet_write_ack(uint8_t *to, uint16_t block) {
  put16(to, OPCODE_ACK);
  put16(to + 2, block);
  return PACKET_HEADER;
}

size_t packet_write_error(uint8_t *to, ErrorCode code, const char *text) {
  size_t length = strlen(text);
  if (length > PACKET_ERROR_MAX - PACKET_HEADER - 1)
    length = PACKET_ERROR_MAX - PACKET_HEADER - 1;
  put16(to, OPCODE_ERROR);
  put16(to + 2, code);
  memcpy(to + PACKET_HEADER, text, length);
  to[PACKET_HEADER + length] = 0;
  return PACKET_HEADER + length + 1;
}

size_t packet_begin_oack(uint8_t *to) {
  put16(to, OPCODE_OACK);
  return 2;
}

size_t packet_add_option(uint8_t *to, size_t length, size_t room, const char *name,
                         unsigned long long value) {
  char digits[24];
  size_t name_size = strlen(name) + 1;
  size_t digits_size = (size_t)snprintf(digits, sizeof digits, "%llu", value) + 1;
  if (length + name_size + digits_size > room) return length;
  memcpy(to + length, name, name_size);
  memcpy(to + length + name_size, digits, digits_size);
  return length + name_size + digits_size;
}

const char *packet_opcode_name(Opcode opcode) {
  switch (opcode) {
  case OPCODE_READ: return "read";
  case OPCODE_WRITE: return "write";
  case OPCODE_DATA: return "data";
  case OPCODE_ACK: return "ack";
  case OPCODE_ERROR: return "error";
  case OPCODE_OACK: return "oack";
  }
  return "unknown";
}

const char *packet_mode_name(Mode mode) {
  return mode == MODE_OCTET ? "octet" : "netascii";
}
