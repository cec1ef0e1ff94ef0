// race: safe — a static local counter guarded by a static local mutex
#include <pthread.h>

static int next_id(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int id;
  pthread_mutex_lock(&lock);
  int result = ++id;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *user(void *arg) {
  *(int *)arg = next_id();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 0, y = 0;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  int z = next_id();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y + z - 6;
}
