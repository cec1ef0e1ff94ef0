// race: unsafe lines 13 — a function changes the condition through a pointer after the test
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void confuse(int *flag) { *flag = !*flag; }

static void *work(void *arg) {
  int flag = *(int *)arg, was = flag;
  if (flag) pthread_mutex_lock(&lock);
  confuse(&flag);
  if (flag) value++;
  if (was) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0;
  pthread_create(&a, NULL, work, &zero);
  pthread_create(&b, NULL, work, &zero);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
