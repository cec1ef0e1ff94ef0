// race: safe — main waits until the thread that the timer starts has posted
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static int x;
static sem_t done;

static void expired(union sigval value) {
  (void)value;
  x++;
  sem_post(&done);
}

int main(void) {
  struct sigevent event;
  struct itimerspec when;
  timer_t timer;
  sem_init(&done, 0, 0);
  memset(&event, 0, sizeof event);
  memset(&when, 0, sizeof when);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  when.it_value.tv_nsec = 1;
  if (timer_create(CLOCK_REALTIME, &event, &timer)) return 1;
  x++;
  if (timer_settime(timer, 0, &when, NULL)) return 1;
  sem_wait(&done);
  x++;
  return 0;
}
