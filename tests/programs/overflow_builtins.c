/* The overflow builtins: add, sub and mul for every width, mixed types, predicates. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(op, a, b, type)                                                              \
  do {                                                                                   \
    type r;                                                                              \
    int o = __builtin_##op##_overflow(a, b, &r);                                         \
    printf("%-3s %-8s %d %lld\n", #op, #type, o, (long long)r);                          \
  } while (0)

static int checked_sum(const int *v, int n, int *ret_sum) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (__builtin_sadd_overflow(s, v[i], &s)) return i + 1;
  *ret_sum = s;
  return 0;
}

static unsigned saturating(unsigned a, unsigned b) {
  unsigned r;
  return __builtin_umul_overflow(a, b, &r) ? UINT_MAX : r;
}

int main(void) {
  TRY(add, INT_MAX, 1, int);
  TRY(add, INT_MAX, 1, long);
  TRY(add, INT_MAX, 1, unsigned);
  TRY(add, 100, 27, int8_t);
  TRY(add, 100, 28, int8_t);
  TRY(add, 200u, 100u, uint8_t);
  TRY(add, -1, 1u, unsigned);
  TRY(add, -2, 1u, unsigned);
  TRY(add, LONG_MAX, LONG_MAX, long);
  TRY(sub, 0, 1, unsigned);
  TRY(sub, 0u, 1u, int);
  TRY(sub, INT_MIN, 1, int);
  TRY(sub, LONG_MIN, 1, long);
  TRY(sub, 5ul, 7ul, unsigned long);
  TRY(sub, 5, 7, int16_t);
  TRY(mul, 65536, 65536, int);
  TRY(mul, 65536u, 65535u, unsigned);
  TRY(mul, 65536u, 65536u, unsigned);
  TRY(mul, -1, INT_MIN, int);
  TRY(mul, 1L << 32, 1L << 31, long);
  TRY(mul, 1L << 32, -(1L << 31), long);
  TRY(mul, 1ul << 32, 1ul << 32, unsigned long);
  TRY(mul, 300, 300, int16_t);
  TRY(mul, 16, 15, uint8_t);
  long l;
  unsigned long ul;
  long long ll;
  printf("%d", __builtin_saddl_overflow(LONG_MAX, -1, &l));
  printf("%d", __builtin_uaddl_overflow(ULONG_MAX, 1, &ul));
  printf("%d", __builtin_ssubll_overflow(LLONG_MIN, 0, &ll));
  printf("%d", __builtin_usubl_overflow(3, 4, &ul));
  printf("%d\n", __builtin_smulll_overflow(LLONG_MAX, 2, &ll));
  printf("%ld %lu %lld\n", l, ul, ll);
  int v[] = {INT_MAX - 10, 5, 5, 1, -100}, s = 0;
  printf("%d ", checked_sum(v, 3, &s));
  printf("%d ", s);
  printf("%d\n", checked_sum(v, 5, &s));
  printf("%u %u\n", saturating(70000, 70000), saturating(3, 4));
  return 0;
}
