/* The right part: owns the table and the buffer. */
#include "shared.h"

static int hidden = -5;
static int step(void) {
  return hidden -= 5;
}
int right_step(void) {
  return step();
}
int right_counted(void) {
  return counted;
}

char buffer[16] = "abcdef";
const char *right_buffer(void) {
  return buffer;
}

static int half(int v) {
  return v / 2;
}
const struct Entry table[] = {{"half", half}, {"twice", twice}};
const unsigned table_size = sizeof table / sizeof *table;
struct Pair swap_pair(struct Pair p) {
  return (struct Pair){p.b, p.a};
}
