// race: unsafe lines 13 — a negative number is another one when it is widened without its sign
#include <pthread.h>

static int count, given = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int small = *(int *)arg;
  unsigned big = (unsigned)small;
  unsigned long wide = big;
  if (small == -1) {
    if (wide != 4294967295UL) pthread_mutex_lock(&lock);
    count++;
    if (wide != 4294967295UL) pthread_mutex_unlock(&lock);
  }
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
