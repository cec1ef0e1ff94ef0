// assert: safe; race: safe — two variables begin at different places
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static int meet;

static void *look(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  meet = (uintptr_t)(&first) == (uintptr_t)&second ||
         (uintptr_t)(&second) == (uintptr_t)&first;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  first = second = 0;
  pthread_create(&t, NULL, look, NULL);
  pthread_join(t, NULL);
  assert(!meet);
  return 0;
}
