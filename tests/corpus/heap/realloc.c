// race: safe — a growing array behind a lock
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
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int sum = items[0] + items[1] + items[2] + items[3];
  free(items);
  return sum - 3;
}
