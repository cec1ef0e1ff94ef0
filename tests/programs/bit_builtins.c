/* Counting and moving bits with the compiler's builtins, checked against loops. */
#include <stdint.h>
#include <stdio.h>

static int count(uint64_t v) {
  int n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}
static int leading(uint64_t v) {
  int n = 0;
  while (!(v >> 63)) v <<= 1, n++;
  return n;
}
static int trailing(uint64_t v) {
  int n = 0;
  while (!(v & 1)) v >>= 1, n++;
  return n;
}

int main(void) {
  uint64_t v = 0x9e3779b97f4a7c15;
  int wrong = 0;
  for (int i = 0; i < 200; i++) {
    v = v * 6364136223846793005u + 1442695040888963407u;
    uint64_t w = v >> (i % 63);
    if (!w) continue;
    wrong += __builtin_popcountll(w) != count(w);
    wrong += __builtin_clzll(w) != leading(w);
    wrong += __builtin_ctzll(w) != trailing(w);
    wrong += __builtin_parityll(w) != (count(w) & 1);
    wrong += __builtin_ffsll((long long)w) != trailing(w) + 1;
    uint32_t h = (uint32_t)w | 1;
    wrong += __builtin_popcount(h) != count(h);
    wrong += __builtin_clz(h) != leading(h) - 32;
    wrong += __builtin_bswap64(__builtin_bswap64(w)) != w;
  }
  printf("wrong: %d\n", wrong);
  printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffs(8), __builtin_ffsl(1L << 40));
  printf("%d %d\n", __builtin_parity(7), __builtin_parityl(0x11));
  printf("%04x %08x %016lx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678),
         (unsigned long)__builtin_bswap64(0x0123456789abcdef));
  printf("%d %d %d\n", __builtin_clrsb(-1), __builtin_clrsb(1), __builtin_clrsbl(-256));
  printf("%d %d %d\n", __builtin_clz(1), __builtin_clzl(1), __builtin_ctz(0x8000));
  printf("%d %d\n", __builtin_popcountl(~0ul), __builtin_popcountl(0));
  int x = 5;
  printf("%d %d\n", __builtin_constant_p(3) != 0, (int)__builtin_expect(x > 3, 1));
  printf("%d\n", __builtin_choose_expr(sizeof(long) == 8, 64, 32));
  printf("%d\n", __builtin_abs(-9));
  return wrong;
}
