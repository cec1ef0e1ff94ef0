/* pthread_self, pthread_equal, handles stored and compared, a thread that joins its
   sibling. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t main_self, ids[4];
static pthread_barrier_t all;
static int same[4], distinct[4];

static void *run(void *arg) {
  int me = *(int *)arg;
  ids[me] = pthread_self();
  pthread_barrier_wait(&all);
  for (int i = 0; i < 4; i++) {
    if (pthread_equal(ids[i], pthread_self()))
      same[me] += i == me ? 1 : 10;
    else
      distinct[me]++;
  }
  if (pthread_equal(main_self, pthread_self())) same[me] += 100;
  return NULL;
}

static void *joins(void *arg) {
  pthread_t *sibling = arg;
  void *r;
  int e = pthread_join(*sibling, &r);
  return (void *)(long)(e == 0 ? (long)r + 1 : -1);
}

static void *seven(void *arg) {
  (void)arg;
  return (void *)7;
}

static void *join_self(void *arg) {
  *(int *)arg = pthread_join(pthread_self(), NULL);
  return NULL;
}

int main(void) {
  pthread_t t[4], x, y;
  int id[4], e = 0;
  void *r;
  main_self = pthread_self();
  pthread_barrier_init(&all, NULL, 4);
  for (int i = 0; i < 4; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < 4; i++)
    printf("%d %d %d\n", same[i], distinct[i], pthread_equal(t[i], ids[i]) != 0);
  printf("%d\n", pthread_equal(main_self, pthread_self()) != 0);
  pthread_create(&x, NULL, seven, NULL);
  pthread_create(&y, NULL, joins, &x);
  pthread_join(y, &r);
  printf("%ld\n", (long)r);
  pthread_create(&x, NULL, join_self, &e);
  pthread_join(x, NULL);
  printf("%s\n", e == EDEADLK ? "EDEADLK" : "other");
  return 0;
}
