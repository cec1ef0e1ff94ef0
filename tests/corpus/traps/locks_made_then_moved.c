// race: safe; deadlock: safe — only pointers to locks are moved by realloc
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[4];
static pthread_mutex_t **list;
static int count;

static void *work(void *unused) {
  pthread_mutex_lock(&locks[0]);
  count++;
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

int main(void) {
  pthread_t a, b;
  list = malloc(2 * sizeof *list);
  if (!list) return 1;
  list[0] = &locks[0];
  list[1] = &locks[1];
  pthread_mutex_t **more = realloc(list, 4 * sizeof *list);
  if (!more) return 1;
  list = more;
  pthread_mutex_init(&locks[0], NULL);
  if (pthread_create(&a, NULL, work, NULL)) return 1;
  if (pthread_create(&b, NULL, work, NULL)) return 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
