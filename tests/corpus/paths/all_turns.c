// race: safe; deadlock: safe — who comes last in turns is one of the two
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 6 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, data;

static void *even(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    if (turn == 2 * i) turn++;
    int last = turn == 2 * ROUNDS;
    pthread_mutex_unlock(&m);
    if (last) data = 1;
  }
  return arg;
}

static void *odd(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    if (turn == 2 * i + 1) turn++;
    int last = turn == 2 * ROUNDS;
    pthread_mutex_unlock(&m);
    if (last) data = 2;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, even, 0);
  pthread_create(&b, 0, odd, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return data < 0;
}
