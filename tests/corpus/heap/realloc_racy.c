// race: unsafe lines 11 13 29 — an element is read without the lock while the array may move
#include <pthread.h>
#include <stdlib.h>

static int *items;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void append(int x) {
  pthread_mutex_lock(&lock);
  int *more = realloc(items, (count + 1) * sizeof *items);
  if (!more) exit(1);
  items = more;
  items[count++] = x;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  append(*(int *)arg);
  append(0);
  return NULL;
}

int main(void) {
  pthread_t a;
  int one = 1;
  append(5);
  pthread_create(&a, NULL, work, &one);
  int first = items[0];
  pthread_join(a, NULL);
  free(items);
  return first != 5;
}
