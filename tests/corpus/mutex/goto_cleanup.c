// race: safe; deadlock: safe — several ways out through one label that releases the lock
#include <pthread.h>
#include <stdlib.h>

static int used, failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int reserve(int n) {
  int result = -1;
  pthread_mutex_lock(&lock);
  if (n < 0) goto out;
  if (used + n > 10) {
    failed++;
    goto out;
  }
  used += n;
  result = used;
out:
  pthread_mutex_unlock(&lock);
  return result;
}

static void *client(void *arg) {
  reserve(*(int *)arg);
  reserve(4);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int small = 3, negative = -1;
  pthread_create(&a, NULL, client, &small);
  pthread_create(&b, NULL, client, &negative);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return used > 11 || failed > 1;
}
