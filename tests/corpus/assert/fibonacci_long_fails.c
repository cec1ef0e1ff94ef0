// assert: unsafe; race: safe — two threads add to each other's number; over ten rounds the largest sum takes an exact alternation
#include <pthread.h>

extern void reach_error(void);

static int i = 1, j = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_j(void *arg) {
  for (int k = 0; k < 10; k++) {
    pthread_mutex_lock(&lock);
    i += j;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *add_i(void *arg) {
  for (int k = 0; k < 10; k++) {
    pthread_mutex_lock(&lock);
    j += i;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add_j, NULL);
  pthread_create(&b, NULL, add_i, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (i >= 17711 || j >= 17711) reach_error();
  return 0;
}
