// race: unsafe lines 11 — the program's own memcpy counts its calls
#include <pthread.h>
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);

static unsigned long calls;

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  char *a = to;
  calls++;
  for (const char *b = from; n; n--) *a++ = *b++;
  return to;
}

static void *work(void *arg) {
  volatile size_t n = 3;
  char text[4] = "abc", copy[4] = "";
  memcpy(copy, text, n);
  return copy[0] == 'a' ? arg : NULL;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
