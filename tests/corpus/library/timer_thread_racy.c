// race: unsafe lines 11 26 — the only other thread is the one that the timer starts
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int x;

static void expired(union sigval value) {
  (void)value;
  x++;
}

int main(void) {
  struct sigevent event;
  struct itimerspec when;
  timer_t timer;
  memset(&event, 0, sizeof event);
  memset(&when, 0, sizeof when);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  when.it_value.tv_nsec = 1;
  timer_create(CLOCK_REALTIME, &event, &timer);
  timer_settime(timer, 0, &when, NULL);
  sleep(1);
  x++;
  return 0;
}
