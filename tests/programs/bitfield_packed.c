/* Packed structs and bit-fields in unions: unaligned members read and written in place.
   */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) Header {
  uint8_t version : 4, length : 4;
  uint16_t port;
  uint32_t sequence;
  uint8_t flags : 3;
  uint16_t window : 13;
  uint64_t stamp : 48;
  double value;
};

union Register {
  uint32_t raw;
  struct {
    uint32_t enable : 1;
    uint32_t speed : 4;
    int32_t trim : 6;
    uint32_t : 5;
    uint32_t channel : 16;
  } f;
  struct __attribute__((packed)) {
    uint8_t skip : 5;
    uint32_t middle : 22;
    uint8_t rest : 5;
  } g;
};

struct __attribute__((packed)) Odd {
  char a;
  int b;
  char c;
  long d;
  struct {
    short s;
    int i;
  } in;
};

static void dump(const void *p, size_t n) {
  const unsigned char *b = p;
  for (size_t i = 0; i < n; i++) printf("%02x%s", b[i], i + 1 < n ? " " : "\n");
}

int main(void) {
  struct Header h;
  memset(&h, 0, sizeof h);
  h.version = 4, h.length = 15, h.port = 8080, h.sequence = 0xdeadbeef;
  h.flags = 5, h.window = 0x1abc, h.stamp = 0x123456789abcULL, h.value = -1.5;
  printf("%zu %zu %zu\n", sizeof h, sizeof(union Register), sizeof(struct Odd));
  dump(&h, sizeof h);
  h.sequence++;
  h.window ^= 0x0ff0;
  h.stamp += 0xffff;
  h.value *= 3;
  dump(&h, sizeof h);
  printf("%u %u %u %u %u %u %llx %g\n", h.version, h.length, h.port, h.sequence, h.flags,
         h.window, (unsigned long long)h.stamp, h.value);

  union Register r = {.raw = 0xfedc1234};
  printf("%u %u %d %u\n", r.f.enable, r.f.speed, r.f.trim, r.f.channel);
  printf("%u %u %u\n", r.g.skip, r.g.middle, r.g.rest);
  r.f.trim = -31;
  printf("%08x\n", r.raw);
  r.g.middle = 0x2aaaaa;
  printf("%08x %d %u\n", r.raw, r.f.trim, r.f.channel);
  for (int i = 0; i < 5; i++) r.f.channel = r.f.channel * 3u + 1;
  printf("%08x\n", r.raw);

  struct Odd o[2] = {{1, -2, 3, -4, {5, 6}}, {'x', 1 << 30, 'y', 1L << 40, {-7, 8}}};
  o[1].b += o[0].b;
  o[0].d = o[1].d - o[0].in.i;
  struct Odd copy = o[1];
  o[1].in.i = copy.in.s;
  printf("%d %ld %d %d %c%c\n", o[1].b, o[0].d, o[1].in.i, copy.in.i, copy.a, copy.c);
  return 0;
}
