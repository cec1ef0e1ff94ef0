// race: unsafe lines 16 — the remembered state says held although the lock was released
#include <pthread.h>
#include <stdbool.h>

static int value;
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
    if (i == 0) pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t a;
  int three = 3;
  pthread_create(&a, NULL, work, &three);
  work(&three);
  pthread_join(a, NULL);
  return value > 6;
}
