/* bad: the slot is given back before its last use. */
#include <pthread.h>
#include <stdatomic.h>
#define N 4
atomic_int used[N]; int data[N];
static void *w(void *p) {
  for (int i = 0; i < N; i++)
    if (atomic_exchange(&used[i], 1) == 0) {
      data[i] = i;
      atomic_store(&used[i], 0);
      data[i]++;
      break;
    }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
