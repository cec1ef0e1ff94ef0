/* A monitor in C: a resource allocator with priorities by broadcast, and a rendezvous of
   pairs. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER, met = PTHREAD_COND_INITIALIZER;
static int units = 5, granted, over;

static void acquire(int n) {
  pthread_mutex_lock(&lock);
  while (units < n) pthread_cond_wait(&freed, &lock);
  units -= n;
  granted += n;
  over += units < 0;
  pthread_mutex_unlock(&lock);
}
static void release(int n) {
  pthread_mutex_lock(&lock);
  units += n;
  pthread_cond_broadcast(&freed);
  pthread_mutex_unlock(&lock);
}
static void *user(void *arg) {
  int n = *(int *)arg;
  for (int i = 0; i < 8; i++) {
    acquire(n);
    release(n);
  }
  return NULL;
}

/* Two threads exchange values: the first waits, the second takes its value and leaves
   one of its own. */
static struct {
  int waiting, value, *answer;
} place;

static int exchange(int mine) {
  int got = -1;
  pthread_mutex_lock(&lock);
  if (place.waiting) {
    got = place.value;
    *place.answer = mine;
    place.waiting = 0;
    pthread_cond_broadcast(&met);
  } else {
    place.waiting = 1;
    place.value = mine;
    place.answer = &got;
    while (got == -1) pthread_cond_wait(&met, &lock);
  }
  pthread_mutex_unlock(&lock);
  return got;
}
static void *swapper(void *arg) {
  int *v = arg;
  *v = exchange(*v);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  int n[4] = {1, 2, 3, 5};
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, user, &n[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%d %d %d\n", units, granted, over);
  int v[2] = {10, 20};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, swapper, &v[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("%d %d\n", v[0], v[1]);
  return 0;
}
