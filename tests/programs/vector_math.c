/* Vectors of floats: arithmetic, roots, masks of comparisons, sums of all lanes, and a
   loop * that the optimiser turns into vectors. */
#include <emmintrin.h>
#include <math.h>
#include <stdio.h>

static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += sqrt(x[i]) * floor(x[i]);
  return s;
}

static unsigned highest(const unsigned *x, int n) {
  unsigned most = 0;
  for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  return most;
}

static int behind(int **to, int *const *from, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 2;
  for (int i = 0; i < n; i++)
    s = (s * 3 + *to[i]) % 1000003;
  return s;
}

int main(void) {
  __m128 a = _mm_set_ps(16, 9, 4, 1), b = _mm_set_ps(1, 10, 3, 2);
  float root[4];
  _mm_storeu_ps(root, _mm_sqrt_ps(_mm_mul_ps(a, a)));
  printf("%g %g %g %g\n", root[0], root[1], root[2], root[3]);
  printf("%d %d\n", _mm_movemask_ps(_mm_cmplt_ps(a, b)),
         _mm_movemask_ps(_mm_cmplt_ps(b, a)));
  __m128i text = _mm_loadu_si128((const __m128i *)"warp, weft, warp");
  printf("%x\n", (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('w'))));
  __m128d pair = _mm_set_pd(-1.5, 2.5);
  printf("%d\n", _mm_movemask_pd(pair));
  double values[37];
  unsigned words[37];
  for (int i = 0; i < 37; i++) {
    values[i] = i * 1.75;
    words[i] = (unsigned)i * 2654435761u;
  }
  printf("%.17g %u\n", sum(values, 37), highest(words, 37));
  int cells[40], *from[37], *to[37];
  for (int i = 0; i < 40; i++)
    cells[i] = i * i % 11;
  for (int i = 0; i < 37; i++)
    from[i] = cells + i;
  printf("%x\n", (unsigned)behind(to, from, 37));
  return 0;
}
