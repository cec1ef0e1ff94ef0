/* _Float16: storage, arithmetic rounded to half precision, conversion to and from all
   others. */
#include <stdio.h>
#include <string.h>

typedef _Float16 H;

static unsigned bits(H h) {
  unsigned short u;
  memcpy(&u, &h, 2);
  return u;
}

static H mean(const H *v, int n) {
  H s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  return s / (H)n;
}

struct Pixel {
  H r, g, b, a;
};

static struct Pixel dim(struct Pixel p, H k) {
  return (struct Pixel){p.r * k, p.g * k, p.b * k, p.a};
}

int main(void) {
  const float v[] = {0, 1, -2, 0.1f, 65504, 1e-7f, 3.14159f, 2049, 1e-5f, -0.0f};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    H h = (H)v[i];
    printf("%g -> %04x -> %.8g\n", (double)v[i], bits(h), (double)h);
  }
  H a = (H)0.1f, b = (H)0.2f, c = a + b;
  printf("%.8g %.8g %.8g %.8g\n", (double)c, (double)(H)(a * b), (double)(H)(a - b),
         (double)(H)(a / b));
  printf("%d %d %d\n", a < b, a == b, c != (H)0.3f);
  H list[6] = {1, 2, 3, 4, 5.5, -7};
  printf("%.8g\n", (double)mean(list, 6));
  struct Pixel p = dim((struct Pixel){1, (H)0.5, (H)0.25, 1}, (H)0.3f);
  printf("%.6g %.6g %.6g %.6g %zu\n", (double)p.r, (double)p.g, (double)p.b, (double)p.a,
         sizeof p);
  H i = (H)2048;
  i += 1;
  printf("%g ", (double)i);
  i++;
  printf("%g %d %ld\n", (double)i, (int)(H)-3.75, (long)(H)1000);
  H big = (H)60000;
  big *= 2;
  printf("%g %g\n", (double)big, (double)-big);
  printf("%04x %04x\n", bits((H)1e-8), bits((H)(1.0 / 3)));
  return 0;
}
