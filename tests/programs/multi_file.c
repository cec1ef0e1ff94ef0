/* Three files: extern data, the same static names in each, inline functions, tentative
   definitions. */
#include "multi_file.extra/shared.h"
#include <stdio.h>

static int hidden = 1;
static int step(void) {
  return hidden += 1;
}

int tentative;
int counted = 3;

int main(void) {
  printf("%d %d %d\n", step(), left_step(), right_step());
  printf("%d %d %d\n", step(), left_step(), right_step());
  for (unsigned i = 0; i < table_size; i++)
    printf("%s=%d ", table[i].name, table[i].fn(10));
  printf("\n");
  struct Pair p = make_pair(4, 5);
  p = swap_pair(p);
  printf("%d %d %d\n", p.a, p.b, twice(p.a));
  tentative += 2;
  counted *= 7;
  printf("%d %d\n", left_tentative(), right_counted());
  buffer[3] = 'x';
  printf("%s\n", right_buffer());
  printf("%d\n", hook ? hook(6) : -1);
  left_install();
  printf("%d\n", hook ? hook(6) : -1);
  return left_step() + right_step();
}
