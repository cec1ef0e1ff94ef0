// race: safe — a function pointer is exchanged and called under a lock
#include <pthread.h>

static int quiet_calls, loud_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void quiet(void) { quiet_calls++; }
static void loud(void) { loud_calls++; }

static void (*handler)(void) = quiet;

static void *caller(void *arg) {
  pthread_mutex_lock(&lock);
  handler();
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, caller, NULL);
  pthread_mutex_lock(&lock);
  handler = loud;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  handler();
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return quiet_calls + loud_calls - 2;
}
