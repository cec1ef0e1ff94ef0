// race: safe — the lock of the next step is taken before the last one is released
#include <pthread.h>

static int in, out;
static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *arg) {
  pthread_mutex_lock(&in_lock);
  int n = ++in;
  pthread_mutex_lock(&out_lock);
  pthread_mutex_unlock(&in_lock);
  out += n;
  pthread_mutex_unlock(&out_lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, move, NULL);
  pthread_create(&b, NULL, move, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return out - 3;
}
