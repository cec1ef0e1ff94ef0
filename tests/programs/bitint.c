/* _BitInt of odd widths, below, at and far above a machine word: arithmetic, shifts,
   conversion. */
#include <stdio.h>

typedef _BitInt(7) I7;
typedef unsigned _BitInt(7) U7;
typedef _BitInt(65) I65;
typedef unsigned _BitInt(128) U128;
typedef _BitInt(128) I128;

static void hex(unsigned _BitInt(128) v) {
  printf("%016llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
}

static I65 power(I65 b, int n) {
  I65 r = 1;
  while (n--) r *= b;
  return r;
}

struct Box {
  I7 small;
  _BitInt(33) mid;
  U128 big;
};

static struct Box grow(struct Box b) {
  b.small += 5;
  b.mid *= -3;
  b.big <<= 7;
  return b;
}

int main(void) {
  I7 a = 60;
  U7 u = 120;
  for (int i = 0; i < 10; i++) {
    u += 3;
    printf("%u ", (unsigned)u);
  }
  a -= 100;
  printf("\n%d %d %d %d\n", (int)a, (int)(a / (I7)7), (int)(a % (I7)7), (int)(a >> 2));
  printf("%d\n", (int)(U7)~u);

  I65 p = power(2, 63);
  p += p - 1;
  printf("%lld %lld\n", (long long)(p >> 1), (long long)(p / 1000000007));
  p = -p - 1;
  printf("%d %lld\n", p < 0, (long long)(p >> 2));
  printf("%g\n", (double)p);
  _Bool odd = (p & 1) != 0;
  printf("%d %d\n", odd, p == power(-2, 63) * 2);

  U128 f = 1;
  for (unsigned i = 1; i <= 33; i++) f *= i;
  hex(f);
  printf("\n");
  for (int i = 0; i < 3; i++, f /= 1000003)
    printf("%llu ", (unsigned long long)(f % 1000000007));
  printf("\n");
  I128 s = -((I128)1 << 100);
  hex((U128)(s >> 90));
  printf("\n");
  hex((U128)(s / 3));
  printf("\n");
  U128 mix = (U128)0x123456789abcdefULL << 57 ^ 0xfedcba98;
  hex(mix << 13 | mix >> 115);
  printf(" %llu\n", (unsigned long long)(mix % 97));

  struct Box b = {-3, 100000000, 0xff};
  b = grow(b);
  b = grow(b);
  printf("%d %lld ", (int)b.small, (long long)b.mid);
  hex(b.big);
  printf(" %zu\n", sizeof b);
  unsigned _BitInt(17) t = 131071;
  t *= t;
  printf("%u\n", (unsigned)t);
  _BitInt(40) list[4] = {1, -1, 549755813887, -549755813887 - 1};
  long long sum = 0;
  for (int i = 0; i < 4; i++) sum = sum * 7 + (long long)list[i];
  printf("%lld %zu\n", sum, sizeof list);
  return 0;
}
