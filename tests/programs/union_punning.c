/* Type punning through unions: the same bytes read as integer, float, bytes and pointer
   parts. */
#include <stdint.h>
#include <stdio.h>

union Word {
  uint32_t u;
  int32_t i;
  float f;
  uint16_t half[2];
  uint8_t byte[4];
};

union Double {
  double d;
  uint64_t u;
  struct {
    uint32_t low, high;
  } part;
};

static void show(const char *name, union Word w) {
  printf("%-8s u=%08x i=%d f=%g half=%04x,%04x bytes=%02x %02x %02x %02x\n", name, w.u,
         w.i, (double)w.f, w.half[0], w.half[1], w.byte[0], w.byte[1], w.byte[2],
         w.byte[3]);
}

static uint32_t float_bits(float f) {
  return ((union Word){.f = f}).u;
}

static float fast_inverse_root(float x) {
  union Word w = {.f = x};
  w.u = 0x5f3759df - (w.u >> 1);
  float y = w.f;
  y = y * (1.5f - 0.5f * x * y * y);
  y = y * (1.5f - 0.5f * x * y * y);
  return y;
}

int main(void) {
  union Word w = {0};
  show("zero", w);
  w.f = 1.0f;
  show("one", w);
  w.byte[3] |= 0x80;
  show("minus", w);
  w.half[0] = 0x1234;
  show("half", w);
  w.i = -1;
  show("all", w);
  w.byte[0] = 0;
  show("byte0", w);

  union Double d = {.d = -2.5};
  printf("%016llx %08x %08x\n", (unsigned long long)d.u, d.part.low, d.part.high);
  d.part.high &= 0x7fffffff;
  printf("%g\n", d.d);
  d.u += 1;
  printf("%.17g\n", d.d);

  const float samples[] = {0.5f, 3.25f, -0.0f, 1e-40f, 3.4e38f};
  for (unsigned k = 0; k < sizeof samples / sizeof *samples; k++)
    printf("%08x ", float_bits(samples[k]));
  printf("\n%.5f %.5f %.5f\n", (double)fast_inverse_root(4), (double)fast_inverse_root(2),
         (double)fast_inverse_root(100));
  return w.byte[1] == 0xff ? 0 : 1;
}
