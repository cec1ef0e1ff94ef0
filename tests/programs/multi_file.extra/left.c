/* The left part: owns the hook and one step counter. */
#include "shared.h"

static int hidden = 100;
static int step(void) {
  return hidden += 10;
}
int left_step(void) {
  return step();
}

extern int tentative;
int left_tentative(void) {
  return twice(tentative);
}

int (*hook)(int);
static int cube(int v) {
  return v * v * v;
}
void left_install(void) {
  hook = cube;
}
struct Pair make_pair(int a, int b) {
  return (struct Pair){a, b};
}
