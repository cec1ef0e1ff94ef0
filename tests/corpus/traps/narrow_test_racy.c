// race: unsafe lines 13 — a test of the low half of a number says nothing about the whole
#include <pthread.h>

static int count;
static unsigned long given = 1UL << 32;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  unsigned long whole = *(unsigned long *)arg;
  unsigned low = (unsigned)whole;
  if (low == 0) {
    if (whole == 0) pthread_mutex_lock(&lock);
    count++;
    if (whole == 0) pthread_mutex_unlock(&lock);
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
