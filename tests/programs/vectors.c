/* Vector extensions: element-wise arithmetic, comparison masks, conversion, shuffles, by
   value. */
#include <stdio.h>
#include <string.h>

typedef int V4 __attribute__((vector_size(16)));
typedef float F4 __attribute__((vector_size(16)));
typedef unsigned char B16 __attribute__((vector_size(16)));
typedef short S8 __attribute__((vector_size(16)));
typedef double D2 __attribute__((vector_size(16)));
typedef long L4 __attribute__((vector_size(32)));

static void show(const char *name, V4 v) {
  printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

static V4 madd(V4 a, V4 b, V4 c) {
  return a * b + c;
}

static int dot(const int *a, const int *b, int n) {
  V4 s = {0};
  for (int i = 0; i < n; i += 4) {
    V4 x, y;
    memcpy(&x, a + i, sizeof x);
    memcpy(&y, b + i, sizeof y);
    s += x * y;
  }
  return s[0] + s[1] + s[2] + s[3];
}

int main(void) {
  V4 a = {1, -2, 3, -4}, b = {10, 20, 30, 40};
  show("add", a + b);
  show("sub", a - b);
  show("mul", a * b);
  show("div", b / a);
  show("mod", b % (V4){3, 7, 11, 13});
  show("neg", -a);
  show("not", ~a);
  show("and", a & b);
  show("shl", b << 2);
  show("shr", a >> 1);
  show("gt", a > 0);
  show("eq", a == (V4){1, 2, 3, -4});
  show("scalar", a * 5 + 1);
  show("madd", madd(a, b, a));
  V4 m = a > 0;
  show("blend", (a & m) | (b & ~m));
  a[2] = 99;
  int k = 1;
  a[k] += 7;
  show("element", a);
#ifdef __clang__
  show("shuffle", __builtin_shufflevector(a, b, 0, 4, 1, 5));
  F4 conv = __builtin_convertvector(a, F4);
#else
  show("shuffle", __builtin_shuffle(a, b, (V4){0, 4, 1, 5}));
  F4 conv = {(float)a[0], (float)a[1], (float)a[2], (float)a[3]};
#endif
  F4 f = {1.5f, 2.5f, -3.5f, 4};
  f = f * f - 0.5f + conv;
  printf("%g %g %g %g\n", (double)f[0], (double)f[1], (double)f[2], (double)f[3]);
  B16 bytes;
  for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 17);
  bytes += bytes;
  for (int i = 0; i < 16; i++) printf("%d ", bytes[i]);
  printf("\n");
  S8 s = (S8)bytes;
  printf("%d %d\n", s[0], s[7]);
  D2 d = {1, 4};
  d /= (D2){3, 8};
  printf("%g %g\n", d[0], d[1]);
  L4 l = {1L << 40, -1, 5, 7};
  l = l * l;
  printf("%ld %ld %ld %ld %zu\n", l[0], l[1], l[2], l[3], sizeof l);
  int x[12], y[12];
  for (int i = 0; i < 12; i++) x[i] = i, y[i] = 12 - i;
  printf("%d\n", dot(x, y, 12));
  return 0;
}
