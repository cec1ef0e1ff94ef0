/* bad: adjacent bit-fields are one memory location. */
#include <pthread.h>
struct s {
  unsigned char a : 4, b : 4;
} g;
static void *w(void *p) { g.a = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  g.b = 2;
  pthread_join(t, 0);
  return g.a;
}
