/* bad: of the thread's number. */
#include <pthread.h>
#include <stdint.h>
#define L 4
pthread_mutex_t lk[L]; int obj[16];
static pthread_mutex_t *of(int i, int me) {
  return &lk[me % L];
}
static void *w(void *p) {
  int me = (int)(long)p;
  for (int k = 0; k < 4; k++) { int i = (me * 3 + k * 5) % 16; pthread_mutex_lock(of(i, me)); obj[i]++; pthread_mutex_unlock(of(i, me)); }
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < L; i++) pthread_mutex_init(&lk[i], 0);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
