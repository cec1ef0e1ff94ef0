// race: unsafe lines 6 — the body of an inline function whose definition is elsewhere for the compiler
#include <pthread.h>

static int counter;

inline void bump(void) { counter++; }
extern void bump(void);

static void *work(void *arg) {
  bump();
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  bump();
  pthread_join(t, NULL);
  return 0;
}
