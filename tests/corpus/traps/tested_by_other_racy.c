// race: unsafe lines 12 — trylock's result is kept in a shared variable that the other thread overwrites
#include <pthread.h>
#include <stdatomic.h>

static atomic_int result;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int mine = pthread_mutex_trylock(&lock);
  atomic_store(&result, mine);
  if (atomic_load(&result) == 0) value++;
  if (mine == 0) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value > 3;
}
