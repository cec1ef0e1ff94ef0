// assert: unsafe; race: safe; deadlock: safe — the check and the act are two critical sections
#include <assert.h>
#include <pthread.h>

static int seats = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *book(void *arg) {
  pthread_mutex_lock(&lock);
  int left = seats;
  pthread_mutex_unlock(&lock);
  if (left > 0) {
    pthread_mutex_lock(&lock);
    seats--;
    assert(seats >= 0);
    pthread_mutex_unlock(&lock);
  }
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
