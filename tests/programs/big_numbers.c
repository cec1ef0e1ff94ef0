/* Long arithmetic on arrays of digits: factorials, powers, Fibonacci, division, decimal
   output. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 24 };
typedef struct {
  uint32_t d[LIMBS];
  int n;
} Big;

static Big from(uint32_t v) {
  return (Big){{v}, v != 0};
}

static Big mul_small(Big a, uint32_t k) {
  uint64_t carry = 0;
  for (int i = 0; i < a.n; i++) {
    carry += (uint64_t)a.d[i] * k;
    a.d[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) a.d[a.n++] = (uint32_t)carry;
  return a;
}

static Big add(Big a, const Big *b) {
  uint64_t carry = 0;
  int n = a.n > b->n ? a.n : b->n;
  for (int i = 0; i < n || carry; i++) {
    carry += (uint64_t)a.d[i] + b->d[i];
    a.d[i] = (uint32_t)carry;
    carry >>= 32;
    if (i + 1 > a.n) a.n = i + 1;
  }
  return a;
}

static Big mul(const Big *a, const Big *b) {
  Big r = {{0}, 0};
  for (int i = 0; i < a->n; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < b->n || carry; j++) {
      carry += r.d[i + j] + (uint64_t)a->d[i] * (j < b->n ? b->d[j] : 0);
      r.d[i + j] = (uint32_t)carry;
      carry >>= 32;
      if (i + j + 1 > r.n) r.n = i + j + 1;
    }
  }
  return r;
}

static uint32_t div_small(Big *a, uint32_t k) {
  uint64_t rest = 0;
  for (int i = a->n; i-- > 0;) {
    rest = rest << 32 | a->d[i];
    a->d[i] = (uint32_t)(rest / k);
    rest %= k;
  }
  while (a->n && !a->d[a->n - 1]) a->n--;
  return (uint32_t)rest;
}

static void show(const char *name, Big a) {
  char out[256];
  size_t at = sizeof out - 1;
  out[at] = 0;
  do {
    uint32_t part = div_small(&a, 1000000000);
    for (int i = 0; i < 9 && (a.n || part); i++, part /= 10)
      out[--at] = (char)('0' + part % 10);
  } while (a.n);
  printf("%s = %s\n", name, out[at] ? out + at : "0");
}

int main(void) {
  Big f = from(1);
  for (uint32_t i = 2; i <= 60; i++) f = mul_small(f, i);
  show("60!", f);
  Big a = from(0), b = from(1);
  for (int i = 0; i < 300; i++) {
    Big t = add(a, &b);
    a = b;
    b = t;
  }
  show("fib 300", a);
  Big p = from(7);
  for (int i = 0; i < 6; i++) p = mul(&p, &p);
  show("7^64", p);
  printf("%u %u %u\n", div_small(&f, 997), div_small(&p, 1000003), div_small(&a, 2));
  show("zero", from(0));
  return 0;
}
