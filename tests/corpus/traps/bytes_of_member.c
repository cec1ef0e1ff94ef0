// race: safe — the pointer means the text alone, the numbers are for the other thread
#include <pthread.h>

static struct {
  long before;
  struct {
    char letter, text[3];
    int numbers[4];
  } member;
} shared;

static void *clear(void *unused) {
  char *p = shared.member.text;
  for (unsigned i = 0; i < sizeof shared.member.text; i++) p[i] = 0;
  return unused;
}

static void *sum(void *ret) {
  int *p = shared.member.numbers;
  int *out = ret;
  for (int i = 0; i < 4; i++) *out += p[i];
  return 0;
}

int main(void) {
  pthread_t a, b;
  int result = 0;
  pthread_create(&a, 0, clear, 0);
  pthread_create(&b, 0, sum, &result);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return result;
}
