// race: unsafe lines 8 14; assert: unsafe — the read before an assertion that fails has happened
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *unused) {
  int r = x;
  assert(r != 0);
  return unused;
}

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
