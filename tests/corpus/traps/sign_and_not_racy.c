// race: unsafe lines 12 — widened with and without its sign, a number is two
#include <pthread.h>

static int count, given = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int small = *(int *)arg;
  long with = small;
  unsigned long without = (unsigned)small;
  if ((unsigned long)with == without) pthread_mutex_lock(&lock);
  count++;
  if ((unsigned long)with == without) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, &given);
  pthread_create(&b, NULL, work, &given);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return count != 2;
}
