/* Bit-fields: signed and unsigned, wrapping, increments, compound assignment, promotion.
   */
#include <stdio.h>

struct Flags {
  unsigned ready : 1;
  unsigned mode : 3;
  int level : 4;
  unsigned count : 10;
  signed int delta : 7;
  _Bool ok : 1;
  unsigned long long wide : 40;
  long long sw : 37;
};

static struct Flags make(unsigned mode, int level) {
  struct Flags f = {.mode = mode & 7, .level = level};
  return f;
}

static int sum(struct Flags f) {
  return (int)(f.ready + f.mode) + f.level + (int)f.count + f.delta;
}

int main(void) {
  struct Flags f = {0};
  for (int i = 0; i < 20; i++) {
    f.mode++;
    f.count += 100;
    f.ready ^= 1;
    printf("%u%u%u ", f.ready, f.mode, f.count);
  }
  printf("\n");
  for (int i = -8; i < 8; i++) {
    f.level = i;
    printf("%d ", f.level * 3);
  }
  f.delta = -64;
  printf("\n%d %d\n", f.delta, f.delta - 1 < 0);
  f.delta = 63;
  f.ok = 256 != 0;
  printf("%d %d %d\n", f.delta, f.ok, f.ok + f.ok);
  f.wide = 0xffffffffffULL;
  f.wide++;
  printf("%llu\n", (unsigned long long)f.wide);
  f.wide -= 1;
  printf("%llx\n", (unsigned long long)f.wide);
  f.sw = -(1LL << 36);
  printf("%lld ", (long long)f.sw);
  f.sw >>= 3;
  printf("%lld\n", (long long)f.sw);

  unsigned old = f.count--;
  unsigned now = --f.count;
  printf("%u %u %u\n", old, now, f.count);
  printf("%d\n", (f.mode = 13 & 7) + 1);
  printf("%d\n", ~f.ready == -1 - (int)f.ready);
  struct Flags g = make(6, -3), h = g;
  h.level--;
  printf("%d %d %d %zu\n", sum(g), sum(h), g.level - h.level, sizeof g);
  struct Flags row[3] = {{1, 2, 3}, {.count = 1023}, {.delta = -1, .ok = 1}};
  struct Flags *p = row;
  int total = 0;
  while (p < row + 3) total += sum(*p++);
  printf("%d\n", total);
  row[1].count <<= 3;
  row[2].delta /= 2;
  row[0].mode |= 5;
  printf("%u %d %u\n", row[1].count, row[2].delta, row[0].mode);
  return 0;
}
