/* Shifts and rotates of each width, arithmetic and logical, by variable amounts. */
#include <stdint.h>
#include <stdio.h>

static uint32_t rotl32(uint32_t v, unsigned n) {
  return v << (n & 31) | v >> (-n & 31);
}
static uint64_t rotr64(uint64_t v, unsigned n) {
  return v >> (n & 63) | v << (-n & 63);
}
static uint8_t rotl8(uint8_t v, unsigned n) {
  return (uint8_t)(v << (n & 7) | v >> (-n & 7));
}

static uint32_t reverse(uint32_t v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static unsigned gray(unsigned n) {
  return n ^ n >> 1;
}

static int sign_extend(unsigned v, int bits) {
  return (int)(v << (32 - bits)) >> (32 - bits);
}

int main(void) {
  int minus = -123456789;
  long lminus = -1234567890123456789L;
  for (int n = 0; n < 32; n += 5)
    printf("%d %u %ld %lu\n", minus >> n, (unsigned)minus >> n, lminus >> (2 * n),
           (unsigned long)lminus >> (2 * n));
  for (unsigned n = 0; n <= 32; n += 7)
    printf("%08x %016lx %02x\n", rotl32(0xdeadbeef, n),
           (unsigned long)rotr64(0x0123456789abcdef, 2 * n), rotl8(0x96, n));
  printf("%08x %08x\n", reverse(0x12345678), reverse(1));
  for (unsigned i = 0; i < 16; i++) printf("%x%s", gray(i), i < 15 ? " " : "\n");
  printf("%d %d %d\n", sign_extend(0x1f, 5), sign_extend(0x0f, 5), sign_extend(0x80, 8));
  short s = -2;
  unsigned char uc = 0x81;
  printf("%d %d %d\n", s >> 1, uc << 1, (unsigned char)(uc << 1));
  uc <<= 3;
  s >>= 9;
  printf("%u %d\n", uc, s);
  uint64_t one = 1;
  uint64_t mask = 0;
  for (int i = 0; i < 64; i += 3) mask |= one << i;
  printf("%016lx\n", (unsigned long)mask);
  printf("%u %u %u\n", __builtin_rotateleft8(0x96, 3), __builtin_rotateleft16(0x1234, 4),
         __builtin_rotateright32(0x12345678, 8));
  printf("%016lx\n", (unsigned long)__builtin_rotateright64(0x0123456789abcdefUL, 20));
  unsigned __int128 w =
      (unsigned __int128)0xfedcba9876543210UL << 64 | 0x0123456789abcdefUL;
  for (int n = 0; n < 128; n += 31) printf("%016lx ", (unsigned long)(w >> n));
  printf("\n");
  return 0;
}
