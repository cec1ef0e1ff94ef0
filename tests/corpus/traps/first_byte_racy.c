// race: unsafe lines 14 — the first byte of a number is 0, the number is not
#include <pthread.h>

static int count;
static unsigned long given = 256;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  unsigned char first = *(unsigned char *)&given;
  unsigned long whole = given;
  (void)arg;
  if (first == 0) {
    if (whole == 0) pthread_mutex_lock(&lock);
    count++;
    if (whole == 0) pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return count != 2;
}
