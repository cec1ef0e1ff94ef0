// race: safe — each call has a state of its own
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

static void *worker(void *unused) {
  wchar_t c;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  mbrtowc(&c, "a", 1, &state);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
