// race: safe; deadlock: safe — numbers that travel as pointers are no addresses
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void add(void *number) {
  pthread_mutex_lock(&lock);
  sum += (long)number;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  for (long i = 0; i < 3; i++)
    add((void *)(i * 5000));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
