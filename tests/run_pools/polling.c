/* A ring of four slots between one producer and three workers, all of which wait with a limit of time
 * and look again. With RACY workers count two of the slots without the mutex. A run in which so many waits come back
 * that they cannot have slept leaves the file `spun`. */
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int slot[4], full[4], next, done, sum, limit;
static struct timespec soon(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  return until;
}
static int looks;
static void count_look(void) {
  if (++looks == 5000) close(creat("spun", 0600));
}
static void *work(void *a) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!done && full[next % 4] != 1) {
      struct timespec until = soon();
      pthread_cond_timedwait(&more, &m, &until);
      count_look();
    }
    int mine = full[next % 4] == 1 ? next++ % 4 : -1;
    if (mine >= 0) full[mine] = 2;
    pthread_mutex_unlock(&m);
    if (mine < 0) return a;
#if RACY
    if (mine >= 2) limit++;
#endif
    int value = slot[mine];
    pthread_mutex_lock(&m);
    sum += value;
    full[mine] = 0;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(&m);
    while (full[i % 4]) {
      struct timespec until = soon();
      pthread_cond_timedwait(&room, &m, &until);
      count_look();
    }
    pthread_mutex_unlock(&m);
    slot[i % 4] = i;
    pthread_mutex_lock(&m);
    full[i % 4] = 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  while (full[0] | full[1] | full[2] | full[3]) {
    struct timespec until = soon();
    pthread_cond_timedwait(&room, &m, &until);
    count_look();
  }
  done = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
