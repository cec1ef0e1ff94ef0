/* Variable length arrays: size from run time, in loops, in recursion, sizeof with side
   effects. */
#include <stdio.h>
#include <string.h>

static long fill(int n) {
  long a[n];
  for (int i = 0; i < n; i++) a[i] = (long)i * i;
  long s = 0;
  for (int i = n; i-- > 0;) s += a[i];
  return s + (long)sizeof a;
}

static int deep(int n) {
  if (n == 0) return 0;
  int here[n + 1];
  for (int i = 0; i <= n; i++) here[i] = n;
  int below = deep(n - 1);
  int s = below;
  for (int i = 0; i <= n; i++) s += here[i];
  return s;
}

static void reverse(char *s) {
  size_t n = strlen(s);
  char copy[n + 1];
  strcpy(copy, s);
  for (size_t i = 0; i < n; i++) s[i] = copy[n - 1 - i];
}

static int param(int n, int a[n], const char b[static n]) {
  return a[n - 1] + b[n - 1];
}

int main(void) {
  for (int n = 1; n <= 64; n *= 4) printf("%ld ", fill(n));
  printf("\n%d\n", deep(12));
  char word[] = "weaving";
  reverse(word);
  puts(word);

  int total = 0;
  for (int i = 1; i < 200; i++) {
    int block[i];
    memset(block, 0, sizeof block);
    block[i - 1] = i;
    if (i % 3 == 0) continue;
    if (i == 150) break;
    total += block[i - 1] + block[0];
  }
  printf("%d\n", total);

  int k = 3;
  size_t s = sizeof(char[k++]);
  printf("%zu %d\n", s, k);
  typedef short Row[k];
  k = 100;
  Row r;
  for (int i = 0; i < 4; i++) r[i] = (short)(i * 1000);
  printf("%zu %d\n", sizeof(Row), r[3]);

  int again = 0;
retry:;
  double scratch[2 + again];
  scratch[1 + again] = again * 0.5;
  printf("%zu %g\n", sizeof scratch, scratch[1 + again]);
  if (again++ < 3) goto retry;
  int a[] = {1, 2, 3};
  printf("%d\n", param(3, a, "abc"));
  return 0;
}
