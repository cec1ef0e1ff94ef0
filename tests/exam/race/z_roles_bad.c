/* bad: role 2 is a writer, too. */
#include <pthread.h>
int x;
static void *w(void *p) {
  switch ((long)p) {
  case 0: x = 1; break;
  case 1: return p;
  case 2:
    x = 2;
    break;
  }
  return 0;
}
int main(void) { pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)i); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return x; }
