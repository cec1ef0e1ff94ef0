/* A member beside bit-fields that is shifted, widened and masked without being one. */
#include <stdio.h>

struct t {
  unsigned m : 1, j : 31;
  unsigned k;
};

static struct t h = {1, 2, 3};

static unsigned long shifted(const struct t *p) { return (unsigned long)(p->k << 3); }
static unsigned long widened(const struct t *p) { return (unsigned long)(p->k >> 1) + 1; }
static int chosen(const struct t *p) { return (p->k << 2) > 4 ? (int)(p->k & 1) : -1; }
static unsigned given(const struct t *p) { return __builtin_popcount(p->k << 1) | p->j; }

int main(void) {
  printf("%lu %lu %d %u\n", shifted(&h), widened(&h), chosen(&h), given(&h));
  return 0;
}
