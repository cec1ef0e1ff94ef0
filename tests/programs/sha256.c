/* SHA-256 of standard texts: rotates, tables, byte order, block padding. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], h[8];

static int is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

/* The first 32 bits of the fraction of the square or cube root of N, by bisection. */
static uint32_t root_bits(unsigned n, int cube) {
  uint64_t lo = 0, hi = 1ull << 37;
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    unsigned __int128 p = (unsigned __int128)mid * mid, q = (unsigned __int128)n << 64;
    int above = cube ? p * (mid >> 0) > ((unsigned __int128)n << 96) : p > q;
    if (above)
      hi = mid;
    else
      lo = mid;
  }
  return (uint32_t)lo;
}

static uint32_t ror(uint32_t v, int n) {
  return v >> n | v << (32 - n);
}

static void block(const uint8_t *p) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
           (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[i - 7] +
           (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
  }
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t e = s[4], a = s[0];
    uint32_t t1 = s[7] + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) +
                  ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
    uint32_t t2 =
        (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

static void digest(const char *text) {
  size_t n = strlen(text), at = 0;
  int primes = 0;
  for (unsigned p = 2; primes < 8; p++)
    if (is_prime(p)) h[primes++] = root_bits(p, 0);
  for (; at + 64 <= n; at += 64) block((const uint8_t *)text + at);
  uint8_t last[128] = {0};
  memcpy(last, text + at, n - at);
  last[n - at] = 0x80;
  size_t end = n - at < 56 ? 64 : 128;
  for (int i = 0; i < 8; i++)
    last[end - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
  block(last);
  if (end == 128) block(last + 64);
  for (int i = 0; i < 8; i++) printf("%08x", h[i]);
  printf("\n");
}

int main(void) {
  int primes = 0;
  for (unsigned p = 2; primes < 64; p++)
    if (is_prime(p)) k[primes++] = root_bits(p, 1);
  printf("%08x %08x\n", k[0], k[63]);
  digest("");
  digest("abc");
  digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
  return 0;
}
