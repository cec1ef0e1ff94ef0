// race: safe — each raises its flag first; with sequential consistency only one sees the other's down
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static int value;

static void *try(void *arg) {
  int me = *(int *)arg;
  atomic_store(&flag[me], 1);
  if (!atomic_load(&flag[1 - me])) value++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, try, &zero);
  pthread_create(&b, NULL, try, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 1;
}
