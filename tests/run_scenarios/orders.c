/* Errors behind a branch: the threads come to the racing accesses only when a value that
 * they read under a lock is the right one, so that most orders of their steps cannot be
 * followed. The first two are after ctrace and sqlite-1672, whose races the paper
 * loses. */
#include "scenario.h"

#define MUTEX     PTHREAD_MUTEX_INITIALIZER
#define LOCK(m)   pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static pthread_mutex_t m = MUTEX, n = MUTEX;
SHARED int x, level, depth, opened;

/* ctrace: tracing is counted when it is on; two threads switch it on, and one of them
 * counts before it does. Only when the other one was earlier do both count at once. */
THREAD(counts_then_switches) {
  x++;
  LOCK(m);
  level = 1;
  UNLOCK(m);
  return NULL;
}
THREAD(counts_when_on) {
  later();
  LOCK(m);
  int on = level;
  UNLOCK(m);
  if (on) x++;
  return NULL;
}
THREAD(also_switches) {
  later();
  later();
  LOCK(m);
  level = 1;
  UNLOCK(m);
  return NULL;
}
SCENARIO(order_by_third_thread, RACE) {
  pthread_t t = start(also_switches, NULL);
  both(counts_then_switches, counts_when_on);
  finish(t);
}

/* sqlite-1672: whoever finds the depth 0 goes on without the lock. */
THREAD(enters) {
  LOCK(m);
  depth++;
  UNLOCK(m);
  x++;
  LOCK(m);
  depth--;
  UNLOCK(m);
  return NULL;
}
THREAD(finds_nobody) {
  later();
  LOCK(m);
  int inside = depth;
  UNLOCK(m);
  if (inside == 0) x++;
  return NULL;
}
SCENARIO(order_of_two_sections, RACE) {
  both(enters, finds_nobody);
}

/* The deadlock needs the second thread to have looked before the first opened. */
THREAD(opens_then_locks) {
  LOCK(m);
  opened++;
  LOCK(n);
  UNLOCK(n);
  UNLOCK(m);
  LOCK(m);
  opened--;
  UNLOCK(m);
  return NULL;
}
THREAD(locks_when_closed) {
  later();
  LOCK(m);
  int open = opened;
  UNLOCK(m);
  if (open) return NULL;
  LOCK(n);
  LOCK(m);
  UNLOCK(m);
  UNLOCK(n);
  return NULL;
}
SCENARIO(order_before_deadlock, DEADLOCK) {
  both(opens_then_locks, locks_when_closed);
}

/* Two threads take turns by a number that they ask for under a lock. What they do in
 * their turns is ordered by it, what they do at the end is not. */
SHARED int turn, board[8], y;
static void await_turn(int wanted) {
  for (int now = -1; now != wanted;) {
    LOCK(m);
    now = turn;
    UNLOCK(m);
    if (now != wanted) usleep(500);
  }
}
static void pass_turn(void) {
  LOCK(m);
  turn++;
  UNLOCK(m);
}
THREAD(has_even_turns) {
  for (int i = 0; i < 6; i += 2) {
    await_turn(i);
    board[i % 4]++;
    pass_turn();
  }
  return NULL;
}
THREAD(has_odd_turns) {
  for (int i = 1; i < 6; i += 2) {
    await_turn(i);
    board[i % 4 - 1]++;
    pass_turn();
  }
  return NULL;
}
THREAD(has_even_turns_and_more) {
  has_even_turns(NULL);
  y++;
  return NULL;
}
THREAD(has_odd_turns_and_more) {
  has_odd_turns(NULL);
  later();
  LOCK(n);
  UNLOCK(n);
  y++;
  return NULL;
}
SCENARIO(order_of_turns, CLEAN) {
  both(has_even_turns, has_odd_turns);
}
SCENARIO(order_after_turns, RACE) {
  both(has_even_turns_and_more, has_odd_turns_and_more);
}
