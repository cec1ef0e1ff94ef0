// race: unsafe lines 9 — the comparison counts its calls in a global variable
#include <pthread.h>
#include <stdlib.h>

static int left[4] = {4, 1, 3, 2}, right[4] = {8, 7, 6, 5};
static int calls;

static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}

static void *sort(void *arg) {
  qsort(arg, 4, sizeof(int), compare);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sort, left);
  pthread_create(&b, NULL, sort, right);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return calls == 0;
}
