/* The listener and the slot through which requests go to their workers.
 *
 *   listener   lock slot ─ fill slot ─ create worker ···          lock slot (waits) ─ …
 *   worker                                     copy slot ─ unlock slot ─ serve ─ …
 *
 * The mutex is locked by one thread and unlocked by another. That is not what POSIX
 * promises a mutex can do, but what every Linux does with a plain one; a semaphore would
 * be the portable way.
 *
 * Invariant: whoever may touch the slot is the one that the lock belongs to at that
 * moment, be it the listener that took it or the worker that got it. */
#include "listener.h"

#include "log.h"
#include "session.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t slot_lock = PTHREAD_MUTEX_INITIALIZER;
static Datagram slot;  /* handed over with slot_lock */
static bool slot_full; /* handed over with slot_lock */
static unsigned long
    taken; /* requests that reached a worker; handed over with slot_lock */

static int known_socket = -1; /* the listener's own */
static unsigned count;        /* the listener's own */
static Address reply_address; /* fixed before there are threads */

bool listener_open(const char *address, unsigned port) {
  Address wanted;
  errno = EINVAL;
  if (!net_read_address(address, port, &wanted)) return false;
  known_socket = net_open(&wanted);
  if (known_socket < 0) return false;
  reply_address = wanted;
  reply_address.sin_port = 0;
  Address real;
  if (!net_local_address(known_socket, &real)) return false;
  log_message(LEVEL_NOTICE, LOG_SERVER, "listening on %s", net_text(&real));
  return true;
}

int listener_socket(void) {
  return known_socket;
}

/* Receives into the slot. The caller holds its lock. */
static bool fill_slot(void) {
  assert(!slot_full);
  long length = net_receive(known_socket, slot.bytes, PACKET_REQUEST_MAX, &slot.client);
  if (length < 0) return false;
  slot.bytes[length] = 0;
  slot.length = (size_t)length;
  slot.came_ms = net_now_ms();
  slot.number = ++count;
  slot_full = true;
  return true;
}

/* Starts a thread that nobody will join. */
static bool start_worker(void) {
  pthread_t worker;
  if (pthread_create(&worker, NULL, worker_main, NULL) != 0) return false;
  pthread_detach(worker);
  return true;
}

void listener_accept(void) {
  sessions_reserve();
  pthread_mutex_lock(&slot_lock);
  if (fill_slot() && start_worker()) return; /* the worker unlocks the slot */
  slot_full = false;
  pthread_mutex_unlock(&slot_lock);
  sessions_release();
  log_message(LEVEL_ERROR, LOG_SERVER, "a request was lost");
}

void listener_take(Datagram *ret) {
  memcpy(ret, &slot, sizeof *ret);
  slot_full = false;
  taken++;
  pthread_mutex_unlock(&slot_lock);
}

unsigned long listener_taken(void) {
  pthread_mutex_lock(&slot_lock);
  unsigned long result = taken;
  pthread_mutex_unlock(&slot_lock);
  return result;
}

int listener_open_reply(void) {
  return net_open(&reply_address);
}

unsigned listener_count(void) {
  return count;
}

void listener_close(void) {
  if (known_socket >= 0) close(known_socket);
  known_socket = -1;
}
