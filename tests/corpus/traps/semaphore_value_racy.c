// race: unsafe lines 10 16 — sem_getvalue writes where its argument says
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int value;

static void *look(void *arg) {
  (void)arg;
  sem_getvalue(&sem, &value);
  return NULL;
}

static void *use(void *arg) {
  (void)arg;
  value++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  sem_init(&sem, 0, 3);
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value < 0;
}
