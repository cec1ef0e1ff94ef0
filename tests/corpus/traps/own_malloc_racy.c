// race: unsafe lines 11 — strdup calls the program's own malloc, which has no lock
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char heap[1 << 20];
static size_t used;

void *malloc(size_t n) {
  n = (n + 15) & ~(size_t)15;
  size_t at = used; used = at + n;
  return at + n <= sizeof heap ? heap + at : NULL;
}
void free(void *p) {
  (void)p;
}

static void *worker(void *argument) {
  return strdup(argument);
}

int main(void) {
  static char word[] = "word";
  pthread_t a, b;
  pthread_create(&a, NULL, worker, word);
  pthread_create(&b, NULL, worker, word);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
