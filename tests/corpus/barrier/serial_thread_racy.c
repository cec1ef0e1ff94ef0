// race: unsafe lines 9 10 — the others do not wait for the serial thread's write
#include <pthread.h>

static int leader_says, heard[2];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  int *mine = arg;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) leader_says = 7;
  *mine = leader_says;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, work, &heard[0]);
  pthread_create(&b, NULL, work, &heard[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return heard[0] + heard[1] > 14;
}
