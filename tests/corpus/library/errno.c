// race: safe — errno is a variable of each thread
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *parse(void *arg) {
  errno = 0;
  long n = strtol(arg, NULL, 10);
  return errno == 0 && n > 0 ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  char small[] = "12", large[] = "99999999999999999999999";
  pthread_create(&a, NULL, parse, small);
  pthread_create(&b, NULL, parse, large);
  errno = EINVAL;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return errno != EINVAL;
}
