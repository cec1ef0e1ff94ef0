// race: safe — each thread works on its half of the array
#include <pthread.h>

#define N 8
static int a[N];

struct Range {
  int from, to;
};

static void *fill(void *arg) {
  struct Range *r = arg;
  for (int i = r->from; i < r->to; i++) a[i] = i;
  return NULL;
}

int main(void) {
  pthread_t x, y;
  struct Range low = {0, N / 2}, high = {N / 2, N};
  pthread_create(&x, NULL, fill, &low);
  pthread_create(&y, NULL, fill, &high);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[0] + a[N - 1] - 7;
}
