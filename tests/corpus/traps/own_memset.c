// race: safe — the program's own memset changes what only one thread has
#include <pthread.h>
#include <stddef.h>

void *memset(void *to, int c, size_t n);

static _Thread_local unsigned long calls;

void *memset(void *to, int c, size_t n) {
  volatile char *a = to;
  calls++;
  while (n--) *a++ = (char)c;
  return to;
}

static void *work(void *arg) {
  volatile size_t n = 3;
  char text[4] = "abc";
  memset(text, 'x', n);
  return text[0] == 'x' ? arg : NULL;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
