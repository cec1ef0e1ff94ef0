/* What the verification tasks of the corpus declare, for running them natively.
 *
 * check-native links this file to every program. Unknown values are small random numbers, so
 * that assumptions are often met; an assumption that is not met ends the run quietly; atomic
 * sections are one lock for all. A function named __VERIFIER_atomic_… that a program defines
 * itself is an ordinary function here: check-native does not judge races of such programs. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER;

int __VERIFIER_nondet_int(void);
void __VERIFIER_nondet_memory(void *memory, size_t size);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);

int __VERIFIER_nondet_int(void) {
  static unsigned seed;
  pthread_mutex_lock(&choice);
  if (seed == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = (unsigned)now.tv_nsec | 1;
  }
  int value = rand_r(&seed) % 6 - 1;
  pthread_mutex_unlock(&choice);
  return value;
}

void __VERIFIER_nondet_memory(void *memory, size_t size) {
  for (size_t i = 0; i < size; i++) ((char *)memory)[i] = (char)__VERIFIER_nondet_int();
}

void __VERIFIER_assume(int condition) {
  if (!condition) _exit(0);
}

void __VERIFIER_assert(int condition) {
  if (!condition) abort();
}

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
void reach_error(void) { abort(); }
