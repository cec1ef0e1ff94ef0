/* The thirteen deadlock scenarios of the paper, written from their descriptions. */
#include "scenario.h"

#include <semaphore.h>
#include <stdatomic.h>

#define MUTEX     PTHREAD_MUTEX_INITIALIZER
#define LOCK(m)   pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

/* hawknl: closing one socket takes the list lock and then the socket's, closing all takes
 * them the other way round. */
static pthread_mutex_t nl_list = MUTEX, nl_socket = MUTEX;
SHARED int nl_open = 1;
THREAD(nl_close) {
  LOCK(nl_socket);
  if (nl_open) {
    LOCK(nl_list);
    nl_open = 0;
    UNLOCK(nl_list);
  }
  UNLOCK(nl_socket);
  return NULL;
}
THREAD(nl_shutdown) {
  later();
  LOCK(nl_list);
  LOCK(nl_socket);
  UNLOCK(nl_socket);
  UNLOCK(nl_list);
  return NULL;
}
SCENARIO(hawknl, DEADLOCK) {
  both(nl_close, nl_shutdown);
}

/* sqlite-1672: a recursive mutex made of two, whose owner and depth are read without the
 * lock; whoever enters while the other one leaves may take them in the wrong order. */
static pthread_mutex_t sq_main = MUTEX, sq_aux = MUTEX;
SHARED volatile int sq_depth;
static void sq_enter(void) {
  LOCK(sq_aux);
  if (sq_depth == 0) {
    LOCK(sq_main);
    sq_depth = 1;
  } else {
    sq_depth++;
  }
  UNLOCK(sq_aux);
}
static void sq_leave(void) {
  LOCK(sq_aux);
  if (--sq_depth == 0) UNLOCK(sq_main);
  UNLOCK(sq_aux);
}
THREAD(sq_one) {
  sq_enter();
  sq_leave();
  return NULL;
}
THREAD(sq_two) {
  later();
  LOCK(sq_main);
  LOCK(sq_aux);
  UNLOCK(sq_aux);
  UNLOCK(sq_main);
  return NULL;
}
SCENARIO(sqlite1672, DEADLOCK) {
  both(sq_one, sq_two);
}

/* hg02: the plainest inversion. */
static pthread_mutex_t hg_a = MUTEX, hg_b = MUTEX;
THREAD(hg_child) {
  LOCK(hg_a);
  LOCK(hg_b);
  UNLOCK(hg_b);
  UNLOCK(hg_a);
  return NULL;
}
SCENARIO(hg02, DEADLOCK) {
  pthread_t t = start(hg_child, NULL);
  later();
  LOCK(hg_b);
  LOCK(hg_a);
  UNLOCK(hg_a);
  UNLOCK(hg_b);
  finish(t);
}

/* tc13: both orders, but in one thread after the other. */
static pthread_mutex_t tc_a = MUTEX, tc_b = MUTEX;
THREAD(tc13_child) {
  LOCK(tc_a);
  LOCK(tc_b);
  UNLOCK(tc_b);
  UNLOCK(tc_a);
  return NULL;
}
SCENARIO(tc13, CLEAN) {
  finish(start(tc13_child, NULL));
  LOCK(tc_b);
  LOCK(tc_a);
  UNLOCK(tc_a);
  UNLOCK(tc_b);
}

/* tc14: dining philosophers. */
enum { SEATS = 5, MEALS = 40 };
static pthread_mutex_t fork_of[SEATS] = {MUTEX, MUTEX, MUTEX, MUTEX, MUTEX};
THREAD(dine) {
  long seat = (long)argument;
  usleep((useconds_t)(3000 * seat));
  for (int i = 0; i < MEALS; i++) {
    LOCK(fork_of[seat]);
    LOCK(fork_of[(seat + 1) % SEATS]);
    UNLOCK(fork_of[(seat + 1) % SEATS]);
    UNLOCK(fork_of[seat]);
  }
  return NULL;
}
SCENARIO(tc14, DEADLOCK) {
  pthread_t t[SEATS];
  for (long i = 0; i < SEATS; i++) t[i] = start(dine, (void *)i);
  for (int i = 0; i < SEATS; i++) finish(t[i]);
}

/* cp-9: the inversion shows only when another critical section goes first. */
static pthread_mutex_t cp_l = MUTEX, cp_m = MUTEX, cp_n = MUTEX;
SHARED int cp_x;
THREAD(cp_one) {
  LOCK(cp_l);
  cp_x = 1;
  UNLOCK(cp_l);
  LOCK(cp_m);
  LOCK(cp_n);
  UNLOCK(cp_n);
  UNLOCK(cp_m);
  return NULL;
}
THREAD(cp_two) {
  later();
  LOCK(cp_l);
  UNLOCK(cp_l);
  LOCK(cp_n);
  LOCK(cp_m);
  UNLOCK(cp_m);
  UNLOCK(cp_n);
  return NULL;
}
SCENARIO(cp9, DEADLOCK) {
  both(cp_one, cp_two);
}

