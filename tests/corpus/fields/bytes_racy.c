// race: unsafe lines 7 13 — a byte of an integer is written through a character pointer
#include <pthread.h>

static unsigned word;

static void *set_word(void *arg) {
  word = 0x01020304;
  return arg;
}

static void *set_byte(void *arg) {
  unsigned char *bytes = (unsigned char *)&word;
  bytes[2] = 9;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_word, NULL);
  pthread_create(&b, NULL, set_byte, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return word == 0;
}
