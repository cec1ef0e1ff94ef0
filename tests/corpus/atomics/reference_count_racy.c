// race: unsafe lines 12 17 28 — a relaxed count does not order the other thread's use before the free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Shared {
  atomic_int users;
  int part[2];
};

static void drop(struct Shared *s) {
  if (atomic_fetch_sub_explicit(&s->users, 1, memory_order_relaxed) == 1) free(s);
}

static void *user(void *arg) {
  struct Shared *s = arg;
  s->part[0] = 1;
  drop(s);
  return NULL;
}

int main(void) {
  pthread_t t;
  struct Shared *s = malloc(sizeof *s);
  if (!s) return 1;
  atomic_init(&s->users, 2);
  pthread_create(&t, NULL, user, s);
  s->part[1] = 2;
  drop(s);
  pthread_join(t, NULL);
  return 0;
}
