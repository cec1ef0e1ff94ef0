/* Traps: what looks like an error to a tool that knows only locks, or only the order of
 * one run, and yet cannot happen. */
#include "scenario.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#define MUTEX     PTHREAD_MUTEX_INITIALIZER
#define LOCK(m)   pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static pthread_mutex_t m = MUTEX, a = MUTEX, b = MUTEX, g = MUTEX;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
SHARED int x, y, owner, state, generation, arrived;

/* Who owns x is said under a lock; x itself is touched without one. */
static int owner_now(void) {
  LOCK(m);
  int who = owner;
  UNLOCK(m);
  return who;
}
THREAD(owns_second) {
  while (owner_now() != 1) usleep(2000);
  x++;
  return NULL;
}
SCENARIO(trap_owner_under_lock, CLEAN) {
  pthread_t t = start(owns_second, NULL);
  later();
  x++;
  LOCK(m);
  owner = 1;
  UNLOCK(m);
  finish(t);
}

/* Three states, each of which belongs to one thread. */
static void in_state(int mine) {
  LOCK(m);
  while (state != mine) pthread_cond_wait(&c, &m);
  UNLOCK(m);
  x++;
  LOCK(m);
  state++;
  pthread_cond_broadcast(&c);
  UNLOCK(m);
}
THREAD(acts_in_state) {
  in_state((int)(long)argument);
  return NULL;
}
SCENARIO(trap_states, CLEAN) {
  pthread_t one = start(acts_in_state, (void *)1), two = start(acts_in_state, (void *)2);
  in_state(0);
  finish(one);
  finish(two);
}

/* Every item is taken once, and worked on without the lock. */
enum { ITEMS = 6 };
SHARED int items[ITEMS], taken_items;
THREAD(works_on_items) {
  for (;;) {
    LOCK(m);
    int mine = taken_items < ITEMS ? taken_items++ : -1;
    UNLOCK(m);
    if (mine < 0) return NULL;
    items[mine]++;
    usleep(1000);
  }
}
SCENARIO(trap_items_taken_once, CLEAN) {
  both(works_on_items, works_on_items);
}

/* A buffer travels through an atomic pointer; who takes it out has it alone. */
static _Atomic(int *) mailbox;
THREAD(takes_from_mailbox) {
  int *mine;
  while (!(mine = atomic_exchange(&mailbox, NULL))) usleep(2000);
  *mine += 1;
  free(mine);
  return NULL;
}
SCENARIO(trap_mailbox, CLEAN) {
  pthread_t t = start(takes_from_mailbox, NULL);
  int *mine = malloc(sizeof *mine);
  *mine = 1;
  atomic_store(&mailbox, mine);
  finish(t);
}

/* The same lock by two names. */
static pthread_mutex_t row[2] = {MUTEX, MUTEX};
static pthread_mutex_t *lock_for(long key) {
  return &row[key % 2];
}
THREAD(by_key) {
  long key = (long)argument;
  pthread_mutex_lock(lock_for(key));
  x++;
  pthread_mutex_unlock(lock_for(key));
  return NULL;
}
SCENARIO(trap_lock_by_two_names, CLEAN) {
  pthread_t one = start(by_key, (void *)1), two = start(by_key, (void *)3);
  finish(one);
  finish(two);
}

/* The allocator gives the same address twice; the blocks are two. */
THREAD(own_block) {
  for (int i = 0; i < 4; i++) {
    int *mine = malloc(40);
    *(volatile int *)mine = i;
    free(mine);
  }
  return NULL;
}
THREAD(late_own_block) {
  later();
  return own_block(NULL);
}
SCENARIO(trap_address_reused, CLEAN) {
  both(own_block, late_own_block);
}

/* So does the stack of threads. */
THREAD(own_stack) {
  volatile int mine[16];
  for (int i = 0; i < 16; i++) mine[i] = i;
  return NULL;
}
SCENARIO(trap_stack_reused, CLEAN) {
  pthread_t t = start(own_stack, NULL);
  later();
  pthread_t u = start(own_stack, NULL);
  finish(t);
  finish(u);
  finish(start(own_stack, NULL));
}

