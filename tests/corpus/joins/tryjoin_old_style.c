// race: safe — declared without a prototype: the null pointer is passed as an int
#include <pthread.h>

#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#pragma clang diagnostic ignored "-Wstrict-prototypes"
extern int pthread_tryjoin_np();
static int sum;

static void *work(void *arg) {
  sum = 5;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  while (pthread_tryjoin_np(t, 0) != 0) {
  }
  sum++;
  return sum != 6;
}
