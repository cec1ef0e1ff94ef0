/* Pointers that travel as bytes: copied one by one, assembled from halves, by shifts, through
 * a union, xored. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[9], *slot;

static void copy_bytes(void *to, const void *from, unsigned n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  while (n--) *d++ = *s++;
}

static void copy_index(void *to, const void *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}

static int *halves(int *p) {
  uint32_t low = (uint32_t)(uintptr_t)p, high = (uint32_t)((uintptr_t)p >> 32);
  return (int *)((uintptr_t)high << 32 | low);
}

static int *shifted_bytes(int *p) {
  unsigned char buffer[8];
  uintptr_t v = (uintptr_t)p, back = 0;
  for (int i = 0; i < 8; i++) buffer[i] = (unsigned char)(v >> 8 * i);
  for (int i = 7; i >= 0; i--) back = back << 8 | buffer[i];
  return (int *)back;
}

static int *stored_bytes(int *p) {
  unsigned char buffer[8];
  uintptr_t v = (uintptr_t)p;
  int *back;
  for (int i = 0; i < 8; i++) buffer[i] = (unsigned char)(v >> 8 * i);
  memcpy(&back, buffer, sizeof back);
  return back;
}

static int *through_union(int *p) {
  union {
    int *p;
    uint16_t part[4];
  } u, v;
  u.p = p;
  for (int i = 0; i < 4; i++) v.part[i] = u.part[i];
  return v.p;
}

static int *changed_bytes(int *p) {
  unsigned char buffer[8];
  memcpy(buffer, &p, 8);
  for (int i = 0; i < 8; i++) buffer[i] ^= 0x5a;
  for (int i = 0; i < 8; i++) buffer[i] = (unsigned char)(buffer[i] ^ 0x5a);
  memcpy(&p, buffer, 8);
  return p;
}

static int *xored(int *p, int *q) {
  uintptr_t mix = (uintptr_t)p ^ (uintptr_t)q;
  return (int *)(mix ^ (uintptr_t)q);
}

struct pair {
  uint32_t low, high;
};

static int *in_members(int *p) {
  static struct pair kept;
  kept.low = (uint32_t)(uintptr_t)p;
  kept.high = (uint32_t)((uintptr_t)p >> 32);
  return (int *)((uintptr_t)kept.low + ((uintptr_t)kept.high << 32));
}

static int *by_arguments(unsigned low, unsigned high) {
  return (int *)(((unsigned long)high << 32) + low);
}

int main(void) {
  int *p = &a[1], *q = NULL;
  copy_bytes(&q, &p, sizeof q);
  *q = 1;
  q = NULL;
  p = &a[2];
  copy_index(&q, &p, sizeof q);
  *q = 2;
  *halves(&a[3]) = 3;
  *shifted_bytes(&a[4]) = 4;
  *stored_bytes(&a[5]) = 5;
  *through_union(&a[6]) = 6;
  *changed_bytes(&a[7]) = 7;
  static int c, d, e, f;
  *xored(&d, &c) = 10;
  *in_members(&e) = 11;
  *by_arguments((unsigned)(uintptr_t)&f, (unsigned)((uintptr_t)&f >> 32)) = 12;
  slot = q;
  return *slot - 2;
}
