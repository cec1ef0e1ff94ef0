// race: unsafe lines 7 — nobody has a state, so both calls use the one that is hidden
#include <pthread.h>
#include <string.h>
#include <wchar.h>

static size_t convert(wchar_t *to, const char *from, mbstate_t *state) {
  return mbrtowc(to, from, 1, state);
}

static void *worker(void *unused) {
  wchar_t c;
  convert(&c, "a", NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL)) return 1;
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
