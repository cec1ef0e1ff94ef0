/* Races and their absence with mutexes and spin locks. */
#include "scenario.h"

#define MUTEX     PTHREAD_MUTEX_INITIALIZER
#define LOCK(m)   pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static pthread_mutex_t m = MUTEX, n = MUTEX;
SHARED int x, y, z, w[4];

THREAD(locked_then_x) {
  later();
  LOCK(m);
  y++;
  UNLOCK(m);
  x++;
  return NULL;
}
SCENARIO(hidden_by_lock, RACE) {
  pthread_t t = start(locked_then_x, NULL);
  x++;
  LOCK(m);
  y++;
  UNLOCK(m);
  finish(t);
}

THREAD(x_under_m) {
  LOCK(m);
  x++;
  UNLOCK(m);
  return NULL;
}
SCENARIO(same_lock, CLEAN) {
  both(x_under_m, x_under_m);
}

THREAD(x_under_n) {
  later();
  LOCK(n);
  x++;
  UNLOCK(n);
  return NULL;
}
SCENARIO(different_locks, RACE) {
  both(x_under_m, x_under_n);
}

THREAD(x_bare) {
  later();
  x++;
  return NULL;
}
SCENARIO(lock_on_one_side, RACE) {
  both(x_under_m, x_bare);
}
SCENARIO(plain_race, RACE) {
  both(x_bare, x_bare);
}

THREAD(read_x) {
  later();
  z = x ? 1 : 0;
  return NULL;
}
THREAD(read_x_only) {
  volatile int seen = x;
  (void)seen;
  return NULL;
}
SCENARIO(write_and_read, RACE) {
  both(x_bare, read_x);
}
SCENARIO(reads_only, CLEAN) {
  both(read_x_only, read_x_only);
}

SCENARIO(before_create, CLEAN) {
  x = 5;
  finish(start(x_bare, NULL));
}
SCENARIO(after_join, CLEAN) {
  pthread_t t = start(x_bare, NULL);
  finish(t);
  x = 7;
}
SCENARIO(between_create_and_join, RACE) {
  pthread_t t = start(x_bare, NULL);
  x = 7;
  finish(t);
}

THREAD(both_locks) {
  LOCK(m);
  LOCK(n);
  x++;
  UNLOCK(n);
  UNLOCK(m);
  return NULL;
}
SCENARIO(one_lock_in_common, CLEAN) {
  both(both_locks, x_under_m);
}
SCENARIO(other_lock_in_common, CLEAN) {
  both(both_locks, x_under_n);
}

THREAD(early_unlock) {
  LOCK(m);
  y = x;
  UNLOCK(m);
  later();
  x = y + 1;
  return NULL;
}
SCENARIO(write_after_unlock, RACE) {
  both(early_unlock, x_under_m);
}

/* The path decides: only who comes second writes. */
SHARED int turns;
THREAD(second_writes) {
  int mine;
  LOCK(m);
  mine = ++turns;
  UNLOCK(m);
  if (mine > 1) x++;
  return NULL;
}
SCENARIO(only_second_writes, CLEAN) {
  pthread_t t;
  x = 0;
  t = start(second_writes, NULL);
  finish(t);
  t = start(second_writes, NULL);
  finish(t);
}
THREAD(late_second_writes) {
  later();
  return second_writes(NULL);
}
SCENARIO(path_excludes_race, CLEAN) { /* figure 5.9: whoever is first does not touch x */
  pthread_t t = start(late_second_writes, NULL);
  x++;
  LOCK(m);
  turns++;
  UNLOCK(m);
  finish(t);
}

static pthread_mutex_t r;
static void touch_twice(void) {
  LOCK(r);
  LOCK(r);
  x++;
  UNLOCK(r);
  x++;
  UNLOCK(r);
}
THREAD(recursive) {
  touch_twice();
  return NULL;
}
static void make_recursive(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&r, &kind);
}
SCENARIO(recursive_lock, CLEAN) {
  make_recursive();
  both(recursive, recursive);
}
THREAD(recursive_then_bare) {
  later();
  LOCK(r);
  LOCK(r);
  UNLOCK(r);
  UNLOCK(r);
  x++;
  return NULL;
}
SCENARIO(after_recursive_lock, RACE) {
  make_recursive();
  both(recursive, recursive_then_bare);
}

static pthread_spinlock_t s;
THREAD(spin_x) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return NULL;
}
THREAD(spin_y_then_x) {
  later();
  pthread_spin_lock(&s);
  y++;
  pthread_spin_unlock(&s);
  x++;
  return NULL;
}
SCENARIO(spin_lock, CLEAN) {
  pthread_spin_init(&s, 0);
  both(spin_x, spin_x);
}
SCENARIO(hidden_by_spin_lock, RACE) {
  pthread_spin_init(&s, 0);
  both(spin_x, spin_y_then_x);
}

THREAD(try_x) {
  if (pthread_mutex_trylock(&m) == 0) {
    x++;
    UNLOCK(m);
  }
  return NULL;
}
SCENARIO(try_lock, CLEAN) {
  both(try_x, x_under_m);
}
THREAD(hold_m) {
  LOCK(m);
  later();
  later();
  UNLOCK(m);
  return NULL;
}
THREAD(try_fails_then_x) {
  later();
  if (pthread_mutex_trylock(&m) != 0)
    x++;
  else
    UNLOCK(m);
  return NULL;
}
SCENARIO(after_failed_try, RACE) {
  pthread_t a = start(hold_m, NULL), b = start(try_fails_then_x, NULL);
  later();
  later();
  later();
  LOCK(m);
  x++;
  UNLOCK(m);
  finish(a);
  finish(b);
}

/* Each slot has its own lock; the index goes wrong once. */
static pthread_mutex_t slot_lock[4] = {MUTEX, MUTEX, MUTEX, MUTEX};
THREAD(right_slot) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&slot_lock[i]);
    w[i]++;
    pthread_mutex_unlock(&slot_lock[i]);
  }
  return NULL;
}
THREAD(wrong_slot) {
  later();
  pthread_mutex_lock(&slot_lock[1]);
  w[2]++;
  pthread_mutex_unlock(&slot_lock[1]);
  return NULL;
}
SCENARIO(lock_per_slot, CLEAN) {
  both(right_slot, right_slot);
}
SCENARIO(lock_of_wrong_slot, RACE) {
  both(right_slot, wrong_slot);
}

/* Grandchildren, and threads that never meet. */
THREAD(parent_of_bare) {
  finish(start(x_bare, NULL));
  return NULL;
}
SCENARIO(grandchild, RACE) {
  both(parent_of_bare, x_bare);
}
SCENARIO(one_after_the_other, CLEAN) {
  finish(start(x_bare, NULL));
  finish(start(x_bare, NULL));
}
SCENARIO(detached, RACE) {
  pthread_t t = start(x_bare, NULL);
  pthread_detach(t);
  later();
  later();
  x++;
}
