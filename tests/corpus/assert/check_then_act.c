// assert: safe; race: safe; deadlock: safe — the check and the act in one critical section
#include <assert.h>
#include <pthread.h>

static int seats = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *book(void *arg) {
  pthread_mutex_lock(&lock);
  if (seats > 0) {
    seats--;
    assert(seats >= 0);
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, book, NULL);
  pthread_create(&b, NULL, book, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
