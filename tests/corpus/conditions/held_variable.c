// race: safe; deadlock: safe — a local variable remembers whether the lock is held
#include <pthread.h>
#include <stdbool.h>

static int value, cheap;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int n = *(int *)arg;
  bool held = false;
  for (int i = 0; i < n; i++) {
    if (!held) {
      pthread_mutex_lock(&lock);
      held = true;
    }
    value++;
  }
  if (held) {
    cheap++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int none = 0, three = 3;
  pthread_create(&a, NULL, work, &none);
  pthread_create(&b, NULL, work, &three);
  work(&three);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value + cheap - 8;
}
