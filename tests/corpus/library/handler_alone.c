// race: safe — a handler interrupts the only thread: nothing runs beside it
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t x;

static void handler(int signal) {
  (void)signal;
  x = 1;
}

int main(void) {
  signal(SIGUSR1, handler);
  x = 0;
  raise(SIGUSR1);
  return 0;
}
