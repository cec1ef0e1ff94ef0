/* safe: every way out unlocks. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;
static void *w(void *v) {
  pthread_mutex_lock(&m);
  if (n >= 1) {
    pthread_mutex_unlock(&m);
    return 0;
  }
  n++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
