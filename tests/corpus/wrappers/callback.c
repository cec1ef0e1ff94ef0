// race: safe — a function of the program runs a callback under its lock
#include <pthread.h>

static int sum, product = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void with_lock(void (*body)(int), int n) {
  pthread_mutex_lock(&lock);
  body(n);
  pthread_mutex_unlock(&lock);
}

static void add(int n) { sum += n; }
static void multiply(int n) { product *= n; }

static void *work(void *arg) {
  int n = *(int *)arg;
  with_lock(add, n);
  with_lock(multiply, n);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int two = 2, three = 3;
  pthread_create(&a, NULL, work, &two);
  pthread_create(&b, NULL, work, &three);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum - 5 + product - 6;
}
