// race: unsafe lines 9 — a pointer to the caller's variable is no pointer to the same variable here
#include <pthread.h>
#include <stddef.h>

static int count;

static void visit(const int *outer, int depth) {
  int mine = depth;
  if (outer && outer != &mine) count++;
  if (depth) visit(&mine, depth - 1);
}

static void *work(void *arg) {
  visit(NULL, 3);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return count != 6;
}
