/* Expressions: order of effects, short circuit, comma, conditional with omitted middle,
   statement expressions, _Generic, typeof, sizeof. */
#include <stdio.h>

static int log_[32], at;
static int note(int v) {
  log_[at++] = v;
  return v;
}
#define MAX(a, b)                                                                        \
  ({                                                                                     \
    __typeof__(a) a_ = (a);                                                              \
    __typeof__(b) b_ = (b);                                                              \
    a_ > b_ ? a_ : b_;                                                                   \
  })
#define KIND(x)                                                                          \
  _Generic((x),                                                                          \
      int: "int",                                                                        \
      unsigned: "unsigned",                                                              \
      long: "long",                                                                      \
      float: "float",                                                                    \
      double: "double",                                                                  \
      char *: "text",                                                                    \
      const char *: "const text",                                                        \
      _Bool: "bool",                                                                     \
      default: "other")

static int side;
static int *where(void) {
  side++;
  static int v[3] = {10, 20, 30};
  return &v[side % 3];
}

int main(void) {
  int a = note(0) && note(1), b = note(2) || note(3), c = note(4) ? note(5) : note(6);
  int d = (note(7), note(8)), e = note(0) ?: note(9);
  printf("%d %d %d %d %d:", a, b, c, d, e);
  for (int i = 0; i < at; i++) printf(" %d", log_[i]);
  printf("\n");
  int i = 5;
  printf("%d ", i++ * 2);
  printf("%d ", --i);
  i += i > 4 ? 10 : 20;
  printf("%d\n", i);
  *where() += 5;
  *where() <<= 1;
  printf("%d ", side);
  printf("%d\n", *where());
  printf("%d %g %ld\n", MAX(3, i), MAX(2.5, 1), MAX(note(1), 7L));
  printf("%s %s %s %s %s %s %s\n", KIND(1), KIND(1u), KIND(1.0f), KIND('a'), KIND("x"),
         KIND((_Bool)1), KIND((short)1));
  int x = ({
    int s = 0;
    for (int k = 0; k < 5; k++) s += k;
    s;
  });
  __typeof__(x) y = x << 2;
  printf("%d %d\n", x, y);
  printf("%zu %zu %zu\n", sizeof(i + 1L), sizeof(int[3][5]), sizeof "abc");
  printf("%d\n", i);
  printf("%d %d %d\n", (5 > 3) > 1, !!7, -(-3));
  printf("%d %d\n", 1 ? 2 : 0 ? 3 : 4, (note(2), 3));
  unsigned char uc = 250;
  uc += 10;
  int r = uc++;
  r += ++uc;
  printf("%d\n", r);
  int arr[5] = {0}, k = 0;
  arr[k++] = 1;
  arr[k++] += 2;
  arr[k] = arr[k - 1]++ + k;
  printf("%d %d %d %d\n", arr[0], arr[1], arr[2], k);
  int p = 3, q = 4;
  p ^= q, q ^= p, p ^= q;
  printf("%d %d\n", p, q);
  do p--;
  while (p > 0 && q++ < 100);
  printf("%d %d\n", p, q);
  for (int m = 0, n = 10; m < n; m += 3, n--) printf("%d,%d ", m, n);
  printf("\n");
  return i & 7;
}
