// race: unsafe lines 12 — the condition changes between the lock and the access
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int rounds = *(int *)arg;
  if (rounds > 1) pthread_mutex_lock(&lock);
  int held = rounds > 1;
  rounds++;
  if (rounds > 1) value++;
  if (held) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
