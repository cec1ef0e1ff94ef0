/* Large objects: arrays of hundreds of kilobytes on the stack and in globals, copied as
   structs. */
#include <stdio.h>
#include <string.h>

struct Page {
  unsigned char b[4096];
};
static struct Page pages[16];
static int big[20000];

static unsigned sum(struct Page p) {
  unsigned s = 0;
  for (unsigned i = 0; i < sizeof p.b; i += 64) s = s * 31 + p.b[i];
  return s;
}

static long local(int n) {
  long v[8000];
  memset(v, 0, sizeof v);
  for (int i = 0; i < 8000; i += 97) v[i] = i * n;
  long s = 0;
  for (int i = 0; i < 8000; i += 97) s += v[i];
  return n ? s + local(n - 1) : s;
}

int main(void) {
  for (int i = 0; i < 16; i++) memset(pages[i].b, i * 3 + 1, sizeof pages[i].b);
  struct Page copy = pages[5];
  copy.b[64] = 200;
  pages[6] = copy;
  printf("%u %u %u\n", sum(pages[5]), sum(pages[6]), sum(copy));
  for (int i = 0; i < 20000; i += 13) big[i] = i;
  memmove(big + 100, big, 10000 * sizeof *big);
  long s = 0;
  for (int i = 0; i < 20000; i += 7) s += big[i];
  printf("%ld\n", s);
  printf("%ld\n", local(5));
  return memcmp(&pages[5], &pages[6], sizeof pages[5]) != 0;
}
