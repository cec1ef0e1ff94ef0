/* What the natively compiled program uses in place of the verifier's functions. */
#ifndef VERIFIER_SHIM_H
#define VERIFIER_SHIM_H
#ifdef HEDDLE_NATIVE
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t verifier_lock = PTHREAD_MUTEX_INITIALIZER;
static inline void __VERIFIER_atomic_begin(void) {
  pthread_mutex_lock(&verifier_lock);
}
static inline void __VERIFIER_atomic_end(void) {
  pthread_mutex_unlock(&verifier_lock);
}
static inline void __VERIFIER_assume(int c) {
  if (!c) exit(0);
}
static inline void reach_error(void) {
  abort();
}
#else
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void reach_error(void) __attribute__((noreturn));
#endif
#endif
