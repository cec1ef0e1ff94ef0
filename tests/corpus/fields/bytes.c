// race: safe — neighbouring bytes are different memory locations
#include <pthread.h>

static struct {
  char a, b, c;
} bytes;

static void *set_a(void *arg) {
  bytes.a = 'a';
  return arg;
}

static void *set_b(void *arg) {
  bytes.b = 'b';
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, set_a, NULL);
  pthread_create(&y, NULL, set_b, NULL);
  bytes.c = 'c';
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return bytes.a + bytes.b + bytes.c != 'a' + 'b' + 'c';
}
