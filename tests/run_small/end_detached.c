/* Threads that are made detached. */
#include "small.h"

char *name = "nobody";
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  name = a;
  if (!RACY) unlock(&m);
  return NULL;
}
int main(void) {
  pthread_attr_t how;
  pthread_t t;
  pthread_attr_init(&how);
  pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &how, work, "one");
  pthread_create(&t, &how, work, "two");
  return 0;
}