/* A joins B, and main joins A: so main comes after B. */
static pthread_t inner;
THREAD(writes_x) {
  x++;
  return NULL;
}
THREAD(joins_inner) {
  finish(inner);
  return NULL;
}
SCENARIO(trap_joined_by_another, CLEAN) {
  inner = start(writes_x, NULL);
  finish(start(joins_inner, NULL));
  x++;
}

/* A barrier made of a mutex, a condition variable and a generation. */
static void meet(int count) {
  LOCK(m);
  int mine = generation;
  if (++arrived == count) {
    arrived = 0;
    generation++;
    pthread_cond_broadcast(&c);
  }
  while (mine == generation) pthread_cond_wait(&c, &m);
  UNLOCK(m);
}
THREAD(before_meeting) {
  x++;
  meet(2);
  return NULL;
}
THREAD(after_meeting) {
  meet(2);
  x++;
  return NULL;
}
SCENARIO(trap_own_barrier, CLEAN) {
  both(before_meeting, after_meeting);
}

/* The last of three who counts down reads what all of them wrote. */
static atomic_int left = 3;
SHARED int parts[3];
THREAD(counts_down) {
  parts[(long)argument] = 1;
  if (atomic_fetch_sub(&left, 1) == 1) y = parts[0] + parts[1] + parts[2];
  return NULL;
}
SCENARIO(trap_count_down, CLEAN) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) t[i] = start(counts_down, (void *)i);
  for (int i = 0; i < 3; i++) finish(t[i]);
}

/* Locks that are tried in a loop, and for a time, are locks. */
THREAD(tries_until) {
  while (pthread_mutex_trylock(&m)) usleep(500);
  x++;
  UNLOCK(m);
  return NULL;
}
THREAD(locks_in_time) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  if (pthread_mutex_timedlock(&m, &until)) return NULL;
  x++;
  UNLOCK(m);
  return NULL;
}
SCENARIO(trap_try_and_timed, CLEAN) {
  both(tries_until, locks_in_time);
}

/* Two semaphores: each has written before the other reads. */
static sem_t first, second;
SHARED int ours, theirs;
THREAD(other_side) {
  theirs = 1;
  sem_post(&second);
  sem_wait(&first);
  y = ours;
  return NULL;
}
SCENARIO(trap_rendezvous, CLEAN) {
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_t t = start(other_side, NULL);
  ours = 1;
  sem_post(&first);
  sem_wait(&second);
  volatile int seen = theirs;
  (void)seen;
  finish(t);
}

/* ---- deadlocks that cannot be ----------------------------------------------------- */

static void ab(void) {
  LOCK(a);
  LOCK(b);
  UNLOCK(b);
  UNLOCK(a);
}
static void ba(void) {
  LOCK(b);
  LOCK(a);
  UNLOCK(a);
  UNLOCK(b);
}

/* One order is inside of a routine that runs once, the other comes after it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
THREAD(once_then_ba) {
  pthread_once(&once, ab);
  ba();
  return NULL;
}
SCENARIO(trap_order_in_once, CLEAN) {
  both(once_then_ba, once_then_ba);
}

/* Both orders, by one thread. */
THREAD(both_orders_alone) {
  ab();
  ba();
  return NULL;
}
THREAD(touches_both) {
  LOCK(a);
  UNLOCK(a);
  LOCK(b);
  UNLOCK(b);
  return NULL;
}
SCENARIO(trap_orders_of_one_thread, CLEAN) {
  both(both_orders_alone, touches_both);
}

/* The second lock is only tried: who does not get it lets go of the first. */
THREAD(tries_second) {
  for (;;) {
    LOCK(b);
    if (pthread_mutex_trylock(&a) == 0) break;
    UNLOCK(b);
    usleep(1000);
  }
  UNLOCK(a);
  UNLOCK(b);
  return NULL;
}
THREAD(only_ab) {
  ab();
  return NULL;
}
SCENARIO(trap_second_tried, CLEAN) {
  both(only_ab, tries_second);
}

