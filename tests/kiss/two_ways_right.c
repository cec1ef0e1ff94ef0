// all: assert holds
/* Two ways of main, which exclude each other, have set up different things when the first thread
 * begins. None can fail. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int limit, *place, table[4];

static void *work(void *arg) {
  assert(*place == 3 && limit >= 1);
  return arg;
}

int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 1;
  if (n > 1000) {
    limit = 1;
    place = &table[n % 4];
    *place = 3;
    pthread_create(&t, NULL, work, NULL);
  } else {
    limit = 2;
    place = &table[1];
    table[1] = 3 + (n == 1777);
    pthread_create(&t, NULL, work, NULL);
  }
  pthread_join(t, NULL);
  return 0;
}
