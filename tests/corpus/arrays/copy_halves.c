// race: safe — memcpy into the two halves of a buffer
#include <pthread.h>
#include <string.h>

static char buffer[16];

static void *low(void *arg) {
  memcpy(buffer, "abcdefg", 8);
  return arg;
}

static void *high(void *arg) {
  memcpy(buffer + 8, "hijklmn", 8);
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, low, NULL);
  pthread_create(&y, NULL, high, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return buffer[0] != 'a' || buffer[8] != 'h';
}
