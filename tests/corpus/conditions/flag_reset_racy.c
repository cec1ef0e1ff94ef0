// race: unsafe lines 18 — the flag that remembers the lock is reset on one path, so the lock stays open
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int held = 0;
  int n = *(int *)arg;
  if (n < 2) {
    pthread_mutex_lock(&lock);
    held = 1;
  }
  if (n == 1) {
    pthread_mutex_unlock(&lock);
    held = 0;
  }
  if (n < 2) value++;
  if (held) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, work, &zero);
  pthread_create(&b, NULL, work, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
