/* Structs of floats and doubles by value: packed into vector registers, more than there
   are. */
#include <stdio.h>

typedef struct {
  float x;
} F1;
typedef struct {
  float x, y;
} F2;
typedef struct {
  float x, y, z;
} F3;
typedef struct {
  float x, y, z, w;
} F4;
typedef struct {
  double x;
} D1;
typedef struct {
  double x, y;
} D2;
typedef struct {
  float a;
  double b;
} FD;
typedef struct {
  float m[2];
  float n;
} FA;

static F1 f1(F1 a, F1 b) {
  return (F1){a.x * 2 - b.x};
}
static F2 f2(F2 a, F2 b) {
  return (F2){a.x + b.y, a.y - b.x};
}
static F3 cross(F3 a, F3 b) {
  return (F3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static F4 quat(F4 a, F4 b) {
  return (F4){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
              a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
              a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
              a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static D1 d1(D1 a) {
  return (D1){a.x / 3};
}
static D2 cmul(D2 a, D2 b) {
  return (D2){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
static FD fd(FD v, float k) {
  return (FD){v.a * k, v.b / (double)k};
}
static FA fa(FA v) {
  return (FA){{v.n, v.m[0]}, v.m[1]};
}

static double many(D2 a, F4 b, D2 c, F2 d, D2 e, F3 f, D2 g, D1 h, float i, double j) {
  return a.x + a.y * 2 + (double)(b.x + b.w) + c.y * 3 + (double)d.x + e.x * 4 +
         (double)f.z + g.y * 5 + h.x + (double)i + j;
}

int main(void) {
  printf("%g\n", (double)f1((F1){1.5f}, (F1){0.25f}).x);
  F2 v = {1, 2};
  for (int i = 0; i < 5; i++) v = f2(v, (F2){(float)i, 0.5f});
  printf("%g %g\n", (double)v.x, (double)v.y);
  F3 c = cross((F3){1, 2, 3}, (F3){-4, 5, 0.5f});
  printf("%g %g %g\n", (double)c.x, (double)c.y, (double)c.z);
  F4 q = quat((F4){1, 2, 3, 4}, (F4){0.5f, -1, 2, 0.25f});
  printf("%g %g %g %g\n", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
  printf("%.15g\n", d1(d1((D1){1})).x);
  D2 z = {1, 1};
  for (int i = 0; i < 8; i++) z = cmul(z, (D2){1, 0.5});
  printf("%.12g %.12g\n", z.x, z.y);
  FD m = fd((FD){2, 9}, 1.5f);
  printf("%g %g\n", (double)m.a, m.b);
  FA r = fa(fa((FA){{1, 2}, 3}));
  printf("%g %g %g\n", (double)r.m[0], (double)r.m[1], (double)r.n);
  printf("%g\n", many((D2){1, 2}, (F4){3, 4, 5, 6}, (D2){7, 8}, (F2){9, 10}, (D2){11, 12},
                      (F3){13, 14, 15}, (D2){16, 17}, (D1){18}, 19, 20));
  D2 (*fn)(D2, D2) = cmul;
  printf("%g\n", fn(fn(z, z), z).y);
  return 0;
}
