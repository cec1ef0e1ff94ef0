/* safe: the writer's thread is joined before the read. */
#include <pthread.h>
int x, y;
static void *wx(void *p) { x = 1; return 0; }
static void *wy(void *p) { y = 1; return 0; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, wx, 0); pthread_create(&b, 0, wy, 0);
  pthread_join(a, 0);
  int r = x;
  pthread_join(b, 0);
  return r + y;
}
