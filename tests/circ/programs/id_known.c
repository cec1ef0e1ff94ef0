/* race: safe */
/* An id is not 0 and no other's, in whatever variable it is. */
#include <pthread.h>

static pthread_t first, second;
static int x;

static void *begin(void *arg) {
  x = 1;
  return arg;
}

static void *follow(void *arg) {
  pthread_join(first, 0);
  x = 2;
  return arg;
}

int main(void) {
  pthread_create(&first, 0, begin, 0);
  pthread_create(&second, 0, follow, 0);
  if (first == 0 || first == second) x = 3;
  pthread_join(second, 0);
  x = 4;
  return 0;
}
