// race: safe — ten threads of ten kinds, started one by one, are joined in one loop
#include <pthread.h>

static int value[10];
static pthread_t ids[10];

#define WORK(n)                        \
  static void *work##n(void *arg) {    \
    value[n] = n;                      \
    return arg;                        \
  }
WORK(0) WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6) WORK(7) WORK(8) WORK(9)

#define START(n) pthread_create(&ids[n], NULL, work##n, NULL)

int main(void) {
  START(0), START(1), START(2), START(3), START(4);
  START(5), START(6), START(7), START(8), START(9);
  for (int i = 0; i < 10; i++) pthread_join(ids[i], NULL);
  value[9]++;
  return value[0];
}
