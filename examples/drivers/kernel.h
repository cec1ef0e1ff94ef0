/* Stand-ins for the services of a kernel, as far as the drivers of this folder use them. */
#ifndef DRIVERS_KERNEL_H
#define DRIVERS_KERNEL_H

#include <pthread.h>
#include <stdbool.h>

void __VERIFIER_assume(int condition);

enum { STATUS_SUCCESS = 0, STATUS_DELETED = -1, STATUS_INVALID = -2, STATUS_BUSY = -3 };

/* A request of the operating system: what is to be done, and with what. */
struct request {
  int minor;
  int status;
  unsigned length;
  unsigned char buffer[8];
};

/* ---- spin locks ---- */

typedef pthread_mutex_t spin_lock;

static inline void spin_init(spin_lock *lock) {
  pthread_mutex_init(lock, 0);
}
static inline void spin_acquire(spin_lock *lock) {
  pthread_mutex_lock(lock);
}
static inline void spin_release(spin_lock *lock) {
  pthread_mutex_unlock(lock);
}

/* ---- interlocked operations: the new value ---- */

static inline int interlocked_increment(int *number) {
  return __atomic_add_fetch(number, 1, __ATOMIC_SEQ_CST);
}
static inline int interlocked_decrement(int *number) {
  return __atomic_sub_fetch(number, 1, __ATOMIC_SEQ_CST);
}
static inline int interlocked_read(int *number) {
  return __atomic_load_n(number, __ATOMIC_SEQ_CST);
}
static inline void interlocked_write(int *number, int value) {
  __atomic_store_n(number, value, __ATOMIC_SEQ_CST);
}
/* True if the number was `from` and is `to` now. */
static inline bool interlocked_claim(int *number, int from, int to) {
  return __atomic_compare_exchange_n(number, &from, to, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/* ---- events: somebody waits until another one sets it ---- */

struct event {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool set;
};

static inline void event_init(struct event *event) {
  pthread_mutex_init(&event->lock, 0);
  pthread_cond_init(&event->changed, 0);
  event->set = false;
}
static inline void event_set(struct event *event) {
  pthread_mutex_lock(&event->lock);
  event->set = true;
  pthread_cond_broadcast(&event->changed);
  pthread_mutex_unlock(&event->lock);
}
static inline void event_wait(struct event *event) {
  pthread_mutex_lock(&event->lock);
  while (!event->set) pthread_cond_wait(&event->changed, &event->lock);
  pthread_mutex_unlock(&event->lock);
}

#endif
