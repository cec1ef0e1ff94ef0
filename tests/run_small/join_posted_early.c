/* The semaphore is posted before the last write. */
#include "small.h"

sem_t done;
int result;
static void *work(void *a) {
  if (RACY) sem_post(&done);
  result = 2;
  if (!RACY) sem_post(&done);
  return a;
}
int main(void) {
  sem_init(&done, 0, 0);
  pthread_detach(start(work, NULL));
  sem_wait(&done);
  nap(10);
  return result > 2;
}
