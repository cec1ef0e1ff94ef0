// race: unsafe lines 9 — two slots hold the address of the same cell
#include <pthread.h>

static int cells[2];
static int *slots[2] = {&cells[0], &cells[0]};

static void *set(void *arg) {
  int **slot = arg;
  **slot = 5;
  *slot = NULL;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, &slots[0]);
  pthread_create(&b, NULL, set, &slots[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return cells[0] - 5 + cells[1];
}
