// assert: open — a loop of 12 turns at most
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 12) return 0;
  for (int i = 0; i < n; i++) s++;
  assert(s < 12);
  return 0;
}
