// race: unsafe lines 6 14 — the parent reads its stack array while the thread still fills it
#include <pthread.h>

static void *fill(void *arg) {
  int *cells = arg;
  for (int i = 0; i < 4; i++) cells[i] = i;
  return NULL;
}

int main(void) {
  int cells[4] = {0};
  pthread_t t;
  pthread_create(&t, NULL, fill, cells);
  int sum = cells[0] + cells[3];
  pthread_join(t, NULL);
  return sum > 3;
}
