/* safe: the halves of the buffer are copied by one thread each. */
#include <pthread.h>
#include <string.h>
char src[16] = "fifteen chars..", dst[16];
static void *w(void *p) { memcpy(dst, src, 8); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  memset(dst + 8, 0, 8);
  pthread_join(t, 0);
  return dst[0];
}
