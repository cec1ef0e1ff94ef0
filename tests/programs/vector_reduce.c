/* Vectors: ternary select, boolean vectors, reductions, arrays of vectors, clang's
   ext_vector_type. */
#include <stdio.h>

typedef int V4 __attribute__((ext_vector_type(4)));
typedef float F4 __attribute__((ext_vector_type(4)));
typedef unsigned short U8 __attribute__((ext_vector_type(8)));
typedef int V3 __attribute__((ext_vector_type(3)));

static V4 rotate(V4 v) {
  return v.yzwx;
}

static float length2(F4 v) {
  return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}

int main(void) {
  V4 v = {5, -6, 7, -8};
  printf("%d %d\n", __builtin_reduce_add(v), __builtin_reduce_max(v));
  printf("%d %d\n", __builtin_reduce_min(v), __builtin_reduce_xor(v));
  V4 w = rotate(rotate(v));
  printf("%d %d %d %d\n", w.x, w.y, w.z, w.w);
  w.xz = w.zx;
  w.lo += 100;
  printf("%d %d %d %d\n", w.x, w.y, w.z, w.w);
  V4 sel = v > 0 ? v : -w;
  printf("%d %d %d %d\n", sel.x, sel.y, sel.z, sel.w);
  V4 mx = __builtin_elementwise_max(v, w), ab = __builtin_elementwise_abs(v);
  printf("%d %d %d %d\n", mx.x, mx.y, ab.z, ab.w);
  F4 rows[3] = {1.0f, {1, 2, 3, 4}, (F4)(0.5f)};
  for (int i = 0; i < 3; i++) rows[i] = rows[i] * 2.0f + rows[(i + 1) % 3].wzyx;
  for (int i = 0; i < 3; i++) printf("%g ", (double)length2(rows[i]));
  printf("\n");
  U8 u = {1, 2, 3, 4, 5, 6, 7, 65535};
  u += (unsigned short)1;
  u = u << 2;
  unsigned s = 0;
  for (int i = 0; i < 8; i++) s = s * 10 + u[i];
  printf("%u\n", s);
  V3 three = {1, 2, 3};
  three = three.zxy * 2;
  printf("%d %d %d %zu\n", three.x, three.y, three.z, sizeof three);
  int any = __builtin_reduce_or(v > 6), all = __builtin_reduce_and(v < 100);
  printf("%d %d\n", any != 0, all != 0);
  return 0;
}
