// race: unsafe lines 10 17 — a failed compare and exchange delivers the pointer that is then followed
#include <pthread.h>
#include <stdatomic.h>

static int cell;
static _Atomic(int *) box = &cell;

static void *take(void *arg) {
  int *seen = NULL;
  if (!atomic_compare_exchange_strong(&box, &seen, NULL)) *seen += 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, take, NULL);
  cell = 7;
  pthread_join(t, NULL);
  return cell == 0;
}
