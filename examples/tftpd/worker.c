/* The worker: reads the request, decides whether it may be served, and runs the transfer.
 *
 * All that it knows is in its Request, on its own stack. Others see of it only its
 * session, by the functions of session.h, and what it adds to the statistics. */
#include "worker.h"

#include "access.h"
#include "ban.h"
#include "config.h"
#include "file.h"
#include "listener.h"
#include "log.h"
#include "server.h"
#include "session.h"
#include "stats.h"
#include "transfer.h"

#include <unistd.h>

typedef struct {
  Datagram datagram;
  RequestPacket packet;
  Transfer transfer;
} Request;

static bool fail(Failure *failure, ErrorCode code, const char *text) {
  failure->code = code;
  failure->text = text;
  return false;
}

static void send_error(const Request *r, const Failure *failure) {
  uint8_t packet[PACKET_ERROR_MAX];
  size_t length = packet_write_error(packet, failure->code, failure->text);
  net_send(r->transfer.socket, &r->datagram.client, packet, length);
}

/* ---- may it be served?
 * ------------------------------------------------------------------- */

static bool is_allowed(const Request *r, const Config *config, Failure *failure) {
  bool write = r->packet.opcode == OPCODE_WRITE;
  if (write && !config->write)
    return fail(failure, CODE_ACCESS, "this server takes no files");
  if (!access_allows(&config->access, &r->datagram.client, write))
    return fail(failure, CODE_ACCESS, "access denied");
  return true;
}

static bool understand(Request *r, const Config *config, Failure *failure) {
  const char *problem = NULL;
  if (!packet_read_request(r->datagram.bytes, r->datagram.length, &r->packet, &problem))
    return fail(failure, CODE_ILLEGAL, problem);
  if (!terms_negotiate(&r->packet, config, &r->transfer.terms, &problem))
    return fail(failure, CODE_OPTION, problem);
  return is_allowed(r, config, failure);
}

static bool open_file(Request *r, const Config *config, Failure *failure) {
  Transfer *t = &r->transfer;
  if (r->packet.opcode == OPCODE_READ)
    return file_open(&t->file, config->root, r->packet.file, r->packet.mode, failure);
  return file_create(&t->file, config->root, r->packet.file, r->packet.mode,
                     config->overwrite != 0, r->datagram.number, failure);
}

/* ---- the service
 * ------------------------------------------------------------------------- */

static void set_up(Request *r, const Config *config) {
  Transfer *t = &r->transfer;
  t->number = r->datagram.number;
  t->client = r->datagram.client;
  t->retries = config->retries;
  t->upload_limit = (uint64_t)config->max_upload_kib * 1024;
}

static bool run(Request *r, Failure *failure) {
  Transfer *t = &r->transfer;
  if (!transfer_begin(t, failure)) return false;
  bool complete = r->packet.opcode == OPCODE_READ ? transfer_send(t, failure)
                                                  : transfer_receive(t, failure);
  if (!complete && !t->told) send_error(r, failure);
  transfer_end(t);
  return complete;
}

static void report(const Request *r, bool complete, const Failure *failure) {
  const Transfer *t = &r->transfer;
  uint64_t elapsed = net_now_ms() - r->datagram.came_ms;
  stats_count_transfer(r->packet.opcode, t->bytes, complete);
  log_message(
      complete ? LEVEL_INFO : LEVEL_NOTICE, t->number,
      "%s of %s, %s: %llu bytes, %s%llu ms", packet_opcode_name(r->packet.opcode),
      r->packet.file, packet_mode_name(r->packet.mode), (unsigned long long)t->bytes,
      complete ? "complete after " : "broken off after ", (unsigned long long)elapsed);
  if (!complete) log_message(LEVEL_NOTICE, t->number, "reason: %s", failure->text);
}

/* Tells the client why not, and counts it. */
static void refuse(const Request *r, const Failure *failure) {
  stats_count_refusal();
  log_message(LEVEL_NOTICE, r->datagram.number, "%s refused: %s",
              net_text(&r->datagram.client), failure->text);
  send_error(r, failure);
  if (ban_note_refusal(&r->datagram.client))
    log_message(LEVEL_NOTICE, r->datagram.number, "%s is banned",
                net_text(&r->datagram.client));
}

/* A request that is understood, with a socket to answer from. */
static void serve(Request *r) {
  const Config *config = server_config();
  Failure failure = {CODE_UNDEFINED, ""};
  if (ban_includes(&r->datagram.client)) return;
  if (!understand(r, config, &failure)) {
    refuse(r, &failure);
    return;
  }
  int slot = session_enter(r->datagram.number, &r->datagram.client, &r->packet);
  if (slot == SESSION_NONE) {
    log_message(LEVEL_INFO, r->datagram.number, "the request came twice");
    return;
  }
  r->transfer.slot = slot;
  if (open_file(r, config, &failure)) {
    log_message(LEVEL_INFO, r->datagram.number, "%s: %s of %s, %s",
                net_text(&r->datagram.client), packet_opcode_name(r->packet.opcode),
                r->packet.file, packet_mode_name(r->packet.mode));
    set_up(r, config);
    report(r, run(r, &failure), &failure);
    file_close(&r->transfer.file);
  } else {
    refuse(r, &failure);
  }
  session_leave(slot);
}

void *worker_main(void *unused) {
  (void)unused;
  Request request;
  listener_take(&request.datagram);
  request.transfer.socket = listener_open_reply();
  if (request.transfer.socket >= 0) {
    serve(&request);
    close(request.transfer.socket);
  } else {
    log_message(LEVEL_ERROR, request.datagram.number,
                "there is no socket for the answer");
  }
  sessions_release();
  return NULL;
}
