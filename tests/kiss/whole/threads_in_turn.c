// assert: open — the second thread of a kind finds what the first one left
#include <assert.h>
#include <pthread.h>

static int g;
static void *work(void *unused) {
  g = g ? 2 : 1;
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
  }
  assert(g == 1);
  return 0;
}
