/* safe: a reader does not come in when three are there. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned n; int writing, data;
static void *rd(void *a) {
  pthread_mutex_lock(&m);
  if (writing || n == 3) { pthread_mutex_unlock(&m); return 0; }
  n = (n + 1) & 3;
  pthread_mutex_unlock(&m);
  int v = data; (void)v;
  pthread_mutex_lock(&m); n = (n - 1) & 3; pthread_mutex_unlock(&m);
  return 0;
}
static void *wr(void *a) {
  pthread_mutex_lock(&m);
  if (writing || n != 0) { pthread_mutex_unlock(&m); return 0; }
  writing = 1;
  pthread_mutex_unlock(&m);
  data++;
  pthread_mutex_lock(&m); writing = 0; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, rd, 0); pthread_create(&t, 0, wr, 0); } }
