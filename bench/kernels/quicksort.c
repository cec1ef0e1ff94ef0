/* Every thread sorts its half, then the halves are merged. */
#include <pthread.h>
#include <stdlib.h>
enum { N = 1 << 22 };
static int a[N], out[N];
static void sort(int *v, int n) {
  if (n < 2) return;
  int p = v[n / 2], i = 0, j = n - 1;
  while (i <= j) {
    while (v[i] < p) i++;
    while (v[j] > p) j--;
    if (i <= j) { int x = v[i]; v[i++] = v[j]; v[j--] = x; }
  }
  sort(v, j + 1);
  sort(v + i, n - i);
}
static void *half(void *arg) { sort(a + (long)arg * (N / 2), N / 2); return arg; }
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < N; i++) a[i] = (int)((s = s * 1664525u + 1013904223u) >> 8);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, half, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 0, l = 0, r = N / 2; i < N; i++)
    out[i] = r == N || (l < N / 2 && a[l] <= a[r]) ? a[l++] : a[r++];
  for (int i = 1; i < N; i++) if (out[i - 1] > out[i]) return 1;
  return 0;
}
