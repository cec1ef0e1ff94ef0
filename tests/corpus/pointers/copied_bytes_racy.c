// race: unsafe lines 11 21 — the pointer is copied byte by byte before it is followed
#include <pthread.h>
#include <string.h>

static int value;
static unsigned char bytes[sizeof(int *)];

static void *follow(void *arg) {
  int *p;
  memcpy(&p, bytes, sizeof p);
  *p = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  int *p = &value;
  const unsigned char *from = (const unsigned char *)&p;
  for (size_t i = 0; i < sizeof p; i++) bytes[i] = from[i];
  pthread_create(&t, NULL, follow, NULL);
  value = 2;
  pthread_join(t, NULL);
  return value == 0;
}
