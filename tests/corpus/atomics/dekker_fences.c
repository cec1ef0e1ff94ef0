// race: safe — relaxed flags with a sequentially consistent fence between store and load
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static int value;

static void *try(void *arg) {
  int me = *(int *)arg;
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (!atomic_load_explicit(&flag[1 - me], memory_order_relaxed)) value++;
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
