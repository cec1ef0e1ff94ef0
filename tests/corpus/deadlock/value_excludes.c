// deadlock: safe; race: safe — the value read under the first lock excludes the crossing
#include <pthread.h>

static int phase;
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static int claim(void) {
  pthread_mutex_lock(&state);
  int mine = phase++ == 0;
  pthread_mutex_unlock(&state);
  return mine;
}

static void *one(void *arg) {
  if (!claim()) return NULL;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *two(void *arg) {
  if (!claim()) return NULL;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return phase - 2;
}
