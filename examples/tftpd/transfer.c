/* Transfers in lock step.
 *
 * Both directions are the same conversation: send a packet, wait for the one answer that
 * moves the transfer on, send the packet again when the time is over, and give up after
 * some tries. That is `exchange`; the two directions differ in what they send and in what
 * they wait for.
 *
 * Answers that are late or come twice are ignored and never answered, because answering
 * them would double every packet from there on (the "Sorcerer's Apprentice"). Datagrams
 * from a stranger are told so and do not disturb the transfer. Block numbers have 16 bits
 * and start again at 0. */
#include "transfer.h"

#include "log.h"
#include "server.h"
#include "session.h"
#include "stats.h"

#include <stdlib.h>

static bool fail(Failure *failure, ErrorCode code, const char *text) {
  failure->code = code;
  failure->text = text;
  return false;
}

bool transfer_begin(Transfer *t, Failure *failure) {
  t->packet_room = t->terms.block_size + PACKET_HEADER;
  if (t->packet_room < PACKET_REQUEST_MAX) t->packet_room = PACKET_REQUEST_MAX;
  t->reply_room = t->packet_room;
  t->packet = malloc(t->packet_room);
  t->reply = malloc(t->reply_room + 1);
  t->packet_length = 0;
  t->bytes = 0;
  t->told = false;
  if (t->packet && t->reply) return true;
  transfer_end(t);
  return fail(failure, CODE_UNDEFINED, "the server has no memory left");
}

void transfer_end(Transfer *t) {
  free(t->packet);
  free(t->reply);
  t->packet = t->reply = NULL;
}

/* ---- the conversation
 * -------------------------------------------------------------------- */

static void send_packet(Transfer *t) {
  if (!net_send(t->socket, &t->client, t->packet, t->packet_length))
    log_message(LEVEL_DEBUG, t->number, "a packet could not be sent");
}

static void refuse_stranger(Transfer *t, const Address *stranger) {
  uint8_t packet[PACKET_ERROR_MAX];
  size_t length =
      packet_write_error(packet, CODE_UNKNOWN_ID, "this port serves another client");
  net_send(t->socket, stranger, packet, length);
  log_message(LEVEL_INFO, t->number, "a datagram came from a stranger, %s",
              net_text(stranger));
}

typedef enum { ANSWER_NONE, ANSWER_GOOD, ANSWER_ERROR } Answer;

/* Takes one datagram from the socket and says what it is. */
static Answer take_answer(Transfer *t, Opcode wanted, uint16_t block, ReplyPacket *ret) {
  Address from;
  long length = net_receive(t->socket, t->reply, t->reply_room, &from);
  if (length < 0) return ANSWER_NONE;
  if (!net_same_address(&from, &t->client)) {
    refuse_stranger(t, &from);
    return ANSWER_NONE;
  }
  t->reply[length] = 0;
  if (!packet_read_reply(t->reply, (size_t)length, ret)) return ANSWER_NONE;
  if (ret->opcode == OPCODE_ERROR) return ANSWER_ERROR;
  return ret->opcode == wanted && ret->block == block ? ANSWER_GOOD : ANSWER_NONE;
}

/* Waits for the answer until the time for it is over. */
static Answer await_answer(Transfer *t, Opcode wanted, uint16_t block, ReplyPacket *ret) {
  uint64_t deadline = net_now_ms() + t->terms.timeout_ms;
  for (;;) {
    uint64_t now = net_now_ms();
    if (now >= deadline || server_is_stopping()) return ANSWER_NONE;
    if (!net_wait(t->socket, (unsigned)(deadline - now))) continue;
    Answer answer = take_answer(t, wanted, block, ret);
    if (answer != ANSWER_NONE) return answer;
  }
}

/* Sends the packet until the answer is there. */
static bool exchange(Transfer *t, Opcode wanted, uint16_t block, ReplyPacket *ret,
                     Failure *failure) {
  for (unsigned tries = 0; tries <= t->retries; tries++) {
    if (server_is_stopping())
      return fail(failure, CODE_UNDEFINED, "the server is shutting down");
    if (tries > 0) {
      stats_count_resent();
      log_message(LEVEL_DEBUG, t->number, "no answer, block %u goes out again", block);
    }
    send_packet(t);
    switch (await_answer(t, wanted, block, ret)) {
    case ANSWER_GOOD: return true;
    case ANSWER_NONE: break;
    case ANSWER_ERROR:
      t->told = true;
      log_message(LEVEL_INFO, t->number, "the client gave up: %.80s", ret->text);
      return fail(failure, ret->code, "the client gave up");
    }
  }
  t->told = true; /* or gone: nobody would read an error */
  return fail(failure, CODE_UNDEFINED, "the client does not answer");
}

static void count_bytes(Transfer *t, size_t length) {
  t->bytes += length;
  session_progress(t->slot, t->bytes);
}

/* ---- the two directions
 * ------------------------------------------------------------------ */

static bool send_terms(Transfer *t, Failure *failure) {
  ReplyPacket ignored;
  t->packet_length = terms_write(&t->terms, t->file.size, t->packet, t->packet_room);
  return exchange(t, OPCODE_ACK, 0, &ignored, failure);
}

bool transfer_send(Transfer *t, Failure *failure) {
  if (terms_any(&t->terms) && !send_terms(t, failure)) return false;
  uint16_t block = 0;
  size_t length;
  do {
    block++;
    size_t header = packet_write_data(t->packet, block);
    if (!file_read_block(&t->file, t->packet + header, t->terms.block_size, &length,
                         failure))
      return false;
    t->packet_length = header + length;
    ReplyPacket ignored;
    if (!exchange(t, OPCODE_ACK, block, &ignored, failure)) return false;
    count_bytes(t, length);
  } while (length == t->terms.block_size);
  return true;
}

/* The packet that asks for the first block: the terms, or a plain acknowledgement. */
static void write_invitation(Transfer *t) {
  if (terms_any(&t->terms))
    t->packet_length = terms_write(&t->terms, t->terms.size, t->packet, t->packet_room);
  else
    t->packet_length = packet_write_ack(t->packet, 0);
}

static bool store_block(Transfer *t, const ReplyPacket *data, Failure *failure) {
  if (data->length > t->terms.block_size)
    return fail(failure, CODE_ILLEGAL, "the block is too long");
  if (t->bytes + data->length > t->upload_limit)
    return fail(failure, CODE_DISK_FULL, "the file is too large");
  if (!file_write_block(&t->file, data->data, data->length, failure)) return false;
  count_bytes(t, data->length);
  return true;
}

/* The last acknowledgement may be lost: wait a little, and repeat it if the last block
 * comes again. The file is complete whatever happens here. */
static void linger(Transfer *t, uint16_t block) {
  ReplyPacket again;
  for (unsigned tries = 0; tries <= t->retries; tries++) {
    send_packet(t);
    if (await_answer(t, OPCODE_DATA, block, &again) != ANSWER_GOOD) return;
    stats_count_resent();
  }
}

bool transfer_receive(Transfer *t, Failure *failure) {
  if (t->terms.size_asked && t->terms.size > t->upload_limit)
    return fail(failure, CODE_DISK_FULL, "the file is too large");
  write_invitation(t);
  uint16_t block = 0;
  ReplyPacket data;
  do {
    block++;
    if (!exchange(t, OPCODE_DATA, block, &data, failure)) return false;
    if (!store_block(t, &data, failure)) return false;
    t->packet_length = packet_write_ack(t->packet, block);
  } while (data.length == t->terms.block_size);
  if (!file_complete(&t->file, failure)) return false;
  linger(t, block);
  return true;
}
