// race: unsafe lines 15 — one way out counts a failure after the label has released the lock
#include <pthread.h>

static int used, failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int reserve(int n) {
  int result = -1;
  pthread_mutex_lock(&lock);
  if (used + n > 4) goto out;
  used += n;
  result = used;
out:
  pthread_mutex_unlock(&lock);
  if (result < 0) failed++;
  return result;
}

static void *client(void *arg) {
  reserve(*(int *)arg);
  reserve(4);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int small = 3, large = 9;
  pthread_create(&a, NULL, client, &small);
  pthread_create(&b, NULL, client, &large);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return failed > 3;
}
