/* bad: row i is written up to one past its end, which is row i+1's first (one allocation). */
#include <pthread.h>
#include <stdlib.h>
#define R 3
#define C 5
int *mat;
struct arg { int row; };
static void *w(void *p) {
  struct arg *a = p; int *row = mat + a->row * C;
  for (int j = 0; j <= C; j++) if (a->row < R - 1 || j < C) row[j] = j;
  return 0;
}
int main(void) {
  pthread_t t[R]; struct arg a[R];
  mat = malloc(R * C * sizeof *mat);
  if (!mat) return 1;
  for (int i = 0; i < R; i++) { a[i].row = i; pthread_create(&t[i], 0, w, &a[i]); }
  for (int i = 0; i < R; i++) pthread_join(t[i], 0);
  free(mat);
  return 0;
}
