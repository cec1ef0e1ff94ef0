/* Where bit-fields lie in memory: crossing bytes, zero width, mixed types, seen byte by
   byte. */
#include <stdio.h>
#include <string.h>

struct A {
  unsigned a : 3, b : 7, c : 12, d : 10;
};
struct B {
  unsigned char a : 4;
  unsigned char : 0;
  unsigned char b : 4;
  unsigned short c : 9;
  unsigned : 3;
  unsigned e : 5;
};
struct C {
  char tag;
  unsigned x : 24;
  char tail;
  int y : 17;
};
struct D {
  unsigned long long a : 33, b : 31, c : 1, : 20, d : 43;
};
struct E {
  int before;
  unsigned x : 5;
  unsigned : 0;
  unsigned y : 5;
  short after;
};

static void dump(const char *name, const void *p, size_t n) {
  unsigned char bytes[64];
  memcpy(bytes, p, n);
  printf("%s %2zu:", name, n);
  for (size_t i = 0; i < n; i++) printf(" %02x", bytes[i]);
  printf("\n");
}

#define SHOW(x) dump(#x, &x, sizeof x)

int main(void) {
  struct A a;
  memset(&a, 0, sizeof a);
  a.a = 5, a.b = 0x55, a.c = 0xabc, a.d = 0x3ff;
  SHOW(a);
  a.c = 0;
  SHOW(a);
  a.b = 0x7f;
  SHOW(a);

  struct B b;
  memset(&b, 0xff, sizeof b);
  b.a = 1, b.b = 2, b.c = 0x101, b.e = 0;
  SHOW(b);

  struct C c;
  memset(&c, 0, sizeof c);
  c.tag = 'T', c.x = 0x123456, c.tail = 'Z', c.y = -2;
  SHOW(c);
  printf("%c %x %c %d\n", c.tag, c.x, c.tail, c.y);
  c.x++;
  SHOW(c);

  struct D d;
  memset(&d, 0, sizeof d);
  d.a = 0x1deadbeefULL, d.b = 0x7fffffff, d.c = 1, d.d = 0x7ffffffffffULL;
  SHOW(d);
  d.b = 0;
  SHOW(d);

  struct E e;
  memset(&e, 0, sizeof e);
  e.before = -1, e.x = 31, e.y = 17, e.after = 0x0203;
  SHOW(e);
  memset(&e, 0xaa, sizeof e);
  printf("%u %u %d\n", e.x, e.y, e.after);

  static const struct A table[] = {{1, 2, 3, 4}, {7, 127, 4095, 1023}, {.d = 9}};
  SHOW(table);
  return (int)(sizeof(struct B) + sizeof(struct E));
}
