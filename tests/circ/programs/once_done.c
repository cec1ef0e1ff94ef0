/* race: safe */
/* Who runs it alone may do what he likes. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static atomic_int runs;
static int x;

static void begin(void) {
  if (runs++ == 0)
    x = 1;
}

static void *work(void *arg) {
  pthread_once(&control, begin);
  return arg;
}

static void *writer(void *arg) {
  pthread_once(&control, begin);
  x += arg != 0;
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
