/* bad: the pointer was copied byte by byte. */
#include <pthread.h>
int obj; unsigned char raw[sizeof(int *)];
static void *w(void *a) { int *p; for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&p)[i] = raw[i]; *p = 1; return 0; }
int main(void) {
  pthread_t t; int *o = &obj;
  for (unsigned i = 0; i < sizeof o; i++) raw[i] = ((unsigned char *)&o)[i];
  pthread_create(&t, 0, w, 0);
  obj = 2;
  pthread_join(t, 0);
  return 0;
}
