/* Figure 5.17 of the RaceQuest paper: one of very many interleavings shows the race. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int x, y, n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *a) {
  usleep(SLEEP);
  for (int i = 0; i < n; i++) { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); }
  x++;
  return a;
}
int main(int c, char **v) {
  pthread_t t;
  n = atoi(v[c - 1]);
  pthread_create(&t, 0, worker, 0);
  x++;
  for (int i = 0; i < n; i++) { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); }
  pthread_join(t, 0);
  return 0;
}
