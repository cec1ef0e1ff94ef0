/* Atomic variables, and synchronisation that programs build from them. */
#include "scenario.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int a, turn, spin;
static atomic_flag test_and_set = ATOMIC_FLAG_INIT;
SHARED int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(adds) {
  atomic_fetch_add(&a, 1);
  return NULL;
}
SCENARIO(atomic_counter, CLEAN) {
  both(adds, adds);
}
THREAD(stores) {
  later();
  atomic_store(&a, 3);
  return NULL;
}
SCENARIO(atomic_store_and_add, CLEAN) {
  both(adds, stores);
}
THREAD(relaxed) {
  atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
  return NULL;
}
SCENARIO(atomic_relaxed, CLEAN) {
  both(relaxed, relaxed);
}
THREAD(plain_write_of_atomic) {
  later();
  *(int *)&a = 9;
  return NULL;
}
SCENARIO(atomic_and_plain_write, RACE) {
  both(adds, plain_write_of_atomic);
}
THREAD(plain_read_of_atomic) {
  later();
  volatile int seen = *(int *)&a;
  (void)seen;
  return NULL;
}
SCENARIO(atomic_and_plain_read, RACE) {
  both(adds, plain_read_of_atomic);
}
THREAD(loads) {
  later();
  volatile int seen = atomic_load(&a);
  (void)seen;
  return NULL;
}
THREAD(loads_plain) {
  volatile int seen = *(int *)&a;
  (void)seen;
  return NULL;
}
SCENARIO(atomic_load_and_plain_read, CLEAN) {
  both(loads, loads_plain);
}

/* A flag says that the data is there. */
THREAD(waits_for_flag) {
  while (!atomic_load(&a)) sched_yield();
  x++;
  return NULL;
}
SCENARIO(flag_spin, CLEAN) {
  pthread_t t = start(waits_for_flag, NULL);
  later();
  x++;
  atomic_store(&a, 1);
  finish(t);
}
SCENARIO(flag_set_too_early, RACE) {
  pthread_t t = start(waits_for_flag, NULL);
  later();
  atomic_store(&a, 1);
  x++;
  finish(t);
}
THREAD(looks_at_flag) {
  later();
  if (atomic_load(&a)) x++;
  return NULL;
}
SCENARIO(flag_looked_at, CLEAN) {
  pthread_t t = start(looks_at_flag, NULL);
  x++;
  atomic_store(&a, 1);
  finish(t);
}
THREAD(ignores_flag) {
  later();
  y = atomic_load(&a);
  x++;
  return NULL;
}
SCENARIO(flag_ignored, RACE) {
  pthread_t t = start(ignores_flag, NULL);
  x++;
  atomic_store(&a, 1);
  finish(t);
}
SCENARIO(flag_acquire_release, CLEAN) {
  pthread_t t = start(waits_for_flag, NULL);
  x++;
  atomic_store_explicit(&a, 1, memory_order_release);
  finish(t);
}
SHARED volatile int plain_flag;
THREAD(waits_for_plain_flag) {
  while (!plain_flag) sched_yield();
  x++;
  return NULL;
}
SCENARIO(flag_volatile, RACE) {
  pthread_t t = start(waits_for_plain_flag, NULL);
  later();
  x++;
  plain_flag = 1;
  finish(t);
}

/* A spin lock made by hand. */
static void take(void) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(&spin, &expected, 1)) {
    expected = 0;
    sched_yield();
  }
}
static void leave(void) {
  atomic_store(&spin, 0);
}
THREAD(own_lock) {
  take();
  x++;
  leave();
  return NULL;
}
SCENARIO(own_spin_lock, CLEAN) {
  both(own_lock, own_lock);
}
THREAD(late_own_lock_then_y) {
  later();
  take();
  x++;
  leave();
  y++;
  return NULL;
}
THREAD(y_then_own_lock) {
  y++;
  take();
  x++;
  leave();
  return NULL;
}
SCENARIO(own_spin_lock_hides, RACE) {
  both(y_then_own_lock, late_own_lock_then_y);
}
THREAD(flag_lock) {
  while (atomic_flag_test_and_set(&test_and_set)) sched_yield();
  x++;
  atomic_flag_clear(&test_and_set);
  return NULL;
}
SCENARIO(atomic_flag_lock, CLEAN) {
  both(flag_lock, flag_lock);
}

/* Tickets. */
static atomic_int next_ticket, serving;
THREAD(ticket) {
  int mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&serving) != mine) sched_yield();
  x++;
  atomic_fetch_add(&serving, 1);
  return NULL;
}
SCENARIO(ticket_lock, CLEAN) {
  both(ticket, ticket);
}

/* The last one to leave cleans up. */
static atomic_int references = 2;
THREAD(drops_reference) {
  if (atomic_fetch_sub(&references, 1) == 1) x = 0;
  return NULL;
}
SCENARIO(reference_count, CLEAN) {
  both(drops_reference, drops_reference);
}
THREAD(uses_then_drops) {
  y++;
  if (atomic_fetch_sub(&references, 1) == 1) y = 0;
  return NULL;
}
THREAD(late_uses_then_drops) {
  later();
  return uses_then_drops(NULL);
}
SCENARIO(reference_count_used, RACE) {
  both(uses_then_drops, late_uses_then_drops);
}

static _Atomic uint8_t small;
static _Atomic uint16_t medium;
static _Atomic uint64_t large;
static atomic_bool yes;
THREAD(all_sizes) {
  small++;
  medium |= 3;
  large ^= 5;
  atomic_exchange(&yes, 1);
  uint64_t expected = 5;
  atomic_compare_exchange_weak(&large, &expected, 7);
  return NULL;
}
SCENARIO(atomic_sizes, CLEAN) {
  both(all_sizes, all_sizes);
}
THREAD(neighbour) {
  later();
  ((uint8_t *)&large)[7] = 1;
  return NULL;
}
SCENARIO(atomic_byte_inside, RACE) {
  both(all_sizes, neighbour);
}
THREAD(turns) {
  long me = (long)argument;
  for (int i = 0; i < 3; i++) {
    while (atomic_load(&turn) != me) sched_yield();
    x++;
    atomic_store(&turn, (int)(1 - me));
  }
  return NULL;
}
SCENARIO(taking_turns, CLEAN) {
  pthread_t t = start(turns, (void *)0), u = start(turns, (void *)1);
  finish(t);
  finish(u);
}
/* Checked twice, the first time without the lock. */
SHARED int *volatile instance;
SHARED int *_Atomic atomic_instance;
SHARED int storage;
THREAD(double_check) {
  if (!instance) {
    pthread_mutex_lock(&m);
    if (!instance) {
      storage = 1;
      instance = &storage;
    }
    pthread_mutex_unlock(&m);
  }
  volatile int seen = *instance;
  (void)seen;
  return NULL;
}
THREAD(late_double_check) {
  later();
  return double_check(NULL);
}
SCENARIO(double_checked, RACE) {
  both(double_check, late_double_check);
}
THREAD(atomic_double_check) {
  if (!atomic_load(&atomic_instance)) {
    pthread_mutex_lock(&m);
    if (!atomic_load(&atomic_instance)) {
      storage = 1;
      atomic_store(&atomic_instance, &storage);
    }
    pthread_mutex_unlock(&m);
  }
  volatile int seen = *atomic_load(&atomic_instance);
  (void)seen;
  return NULL;
}
SCENARIO(double_checked_atomic, CLEAN) {
  both(atomic_double_check, atomic_double_check);
}
