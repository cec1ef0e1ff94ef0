// race: safe — a hash table is probed under one lock for each slot
#include <pthread.h>
#include <stdlib.h>
#define SIZE 16
#define MAX  2
int table[SIZE];
pthread_mutex_t cas_mutex[SIZE];
pthread_t tids[4];
int cas(int *tab, int h, int val, int new_val) {
  int ret_val = 0;
  pthread_mutex_lock(&cas_mutex[h]);
  if (tab[h] == val) {
    tab[h] = new_val;
    ret_val = 1;
  }
  pthread_mutex_unlock(&cas_mutex[h]);
  return ret_val;
}
void *thread_routine(void *arg) {
  int tid = *((int *)arg);
  int m = 0, w, h;
  while (1) {
    if (m < MAX)
      w = (++m) * 11 + tid;
    else
      pthread_exit(NULL);
    h = (w * 7) % SIZE;
    while (cas(table, h, 0, w) == 0) h = (h + 1) % SIZE;
  }
}
int main(void) {
  int i;
  for (i = 0; i < SIZE; i++) pthread_mutex_init(&cas_mutex[i], NULL);
  int args[4];
  for (i = 0; i < 4; i++) {
    args[i] = i;
    pthread_create(&tids[i], NULL, thread_routine, &args[i]);
  }
  for (i = 0; i < 4; i++) pthread_join(tids[i], NULL);
  return 0;
}
