// race: safe — mutual recursion between functions, the counter under a lock
#include <pthread.h>

static int calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_odd(int n);

static int is_even(int n) {
  pthread_mutex_lock(&lock);
  calls++;
  pthread_mutex_unlock(&lock);
  return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n) {
  return n == 0 ? 0 : is_even(n - 1);
}

static void *ask(void *arg) {
  int *n = arg;
  *n = is_even(*n);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int three = 3, four = 4;
  pthread_create(&a, NULL, ask, &three);
  pthread_create(&b, NULL, ask, &four);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return three + four - 1 + calls - 5;
}
