// race: safe — a detached thread and the main thread share nothing but a guarded counter
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void bump(void) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
}

static void *background(void *arg) {
  bump();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, background, NULL);
  pthread_detach(t);
  bump();
  pthread_exit(NULL);
}
