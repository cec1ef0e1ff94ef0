// One place in the source, two variables: `shared` races if there is an argument, `mine` never does.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long shared, mine[4];
struct node { long n; pthread_mutex_t *lock; };
static struct node *held;
static void inc(long *p) { *p += 1; }
static void *work(void *u) {
  long *slot = &mine[(long)u & 3];
  for (int i = 0; i < 100; i++) {
    inc(slot);
    if (u == (void *)2) inc(&shared);
    usleep(1000);
  }
  pthread_mutex_lock(held->lock); held->n++; pthread_mutex_unlock(held->lock);
  return u;
}
int main(int argc, char **argv) {
  (void)argv;
  held = malloc(sizeof *held); held->lock = &m; held->n = 0;
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; argc > 1 && i < 100; i++) {
    inc(&shared);
    usleep(1000);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
