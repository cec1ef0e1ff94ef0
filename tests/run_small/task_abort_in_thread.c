/* The thread that checks aborts the program. */
#include "small.h"

Mutex m = MUTEX;
int a, b;
static void *writer(void *p) {
  if (!RACY) lock(&m);
  a = 1;
  b = 1;
  if (!RACY) unlock(&m);
  return p;
}
static void *checker(void *p) {
  if (!RACY) lock(&m);
  int wrong = a != b;
  if (!RACY) unlock(&m);
  printf("%d\n", wrong);
  abort();
  return p;
}
int main(void) {
  start(checker, 0);
  start(writer, 0);
  pthread_exit(0);
}
