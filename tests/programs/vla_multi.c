/* Variable length arrays of several dimensions, as parameters, through pointers, on the
   heap. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(int n, int m, int k, double a[n][m], double b[m][k],
                     double c[n][k]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      c[i][j] = 0;
      for (int t = 0; t < m; t++) c[i][j] += a[i][t] * b[t][j];
    }
}

static long cube(int x, int y, int z) {
  int a[x][y][z];
  int v = 0;
  for (int i = 0; i < x; i++)
    for (int j = 0; j < y; j++)
      for (int k = 0; k < z; k++) a[i][j][k] = v++;
  long s = 0;
  for (int k = z; k-- > 0;)
    for (int i = 0; i < x; i++) s = s * 3 % 1000003 + a[i][y - 1][k];
  printf("%zu %zu %zu %td ", sizeof a, sizeof a[0], sizeof a[0][0],
         &a[x - 1][0][0] - &a[0][0][0]);
  return s;
}

static int trace(int n, int (*m)[n]) {
  int t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}

int main(int argc, char **argv) {
  (void)argv;
  int n = argc + 1, m = argc + 2, k = argc + 3;
  double a[n][m], b[m][k], c[n][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i + j * 0.5;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < k; j++) b[i][j] = i * j - 1;
  multiply(n, m, k, a, b, c);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) printf("%6.2f", c[i][j]);
    printf("\n");
  }
  printf("%ld\n", cube(2, 3, 4));
  printf("%ld\n", cube(5, 1, 7));

  int(*grid)[k] = malloc(sizeof(int[k][k]));
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) grid[i][j] = 10 * i + j;
  printf("%d %zu\n", trace(k, grid), sizeof *grid);
  int *flat = &grid[0][0], *end = grid[k - 1] + k;
  printf("%td %d\n", end - flat, end[-1]);
  int(*last)[k] = grid + k - 1;
  printf("%d %d\n", (*last)[0], last[-1][1]);
  free(grid);
  return 0;
}
