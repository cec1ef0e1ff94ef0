// race: safe — the key is changed when nobody looks any more
#include <pthread.h>
#include <search.h>

static char key[] = "abc";

static void *worker(void *unused) {
  ENTRY other = {.key = "other"};
  hsearch(other, FIND);
  return unused;
}

int main(void) {
  pthread_t thread;
  ENTRY entry = {.key = key};
  hcreate(10);
  hsearch(entry, ENTER);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  key[1] = 'x';
  return 0;
}
