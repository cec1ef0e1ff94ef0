/* safe: the parts [4*id, 4*id+4) do not overlap. */
#include <pthread.h>
int a[20];
static void *w(void *p) {
  int id = (int)(long)p;
  for (int i = 4 * id; i < 4 * id + 4; i++) a[i] = i;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return a[3];
}
