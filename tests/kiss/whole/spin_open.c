// assert: open; race: open — … which goes up before the data are there
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg) {
  flag = 1;
  data = 7;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  while (!flag);
  assert(data == 7);
  pthread_join(t, NULL);
  return 0;
}
