/* Structs of mixed classes: an integer half and a float half, unions, empty, arrays, via
   pointers. */
#include <stdint.h>
#include <stdio.h>

typedef struct {
  double d;
  long l;
} DL;
typedef struct {
  long l;
  double d;
} LD;
typedef struct {
  float f;
  int i;
} FI;
typedef struct {
  float f[2];
  int i[2];
} FFII;
typedef struct {
  int i;
  float f;
  double d;
} IFD;
typedef union {
  double d;
  long l;
  char c[8];
} U;
typedef struct {
  U u;
  float f;
} UF;
typedef struct {
  char c;
  double d;
} CD;
typedef struct {
} Empty;

static LD flip(DL v) {
  return (LD){(long)v.d, (double)v.l};
}
static DL flop(LD v) {
  return (DL){(double)v.l + 0.5, (long)v.d};
}
static FI fi(FI a, FI b) {
  return (FI){a.f + (float)b.i, a.i - (int)b.f};
}
static FFII ffii(FFII v) {
  return (FFII){{(float)v.i[1], (float)v.i[0]}, {(int)v.f[1], (int)v.f[0]}};
}
static IFD ifd(IFD v) {
  return (IFD){v.i + 1, v.f * 2, v.d / 2};
}
static U toggle(U u) {
  return (U){.l = (long)((unsigned long)u.l ^ 1ul << 63)};
}
static UF uf(UF v) {
  return (UF){toggle(v.u), -v.f};
}
static CD cd(CD v, Empty e, int k) {
  return (void)e, (CD){(char)(v.c + k), v.d * k};
}

static double pressure(DL a, DL b, DL c, DL d, DL e, DL f, DL g, LD h, LD i, LD j) {
  return a.d + b.l + c.d + d.l + e.d + f.l + g.d + h.l + i.d + j.l * 100;
}

struct Object;
typedef DL (*Method)(struct Object *, LD, FI);
struct Object {
  Method run;
  int calls;
};
static DL method(struct Object *o, LD a, FI b) {
  o->calls++;
  return (DL){a.d + (double)b.f, a.l + b.i};
}

int main(void) {
  DL a = {2.75, 9};
  LD b = flip(a);
  printf("%ld %g\n", b.l, b.d);
  for (int i = 0; i < 5; i++) b = flip(flop(b));
  printf("%ld %g\n", b.l, b.d);
  FI f = fi((FI){1.5f, 2}, (FI){3.5f, 4});
  printf("%g %d\n", (double)f.f, f.i);
  FFII g = ffii((FFII){{1.9f, -2.9f}, {3, 4}});
  printf("%g %g %d %d\n", (double)g.f[0], (double)g.f[1], g.i[0], g.i[1]);
  IFD h = ifd(ifd((IFD){1, 1.5f, 10}));
  printf("%d %g %g\n", h.i, (double)h.f, h.d);
  U u = toggle((U){.d = 6.5});
  printf("%g %d\n", u.d, u.c[7] < 0);
  UF w = uf((UF){u, 2});
  printf("%g %g\n", w.u.d, (double)w.f);
  CD c = cd((CD){'a', 0.5}, (Empty){}, 3);
  printf("%c %g %zu\n", c.c, c.d, sizeof(Empty));
  printf("%g\n", pressure(a, a, a, a, a, a, a, b, b, (LD){3, 4}));
  struct Object o = {method, 0};
  DL r = o.run(&o, b, f);
  r = o.run(&o, (LD){r.l, r.d}, (FI){0.25f, 1});
  printf("%g %ld %d\n", r.d, r.l, o.calls);
  return 0;
}
