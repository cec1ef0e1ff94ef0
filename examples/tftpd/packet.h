/* The packets of TFTP: RFC 1350, with the options of RFC 2347.
 *
 * Reading never copies: what is found are pointers into the datagram, which must outlive
 * them and must be followed by one zero byte of its owner's, so that every text in it
 * ends. Writing never overruns: every function is told how much room there is and returns
 * how many bytes it used. */
#ifndef TFTPD_PACKET_H
#define TFTPD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  OPCODE_READ = 1,
  OPCODE_WRITE = 2,
  OPCODE_DATA = 3,
  OPCODE_ACK = 4,
  OPCODE_ERROR = 5,
  OPCODE_OACK = 6,
} Opcode;

/* The codes of an ERROR packet, with the numbers of the RFC. */
typedef enum {
  CODE_UNDEFINED = 0,
  CODE_NOT_FOUND = 1,
  CODE_ACCESS = 2,
  CODE_DISK_FULL = 3,
  CODE_ILLEGAL = 4,
  CODE_UNKNOWN_ID = 5,
  CODE_EXISTS = 6,
  CODE_NO_USER = 7,
  CODE_OPTION = 8,
} ErrorCode;

typedef enum { MODE_OCTET, MODE_NETASCII } Mode;

enum {
  PACKET_REQUEST_MAX = 512, /* RFC 2347: no request is longer */
  PACKET_HEADER = 4,        /* opcode and block number of DATA and ACK */
  PACKET_OPTIONS_MAX = 16,  /* more than any client sends; further ones are ignored */
  PACKET_ERROR_MAX = 128,   /* what an ERROR packet of ours takes at most */
  BLOCK_SIZE_MIN = 8,
  BLOCK_SIZE_DEFAULT = 512,
  BLOCK_SIZE_MAX = 65464,
};

typedef struct {
  const char *name, *value;
} PacketOption;

/* An RRQ or WRQ. */
typedef struct {
  Opcode opcode;
  const char *file;
  Mode mode;
  PacketOption options[PACKET_OPTIONS_MAX];
  size_t option_count;
} RequestPacket;

/* What a client sends in the course of a transfer. */
typedef struct {
  Opcode opcode; /* DATA, ACK or ERROR */
  uint16_t block;
  const uint8_t *data; /* DATA: the contents */
  size_t length;
  ErrorCode code;   /* ERROR */
  const char *text; /* ERROR */
} ReplyPacket;

/* Reads a request. If it is none, *ret_problem says why, in words for the client. */
bool packet_read_request(const uint8_t *bytes, size_t length, RequestPacket *ret,
                         const char **ret_problem);

/* Reads any packet of a running transfer; false if it is none. */
bool packet_read_reply(const uint8_t *bytes, size_t length, ReplyPacket *ret);

/* Writes the four bytes in front of the data, or the whole acknowledgement. */
size_t packet_write_data(uint8_t *to, uint16_t block);
size_t packet_write_ack(uint8_t *to, uint16_t block);

/* Writes an ERROR; a text that is too long is cut. At least PACKET_ERROR_MAX bytes of
 * room. */
size_t packet_write_error(uint8_t *to, ErrorCode code, const char *text);

/* Begin an OACK, then add options to it. Both return the length so far; an option for
 * which there is no room is left out, which tells the client that it was not accepted. */
size_t packet_begin_oack(uint8_t *to);
size_t packet_add_option(uint8_t *to, size_t length, size_t room, const char *name,
                         unsigned long long value);

/* Words for the log. */
const char *packet_opcode_name(Opcode opcode);
const char *packet_mode_name(Mode mode);

#endif
