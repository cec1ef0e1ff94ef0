/* bad: the cleanup function writes behind it. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int fin; int log_[2];
static void done(int id) {
  atomic_fetch_add(&fin, 1);
  log_[id]++;
}
static void *w(void *p) { int id = (int)(long)p; log_[id] = 1; done(id); return 0; }
int main(void) {
  pthread_t t; int s = 0;
  pthread_create(&t, 0, w, (void *)0L); pthread_create(&t, 0, w, (void *)1L);
  if (atomic_load(&fin) == 2) s = log_[0] + log_[1];
  return s;
}
