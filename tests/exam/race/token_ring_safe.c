/* safe: the thread whose number is in turn works, and passes the turn on. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn; int work;
static void *w(void *p) {
  int id = (int)(long)p;
  for (int k = 0; k < 2; k++) {
    while (atomic_load(&turn) != id) ;
    work++;
    atomic_store(&turn, (id + 1) % 3);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return work;
}