/* A flag under a lock lets the second order begin after the first has ended. */
THREAD(ba_when_told) {
  LOCK(m);
  while (!state) pthread_cond_wait(&c, &m);
  UNLOCK(m);
  ba();
  return NULL;
}
SCENARIO(trap_order_after_signal, CLEAN) {
  pthread_t t = start(ba_when_told, NULL);
  later();
  ab();
  LOCK(m);
  state = 1;
  pthread_cond_signal(&c);
  UNLOCK(m);
  finish(t);
}

/* Three in a ring, but a semaphore lets only two of them in. */
static pthread_mutex_t ring[3] = {MUTEX, MUTEX, MUTEX};
static sem_t seats;
THREAD(sits_down) {
  long i = (long)argument;
  usleep((useconds_t)(3000 * i));
  sem_wait(&seats);
  LOCK(ring[i]);
  LOCK(ring[(i + 1) % 3]);
  UNLOCK(ring[(i + 1) % 3]);
  UNLOCK(ring[i]);
  sem_post(&seats);
  return NULL;
}
SCENARIO(trap_ring_with_two_seats, CLEAN) {
  pthread_t t[3];
  sem_init(&seats, 0, 2);
  for (long i = 0; i < 3; i++) t[i] = start(sits_down, (void *)i);
  for (int i = 0; i < 3; i++) finish(t[i]);
}

/* Readers do not exclude each other. */
static pthread_rwlock_t p = PTHREAD_RWLOCK_INITIALIZER, q = PTHREAD_RWLOCK_INITIALIZER;
THREAD(reads_pq) {
  pthread_rwlock_rdlock(&p);
  pthread_rwlock_rdlock(&q);
  pthread_rwlock_unlock(&q);
  pthread_rwlock_unlock(&p);
  return NULL;
}
THREAD(reads_qp) {
  later();
  pthread_rwlock_rdlock(&q);
  pthread_rwlock_rdlock(&p);
  pthread_rwlock_unlock(&p);
  pthread_rwlock_unlock(&q);
  return NULL;
}
SCENARIO(trap_readers_both_orders, CLEAN) {
  both(reads_pq, reads_qp);
}

/* A condition that is looked at under the lock misses no signal. */
THREAD(waits_for_state) {
  LOCK(m);
  while (!state) pthread_cond_wait(&c, &m);
  UNLOCK(m);
  return NULL;
}
SCENARIO(trap_no_lost_signal, CLEAN) {
  pthread_t t = start(waits_for_state, NULL), u = start(waits_for_state, NULL);
  later();
  LOCK(m);
  state = 1;
  pthread_cond_broadcast(&c);
  UNLOCK(m);
  finish(t);
  finish(u);
}

/* The locks of the second round are new ones at the same addresses. */
static pthread_mutex_t *pair;
THREAD(pair_in_order) {
  LOCK(pair[0]);
  LOCK(pair[1]);
  UNLOCK(pair[1]);
  UNLOCK(pair[0]);
  return NULL;
}
THREAD(pair_in_reverse) {
  LOCK(pair[1]);
  LOCK(pair[0]);
  UNLOCK(pair[0]);
  UNLOCK(pair[1]);
  return NULL;
}
static void with_new_pair(void *(*routine)(void *)) {
  pair = malloc(2 * sizeof *pair);
  for (int i = 0; i < 2; i++) pthread_mutex_init(&pair[i], NULL);
  both(routine, routine);
  for (int i = 0; i < 2; i++) pthread_mutex_destroy(&pair[i]);
  free(pair);
}
SCENARIO(trap_new_locks_same_address, CLEAN) {
  with_new_pair(pair_in_order);
  with_new_pair(pair_in_reverse);
}

/* One lock around both orders, in three threads. */
THREAD(guarded_ab) {
  LOCK(g);
  ab();
  UNLOCK(g);
  return NULL;
}
THREAD(guarded_ba) {
  LOCK(g);
  ba();
  UNLOCK(g);
  return NULL;
}
SCENARIO(trap_gate_of_three, CLEAN) {
  pthread_t t = start(guarded_ba, NULL);
  both(guarded_ab, guarded_ba);
  finish(t);
}
