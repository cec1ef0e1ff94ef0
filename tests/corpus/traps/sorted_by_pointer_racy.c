// race: unsafe lines 11 18 — which function compares stands in a variable, and it is the library's own
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>

static struct dirent first, second, *list[2] = {&first, &second};
static int (*order)(const struct dirent **, const struct dirent **) = alphasort;

static void *worker(void *argument) {
  qsort(list, 2, sizeof *list, (int (*)(const void *, const void *))order);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  first.d_name[0] = 'x';
  pthread_join(a, NULL);
  return 0;
}
