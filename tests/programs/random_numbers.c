/* The generators of the C library with fixed seeds: rand, rand_r, random, drand48. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 5; i++) printf("%d ", rand());
  printf("\n");
  srand(42);
  for (int i = 0; i < 5; i++) printf("%d ", rand() % 1000);
  printf("\n");
  unsigned state = 7;
  for (int i = 0; i < 5; i++) printf("%d ", rand_r(&state));
  printf("\n");
  srandom(99);
  for (int i = 0; i < 5; i++) printf("%ld ", random());
  printf("\n");
  srand48(5);
  for (int i = 0; i < 3; i++) printf("%.6f ", drand48()), printf("%ld ", lrand48());
  unsigned short x[3] = {1, 2, 3};
  printf("\n%.6f ", erand48(x));
  printf("%ld\n", nrand48(x));
  int bins[6] = {0};
  srand(1);
  for (int i = 0; i < 600; i++) bins[rand() % 6]++;
  for (int i = 0; i < 6; i++) printf("%d ", bins[i]);
  printf("\n");
  return 0;
}
