/* The table of sessions. `lock` guards the table and both counters. The condition `fewer`
 * is signalled whenever a worker ends; who waits for it waits for room, or for the end of
 * all. */
#include "session.h"

#include "log.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static Session table[SESSION_MAX]; /* guarded by lock */
static unsigned workers;           /* guarded by lock */
static unsigned peak;              /* guarded by lock */
static unsigned most;              /* fixed before there are threads */

void sessions_start(unsigned limit) {
  most = limit < SESSION_MAX ? limit : SESSION_MAX;
}

void sessions_reserve(void) {
  pthread_mutex_lock(&lock);
  while (workers >= most) pthread_cond_wait(&fewer, &lock);
  workers++;
  if (workers > peak) peak = workers;
  pthread_mutex_unlock(&lock);
}

void sessions_release(void) {
  pthread_mutex_lock(&lock);
  workers--;
  pthread_cond_broadcast(&fewer);
  pthread_mutex_unlock(&lock);
}

void sessions_drain(void) {
  pthread_mutex_lock(&lock);
  while (workers > 0) pthread_cond_wait(&fewer, &lock);
  pthread_mutex_unlock(&lock);
}

/* ---- the table
 * --------------------------------------------------------------------------- */

static bool is_same(const Session *s, const Address *client,
                    const RequestPacket *request) {
  return s->used && s->opcode == request->opcode &&
         net_same_address(&s->client, client) &&
         strncmp(s->file, request->file, SESSION_NAME - 1) == 0;
}

/* A free slot, unless the session is there already. The caller holds the lock. */
static int find_slot(const Address *client, const RequestPacket *request) {
  int slot = SESSION_NONE;
  for (int i = 0; i < SESSION_MAX; i++) {
    if (is_same(&table[i], client, request)) return SESSION_NONE;
    if (slot == SESSION_NONE && !table[i].used) slot = i;
  }
  return slot;
}

int session_enter(unsigned number, const Address *client, const RequestPacket *request) {
  pthread_mutex_lock(&lock);
  int slot = find_slot(client, request);
  if (slot != SESSION_NONE) {
    Session *s = &table[slot];
    memset(s, 0, sizeof *s);
    s->used = true;
    s->number = number;
    s->client = *client;
    s->opcode = request->opcode;
    strncpy(s->file, request->file, SESSION_NAME - 1);
    s->began_ms = net_now_ms();
  }
  pthread_mutex_unlock(&lock);
  return slot;
}

void session_progress(int slot, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  table[slot].bytes = bytes;
  pthread_mutex_unlock(&lock);
}

void session_leave(int slot) {
  pthread_mutex_lock(&lock);
  table[slot].used = false;
  pthread_mutex_unlock(&lock);
}

/* Copies first and writes afterwards: the log may be slow, and the workers need the
 * table. */
void sessions_log(void) {
  Session copy[SESSION_MAX];
  pthread_mutex_lock(&lock);
  memcpy(copy, table, sizeof copy);
  pthread_mutex_unlock(&lock);
  uint64_t now = net_now_ms();
  for (int i = 0; i < SESSION_MAX; i++) {
    const Session *s = &copy[i];
    if (s->used)
      log_message(LEVEL_NOTICE, s->number, "%s %s of %s: %llu bytes in %llu ms",
                  net_text(&s->client), packet_opcode_name(s->opcode), s->file,
                  (unsigned long long)s->bytes, (unsigned long long)(now - s->began_ms));
  }
}

unsigned sessions_peak(void) {
  pthread_mutex_lock(&lock);
  unsigned result = peak;
  pthread_mutex_unlock(&lock);
  return result;
}
