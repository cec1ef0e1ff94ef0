/* Complex arithmetic: multiply, divide, conjugate, parts, as arguments and results,
   arrays. */
#include <complex.h>
#include <stdio.h>

typedef double complex Z;

static Z square(Z z) {
  return z * z;
}
static float complex fmix(float complex a, float complex b) {
  return a * b + conjf(a);
}
static long double complex lmix(long double complex a) {
  return a * a - 1;
}

static int escape(Z c) {
  Z z = 0;
  for (int i = 0; i < 40; i++) {
    if (creal(z) * creal(z) + cimag(z) * cimag(z) > 4) return i;
    z = square(z) + c;
  }
  return 40;
}

static void show(const char *name, Z z) {
  printf("%s %.10g%+.10gi\n", name, creal(z), cimag(z));
}

static void transform(int n, Z *v, const Z *roots, int stride) {
  if (n == 1) return;
  Z even[8], odd[8];
  for (int i = 0; i < n / 2; i++) even[i] = v[2 * i], odd[i] = v[2 * i + 1];
  transform(n / 2, even, roots, stride * 2);
  transform(n / 2, odd, roots, stride * 2);
  for (int i = 0; i < n / 2; i++) {
    Z t = roots[i * stride] * odd[i];
    v[i] = even[i] + t;
    v[i + n / 2] = even[i] - t;
  }
}

int main(void) {
  Z a = 3 + 4 * I, b = 1 - 2 * I;
  show("sum", a + b);
  show("diff", a - b);
  show("prod", a * b);
  show("quot", a / b);
  show("conj", conj(a));
  show("neg", -a);
  show("scaled", a * 2.5);
  show("real+", a + 1);
  printf("%d %d\n", a == b, a == 3 + 4 * I);
  Z z = a;
  z *= b;
  z += I;
  z /= 2;
  show("compound", z);
  __real__ z = 9;
  __imag__ z -= 1;
  show("parts", z);
  float complex f = fmix(1.5f + 2 * I, 0.5f - I);
  printf("%g %g\n", (double)crealf(f), (double)cimagf(f));
  long double complex l = lmix(1.25L + 0.5L * I);
  printf("%Lg %Lg\n", creall(l), cimagl(l));
  for (int y = -2; y <= 2; y++) {
    for (int x = -4; x <= 1; x++) printf("%3d", escape(x * 0.5 + y * 0.5 * I));
    printf("\n");
  }
  const Z roots[4] = {1, 0.70710678118654752 - 0.70710678118654752 * I, -I,
                      -0.70710678118654752 - 0.70710678118654752 * I};
  Z v[8] = {1, 2, 3, 4, 4, 3, 2, 1};
  transform(8, v, roots, 1);
  for (int i = 0; i < 8; i++)
    printf("(%.6g,%.6g)%s", creal(v[i]) + 0.0, cimag(v[i]) + 0.0, i < 7 ? " " : "\n");
  return (int)sizeof(Z) + (a ? 1 : 0);
}
