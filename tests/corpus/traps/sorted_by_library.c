// race: safe — the library's own function for comparing reads the text before it is changed
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>

static struct dirent first, second, *list[2] = {&first, &second};

static void *worker(void *argument) {
  qsort(list, 2, sizeof *list, (int (*)(const void *, const void *))alphasort);
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  pthread_join(a, NULL);
  first.d_name[0] = 'x';
  return 0;
}
