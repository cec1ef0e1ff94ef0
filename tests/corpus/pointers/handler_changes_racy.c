// race: unsafe lines 12 19 — a function pointer is exchanged while another thread calls through it
#include <pthread.h>

static int quiet_calls, loud_calls;

static void quiet(void) { quiet_calls++; }
static void loud(void) { loud_calls++; }

static void (*handler)(void) = quiet;

static void *caller(void *arg) {
  handler();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, caller, NULL);
  handler = loud;
  pthread_join(t, NULL);
  return quiet_calls + loud_calls - 1;
}
