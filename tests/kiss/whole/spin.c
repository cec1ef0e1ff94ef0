// assert: safe; race: safe; deadlock: open — main turns round until the flag is up
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg) {
  data = 7;
  flag = 1;
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
