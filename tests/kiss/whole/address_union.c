// assert: open — … also if it is read through a union
#include <assert.h>

static int x;
union U {
  int *p;
  long n;
};
int main(void) {
  union U u;
  u.p = &x;
  assert((u.n & 4096) == 0);
  return 0;
}
