// deadlock: open — one waits for a post for ever, and the other turns round for ever
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int flag;
static sem_t s;

static void *work(void *arg) {
  sem_wait(&s);
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, NULL, work, NULL);
  while (!flag);
  sem_post(&s);
  pthread_join(t, NULL);
  return 0;
}