/* tsandl1, tsandl2: two and three threads in a ring. */
static pthread_mutex_t ts_a = MUTEX, ts_b = MUTEX, ts_c = MUTEX;
THREAD(ts_ab) {
  LOCK(ts_a);
  LOCK(ts_b);
  UNLOCK(ts_b);
  UNLOCK(ts_a);
  return NULL;
}
THREAD(ts_ba) {
  later();
  LOCK(ts_b);
  LOCK(ts_a);
  UNLOCK(ts_a);
  UNLOCK(ts_b);
  return NULL;
}
SCENARIO(tsandl1, DEADLOCK) {
  both(ts_ab, ts_ba);
}
THREAD(ts_bc) {
  later();
  LOCK(ts_b);
  LOCK(ts_c);
  UNLOCK(ts_c);
  UNLOCK(ts_b);
  return NULL;
}
THREAD(ts_ca) {
  later();
  later();
  LOCK(ts_c);
  LOCK(ts_a);
  UNLOCK(ts_a);
  UNLOCK(ts_c);
  return NULL;
}
SCENARIO(tsandl2, DEADLOCK) {
  pthread_t a = start(ts_ab, NULL), b = start(ts_bc, NULL), c = start(ts_ca, NULL);
  finish(a);
  finish(b);
  finish(c);
}

/* guarded-lock: a guard around one of the two inversions only. */
static pthread_mutex_t gl_g = MUTEX, gl_a = MUTEX, gl_b = MUTEX;
THREAD(gl_one) {
  LOCK(gl_g);
  LOCK(gl_a);
  LOCK(gl_b);
  UNLOCK(gl_b);
  UNLOCK(gl_a);
  UNLOCK(gl_g);
  return NULL;
}
THREAD(gl_two) {
  later();
  LOCK(gl_b);
  LOCK(gl_a);
  UNLOCK(gl_a);
  UNLOCK(gl_b);
  return NULL;
}
SCENARIO(guarded_lock, DEADLOCK) {
  both(gl_one, gl_two);
}

/* guarded-lock2: around both. */
THREAD(gl_three) {
  later();
  LOCK(gl_g);
  LOCK(gl_b);
  LOCK(gl_a);
  UNLOCK(gl_a);
  UNLOCK(gl_b);
  UNLOCK(gl_g);
  return NULL;
}
SCENARIO(guarded_lock2, CLEAN) {
  both(gl_one, gl_three);
}

/* mul-lockorders: a barrier lies between the two orders. */
static pthread_mutex_t ml_m = MUTEX, ml_p = MUTEX;
static pthread_barrier_t ml_b;
THREAD(ml_both_orders) {
  LOCK(ml_p);
  LOCK(ml_m);
  UNLOCK(ml_m);
  UNLOCK(ml_p);
  pthread_barrier_wait(&ml_b);
  LOCK(ml_m);
  LOCK(ml_p);
  UNLOCK(ml_p);
  UNLOCK(ml_m);
  return NULL;
}
SCENARIO(mul_lockorders, CLEAN) {
  pthread_barrier_init(&ml_b, NULL, 2);
  both(ml_both_orders, ml_both_orders);
}

/* sem-deadlock: the thread that posts may take its own post. */
static sem_t sd_s;
SHARED int sd_order;
THREAD(sd_worker) {
  sem_wait(&sd_s);
  sd_order = 2;
  sem_post(&sd_s);
  return NULL;
}
SCENARIO(sem_deadlock, DEADLOCK) {
  sem_init(&sd_s, 0, 0);
  pthread_t t = start(sd_worker, NULL);
  sem_post(&sd_s);
  later();
  sem_wait(&sd_s);
  finish(t);
}

/* barrier-deadlock: two of three may meet at a barrier for two while the third holds the
 * lock that one of them needs afterwards. */
static pthread_barrier_t bd_b;
static pthread_mutex_t bd_m = MUTEX;
THREAD(bd_locked) {
  LOCK(bd_m);
  pthread_barrier_wait(&bd_b);
  UNLOCK(bd_m);
  return NULL;
}
THREAD(bd_free) {
  later();
  LOCK(bd_m);
  UNLOCK(bd_m);
  pthread_barrier_wait(&bd_b);
  return NULL;
}
THREAD(bd_first) {
  pthread_barrier_wait(&bd_b);
  return NULL;
}
THREAD(bd_last) {
  later();
  later();
  pthread_barrier_wait(&bd_b);
  return NULL;
}
SCENARIO(barrier_deadlock, DEADLOCK) {
  pthread_barrier_init(&bd_b, NULL, 2);
  pthread_t a = start(bd_locked, NULL), b = start(bd_first, NULL);
  pthread_t c = start(bd_free, NULL), d = start(bd_last, NULL);
  finish(a);
  finish(b);
  finish(c);
  finish(d);
}
