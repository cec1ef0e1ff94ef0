/* Structs of integers by value: one, two, three bytes up to sixteen, in and out, mixed
   with scalars. */
#include <stdint.h>
#include <stdio.h>

#define STRUCT(n)                                                                        \
  typedef struct {                                                                       \
    uint8_t b[n];                                                                        \
  } B##n
STRUCT(1);
STRUCT(2);
STRUCT(3);
STRUCT(4);
STRUCT(5);
STRUCT(7);
STRUCT(8);
STRUCT(9);
STRUCT(12);
STRUCT(15);
STRUCT(16);

#define PASS(n)                                                                          \
  static B##n turn##n(B##n v, int by) {                                                  \
    for (int i = 0; i < n; i++) v.b[i] = (uint8_t)(v.b[i] * 3 + by + i);                 \
    return v;                                                                            \
  }                                                                                      \
  static void test##n(void) {                                                            \
    B##n v;                                                                              \
    for (int i = 0; i < n; i++) v.b[i] = (uint8_t)(i + 1);                               \
    B##n w = turn##n(turn##n(v, 1), 2);                                                  \
    printf("%2d:", n);                                                                   \
    for (int i = 0; i < n; i++) printf(" %02x", w.b[i]);                                 \
    printf(" | %d\n", v.b[n - 1]);                                                       \
  }
PASS(1)
PASS(2) PASS(3) PASS(4) PASS(5) PASS(7) PASS(8) PASS(9) PASS(12) PASS(15) PASS(16)

    typedef struct {
  int a;
  char b;
} IC;
typedef struct {
  long a;
  short b;
} LS;
typedef struct {
  char *s;
  unsigned n;
} Text;
typedef struct {
  short a[3];
  _Bool ok;
} SB;
typedef struct {
  struct {
    char x;
    int y;
  } in;
  long z;
} Nest;

static long all(IC a, LS b, Text c, SB d, Nest e, int last) {
  return a.a + a.b + b.a + b.b + c.s[c.n] + d.a[0] + d.a[2] + d.ok + e.in.x + e.in.y +
         e.z + last;
}

static LS swap(LS v) {
  return (LS){v.b, (short)v.a};
}
static Text skip(Text t) {
  return (Text){t.s + 1, t.n - 1};
}
static Nest deepen(IC v, int k) {
  return (Nest){{v.b, v.a * k}, k};
}

int main(void) {
  test1();
  test2();
  test3();
  test4();
  test5();
  test7();
  test8();
  test9();
  test12();
  test15();
  test16();
  IC ic = {100000, 'b'};
  LS ls = {7, -9};
  Text t = {"heddle", 5};
  SB sb = {{1, 2, 3}, 1};
  Nest n = deepen(ic, -4);
  printf("%ld\n", all(ic, ls, t, sb, n, 5));
  ls = swap(swap(swap(ls)));
  printf("%ld %d\n", ls.a, ls.b);
  for (; t.n; t = skip(t)) printf("%s ", t.s);
  printf("\n%c %d %ld\n", n.in.x, n.in.y, n.z);
  Nest (*fn)(IC, int) = deepen;
  printf("%d\n", fn((IC){11, 'z'}, 3).in.y);
  return 0;
}
