// race: unsafe lines 13 22 — both get the same entry of the table
#include <pthread.h>
#include <search.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int one, two;

static void *first(void *unused) {
  ENTRY key = {"a", 0}, *entry;
  pthread_mutex_lock(&m);
  entry = hsearch(key, FIND);
  pthread_mutex_unlock(&m);
  if (entry) entry->data = &one;
  return unused;
}

static void *second(void *unused) {
  ENTRY key = {"a", 0}, *entry;
  pthread_mutex_lock(&m);
  entry = hsearch(key, FIND);
  pthread_mutex_unlock(&m);
  if (entry) entry->data = &two;
  return unused;
}

int main(void) {
  pthread_t a, b;
  ENTRY key = {"a", 0};
  if (!hcreate(4)) return 1;
  hsearch(key, ENTER);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
