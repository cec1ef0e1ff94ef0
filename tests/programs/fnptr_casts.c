/* Function pointers cast to other types and back, returned, compared, stored as integers.
   */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int twice(int x) {
  return 2 * x;
}
static int square(int x) {
  return x * x;
}
static double halve(double x) {
  return x / 2;
}
static void shout(const char *s) {
  printf("%s!\n", s);
}

typedef void (*Generic)(void);
typedef int (*IntFn)(int);

static IntFn choose(int which) {
  return which ? square : twice;
}
static int (*(*chooser(void))(int))(int) {
  return choose;
}

struct Entry {
  const char *type;
  Generic fn;
};

static void call(const struct Entry *e) {
  if (!strcmp(e->type, "i"))
    printf("%d\n", ((IntFn)e->fn)(21));
  else if (!strcmp(e->type, "d"))
    printf("%g\n", ((double (*)(double))e->fn)(21));
  else
    ((void (*)(const char *))e->fn)("loom");
}

static int fact(int (*self)(int), int n) {
  (void)self;
  return n <= 1 ? 1 : n * self(n - 1);
}
static int fact_self(int n) {
  return fact(fact_self, n);
}

static int apply(IntFn f, int times, int x) {
  while (times--) x = f(x);
  return x;
}

int main(void) {
  struct Entry entries[] = {{"i", (Generic)twice},
                            {"d", (Generic)halve},
                            {"s", (Generic)shout},
                            {"i", (Generic)square}};
  for (int i = 0; i < 4; i++) call(&entries[i]);
  uintptr_t bits = (uintptr_t)square;
  IntFn back = (IntFn)bits;
  printf("%d %d\n", back == square, back(9));
  void *blank = (void *)twice;
  unsigned char bytes[sizeof blank];
  memcpy(bytes, &blank, sizeof bytes);
  IntFn copied;
  memcpy(&copied, bytes, sizeof copied);
  printf("%d %d\n", copied == twice, copied(copied(10)));
  printf("%d %d\n", choose(0)(5), choose(1)(5));
  printf("%d\n", chooser()(1)(12));
  printf("%d\n", fact_self(10));
  printf("%d %d\n", apply(twice, 10, 1), apply(square, 4, 2));
  IntFn fns[2][2] = {{twice, square}, {square, 0}};
  int n = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) n += fns[i][j] ? fns[i][j](i + j + 3) : 1000;
  printf("%d\n", n);
  return (choose(1) != twice) + (fns[1][1] == NULL) * 2;
}
