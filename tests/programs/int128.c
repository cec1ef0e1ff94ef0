/* __int128: all operations, signed and unsigned, conversions, in structs and as
   arguments. */
#include <stdio.h>

typedef __int128 I;
typedef unsigned __int128 U;

static void dec(I v) {
  char buf[48];
  int n = 0;
  U u = v < 0 ? -(U)v : (U)v;
  do buf[n++] = (char)('0' + (int)(u % 10));
  while (u /= 10);
  if (v < 0) putchar('-');
  while (n) putchar(buf[--n]);
  putchar(' ');
}

static U mulmod(U a, U b, U m) {
  return a % m * (b % m) % m;
}

static unsigned long powmod(unsigned long b, unsigned long e, unsigned long m) {
  U r = 1;
  for (U x = b; e; e >>= 1, x = mulmod(x, x, m))
    if (e & 1) r = mulmod(r, x, m);
  return (unsigned long)r;
}

struct Pair {
  char tag;
  I value;
};

static struct Pair step(struct Pair p, I by, int more, I again) {
  p.value += by * more - again;
  p.tag++;
  return p;
}

static I many(int a, I b, I c, long d, I e, I f) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6;
}

int main(void) {
  I max = (I)(~(U)0 >> 1), min = -max - 1;
  dec(max);
  dec(min);
  dec(max / 3);
  dec(min / 7);
  dec(min % 1000000007);
  printf("\n");
  dec(max >> 64);
  dec(min >> 100);
  dec((I)((U)min >> 100));
  dec((I)1 << 70);
  dec(~(I)0 ^ max);
  printf("\n");
  dec((I)-1.5e30);
  dec((I)1e10f);
  printf("%g %g %g\n", (double)max, (double)(min + 1), (double)((U)1 << 127));
  printf("%Lg %g\n", (long double)max, (double)(float)(I)123456789);
  printf("%d%d%d%d%d\n", max > min, (U)max > (U)min, max == (I)(U)max, min < 0,
         (I)-1 < (I)1);
  printf("%lu %lu\n", powmod(3, 1000000, 18446744073709551557UL),
         powmod(2, 61, (1UL << 61) - 1));
  struct Pair p = {'a', 1};
  for (int i = 0; i < 5; i++) p = step(p, (I)1 << (20 * i), i, i);
  printf("%c ", p.tag);
  dec(p.value);
  dec(many(1, 2, (I)1 << 90, 3, -4, (I)5 << 64));
  printf("%zu\n", sizeof p);
  I a[3] = {1, -((I)2 << 66), 3};
  a[1]++;
  a[2] -= a[1]--;
  dec(a[1]);
  dec(a[2]);
  U big = 0;
  printf("%d %d\n", __builtin_add_overflow(max, (I)1, &a[0]),
         __builtin_mul_overflow(~(U)0, (U)2, &big));
  dec(a[0]);
  dec((I)(big >> 1));
  printf("\n");
  switch ((long)(max % 5)) {
  case 2: printf("two\n"); break;
  default: printf("other\n");
  }
  return 0;
}
