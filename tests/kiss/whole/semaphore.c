// assert: safe; race: safe — one at a time
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;
static void *work(void *unused) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2);
  return 0;
}
