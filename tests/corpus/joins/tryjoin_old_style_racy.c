// race: unsafe lines 10 19; assert: safe — declared without a prototype, and asked once only
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
  if (pthread_tryjoin_np(t, 0) != 0) {
  }
  sum++;
  return 0;
}
