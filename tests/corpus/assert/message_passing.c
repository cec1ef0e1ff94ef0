// assert: safe; race: safe — what is seen behind the flag was written before it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
  data = 42;
  atomic_store(&flag, 1);
  return arg;
}

static void *receiver(void *arg) {
  if (atomic_load(&flag)) assert(data == 42);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
