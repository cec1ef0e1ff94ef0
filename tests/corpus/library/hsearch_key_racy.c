// race: unsafe lines 9 20 — the table keeps the key, and compares it when others look
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
  /* the key is still in use */
  key[1] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
