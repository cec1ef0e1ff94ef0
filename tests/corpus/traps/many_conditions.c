// race: safe; deadlock: safe — ten conditions, and whoever does not hold the lock yet takes it at the end
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  unsigned bits = *(unsigned *)arg;
  int held = 0;
  for (int i = 0; i < 10; i++) {
    if (!held && (bits >> i & 1)) {
      pthread_mutex_lock(&lock);
      held = 1;
    }
  }
  if (!held) {
    pthread_mutex_lock(&lock);
    held = 1;
  }
  value++;
  if (held) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  unsigned x = 512, y = 1;
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value != 2;
}
