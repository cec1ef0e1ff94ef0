/* Memory from mmap: shared by two threads, or mapped by one after the other at one address. */
#include "small.h"

#include <sys/mman.h>

static char *map(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
char *shared;
static void *work(void *a) {
  char *page = RACY ? shared : map();
  page[8]++;
  if (!RACY) munmap(page, 4096);
  return a;
}
int main(void) {
  shared = map();
  pthread_t t = start(work, NULL);
  nap(10);
  work(NULL);
  finish(t);
  return 0;
}
