// race: unsafe lines 8 9 — strchr returns a pointer into the shared text, and it is written through
#include <pthread.h>
#include <string.h>

static char text[] = "key=value";

static void *split(void *arg) {
  char *equals = strchr(text, '=');
  if (equals) *equals = '\0';
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, split, NULL);
  pthread_create(&b, NULL, split, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return text[3] == '=';
}
