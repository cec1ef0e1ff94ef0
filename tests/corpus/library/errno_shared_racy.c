// race: unsafe lines 6 13 — the address of one thread's errno is handed to another
#include <errno.h>
#include <pthread.h>

static void *spoil(void *arg) {
  *(int *)arg = ENOENT;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, spoil, &errno);
  errno = 0;
  pthread_join(t, NULL);
  return 0;
}
