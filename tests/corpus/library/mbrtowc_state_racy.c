// race: unsafe lines 8 — without a state of the caller's own the library uses one for all
#include <pthread.h>
#include <stddef.h>
#include <wchar.h>

static void *worker(void *unused) {
  wchar_t c;
  mbrtowc(&c, "a", 1, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
