// race: safe — the thread that the timer starts takes the lock that main takes
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void expired(union sigval value) {
  (void)value;
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
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
  if (timer_create(CLOCK_REALTIME, &event, &timer)) return 1;
  if (timer_settime(timer, 0, &when, NULL)) return 1;
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  return 0;
}
