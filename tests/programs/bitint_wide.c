/* _BitInt(200) and friends in memory: four words of arithmetic, kept in arrays and passed
   by value. */
#include <stdio.h>

typedef unsigned _BitInt(200) Wide;
#if __BITINT_MAXWIDTH__ < 200
#error "the target has no wide _BitInt"
#endif

static void show(Wide v) {
  char digits[80];
  int n = 0;
  do {
    digits[n++] = (char)('0' + (int)(v % 10));
    v /= 10;
  } while (v);
  while (n) putchar(digits[--n]);
  putchar('\n');
}

static Wide factorial(unsigned n) {
  return n < 2 ? (Wide)1 : n * factorial(n - 1);
}

static Wide fibonacci(int n) {
  Wide a = 0, b = 1;
  while (n--) {
    Wide t = a + b;
    a = b;
    b = t;
  }
  return a;
}

static Wide table[5];

int main(void) {
  show(factorial(20));
  show(factorial(41));
  show(fibonacci(250));
  for (int i = 0; i < 5; i++) table[i] = (Wide)1 << (i * 45 + 5);
  Wide x = 0;
  for (int i = 0; i < 5; i++) x |= table[i] - (Wide)i;
  show(x);
  show(~x);
  show(x >> 77 ^ x << 3);
  signed _BitInt(150) s = -((signed _BitInt(150))1 << 140);
  s /= 12345;
  printf("%d %lld\n", s < 0, (long long)(s >> 90));
  printf("%d %d\n", factorial(30) > fibonacci(150), (int)(factorial(40) % 1009));
  printf("%zu %zu\n", sizeof(Wide), sizeof(signed _BitInt(150)));
  return 0;
}
