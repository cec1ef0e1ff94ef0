// race: unsafe lines 9 10 13 11 — who leaves last destroys the lock
#include <pthread.h>
#include <stdlib.h>

struct shared { pthread_mutex_t lock; int users; };

static void *leave(void *arg) {
  struct shared *s = arg;
  pthread_mutex_lock(&s->lock);
  int last = --s->users == 0;
  pthread_mutex_unlock(&s->lock);
  if (!last) {
    pthread_mutex_destroy(&s->lock);
  }
  return NULL;
}

int main(void) {
  pthread_t t, u;
  struct shared *s = malloc(sizeof *s);
  if (!s) return 1;
  if (pthread_mutex_init(&s->lock, NULL)) abort();
  s->users = 2;
  if (pthread_create(&t, NULL, leave, s)) abort();
  if (pthread_create(&u, NULL, leave, s)) abort();
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
