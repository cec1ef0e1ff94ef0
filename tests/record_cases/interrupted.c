/* A handler does what the code that it interrupts does: atomic operations on the same
 * variable, and posts. Nothing is stuck, and no string is read behind its end.
 * TRACE: main.1 atomic-rmw counter
 * COUNT: threads 2 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { ROUNDS = 100000, PAGE = 4096 };
_Atomic long counter;
static sem_t posts;

static void handler(int number) {
  (void)number;
  atomic_fetch_add(&counter, 1);
  sem_post(&posts);
}

static void *worker(void *a) {
  for (int i = 0; i < ROUNDS; i++) atomic_fetch_add(&counter, 1);
  return a;
}

int main(void) {
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0);
  pthread_t t;
  munmap(pages + PAGE, PAGE);
  sem_init(&posts, 0, 0);
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_create(&t, NULL, worker, NULL);
  int differs = strcasecmp(" x", pages + PAGE - 1) > 0;
  worker(NULL);
  pthread_join(t, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%d %d\n", counter >= 2 * ROUNDS, differs);
  return 0;
}
