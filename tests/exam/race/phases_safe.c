/* safe: stage 0 is main's, stage 1 the worker's, stage 2 main's again. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int stage; int buf[4];
static void *w(void *p) {
  while (atomic_load(&stage) != 1) ;
  for (int i = 0; i < 4; i++) {
    buf[i] *= 2;
  }
  atomic_store(&stage, 2);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  for (int i = 0; i < 4; i++) buf[i] = i;
  atomic_store(&stage, 1);
  while (atomic_load(&stage) != 2) ;
  int s = 0;
  for (int i = 0; i < 4; i++) s += buf[i];
  return s;
}
