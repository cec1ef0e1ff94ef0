// race: unsafe lines 11 13 — the value is read again after the lock was released
#include <pthread.h>
#include <stdio.h>

static int last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *note(void *arg) {
  int mine = *(int *)arg;
  pthread_mutex_lock(&lock);
  last = mine;
  pthread_mutex_unlock(&lock);
  printf("%d, now %d\n", mine, last);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, note, &one);
  pthread_create(&b, NULL, note, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
