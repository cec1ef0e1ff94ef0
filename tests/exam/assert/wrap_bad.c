/* bad: it is not 300. */
#include <pthread.h>
#include <assert.h>
unsigned char c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) { for (int i = 0; i < 150; i++) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(c == 300);
  return 0;
}
