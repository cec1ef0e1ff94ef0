/* Scenarios for `heddle run`: small programs whose observed run is harmless, in one
 * binary.
 *
 *   SCENARIO(name, RACE) { … }     a race is possible in another order
 *   SCENARIO(name, CLEAN) { … }    none is
 *   SCENARIO(name, DEADLOCK) { … } a deadlock is possible in another order
 *
 * `later()` sleeps, so that the order of the observed run is the one that hides the
 * error. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Scenario {
  const char *name, *expected;
  void (*run)(void);
  struct Scenario *next;
} Scenario;

void scenario_add(Scenario *scenario);

#define RACE     "race"
#define CLEAN    "clean"
#define DEADLOCK "deadlock"

#define SCENARIO(scenario_name, scenario_expected)                                       \
  static void run_##scenario_name(void);                                                 \
  static Scenario data_##scenario_name = {#scenario_name, scenario_expected,             \
                                          run_##scenario_name, NULL};                    \
  __attribute__((constructor)) static void add_##scenario_name(void) {                   \
    scenario_add(&data_##scenario_name);                                                 \
  }                                                                                      \
  static void run_##scenario_name(void)

/* Data whose accesses the compiler may not leave out. */
#define SHARED static __attribute__((used))

#define THREAD(name) static void *name(__attribute__((unused)) void *argument)

static inline void later(void) {
  usleep(20000);
}

static inline pthread_t start(void *(*routine)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, routine, argument)) abort();
  return thread;
}

static inline void finish(pthread_t thread) {
  pthread_join(thread, NULL);
}

/* Two threads at once, both joined. */
static inline void both(void *(*one)(void *), void *(*two)(void *)) {
  pthread_t a = start(one, NULL), b = start(two, NULL);
  finish(a);
  finish(b);
}

#endif
