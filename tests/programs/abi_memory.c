/* Structs too large for registers: copied by value, returned in memory, modified in the
   callee. */
#include <stdio.h>
#include <string.h>

typedef struct {
  long v[3];
} L3;
typedef struct {
  char name[40];
  double score;
  int tags[5];
} Person;
typedef struct {
  double m[3][3];
} Matrix;
typedef struct {
  long double a;
  int b;
} LD;

static L3 rotate(L3 a) {
  return (L3){{a.v[2], a.v[0], a.v[1]}};
}

static Person rename_(Person p, const char *to) {
  strncpy(p.name, to, sizeof p.name - 1);
  p.score *= 2;
  for (int i = 0; i < 5; i++) p.tags[i] += i;
  return p;
}

static Matrix mul(Matrix a, Matrix b) {
  Matrix r = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
  return r;
}

static Matrix power(Matrix m, int n) {
  if (n == 0) return (Matrix){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return n % 2 ? mul(m, power(m, n - 1)) : power(mul(m, m), n / 2);
}

static LD step(LD v, int k) {
  return (LD){v.a / k, v.b + k};
}

static int crowd(int a, L3 b, char c, Person d, long e, L3 f, int g, int h, int i, L3 j) {
  b.v[0] = -1;
  f.v[1] += b.v[0];
  return a + (int)b.v[1] + c + d.tags[4] + (int)e + (int)f.v[1] + g + h + i + (int)j.v[2];
}

static L3 global = {{4, 5, 6}};

static L3 clobber(L3 a) {
  global.v[0] = 99;
  return a;
}

int main(void) {
  L3 a = {{1, 2, 3}};
  a = rotate(rotate(a));
  printf("%ld %ld %ld\n", a.v[0], a.v[1], a.v[2]);
  Person p = {"Ada", 1.5, {1, 2, 3, 4, 5}};
  Person q = rename_(rename_(p, "Grace"), "Edsger");
  printf("%s %g %d | %s %g %d\n", p.name, p.score, p.tags[4], q.name, q.score, q.tags[4]);
  Matrix fib = {{{1, 1, 0}, {1, 0, 0}, {0, 0, 2}}};
  Matrix r = power(fib, 30);
  printf("%.0f %.0f %.0f\n", r.m[0][1], r.m[0][0], r.m[2][2]);
  LD l = {1, 0};
  for (int i = 1; i < 9; i++) l = step(l, i);
  printf("%.15Lg %d\n", l.a, l.b);
  printf("%d\n", crowd(1, a, 'c', q, 1L << 20, a, 7, 8, 9, global));
  printf("%ld\n", a.v[0]);
  L3 c = clobber(global);
  printf("%ld %ld\n", c.v[0], global.v[0]);
  global = rotate(global);
  printf("%ld %ld\n", rotate(global).v[0], global.v[1]);
  Person crew[2] = {q, p};
  crew[0] = crew[1];
  printf("%s %s\n", crew[0].name, rename_(crew[1], "Barbara").name);
  return 0;
}
