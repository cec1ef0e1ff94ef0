/* How often a random test repeats itself. HEDDLE_ROUNDS multiplies it (`tests/run --slow` and the
 * long targets of the Makefile set it). The sanitizers look for other defects than wrong answers
 * and take ten times as long: they get a fifth. */
#ifndef HEDDLE_TESTS_UNIT_ROUNDS_H
#define HEDDLE_TESTS_UNIT_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t rounds(uint32_t usual) {
  const char *text = getenv("HEDDLE_ROUNDS");
  if (text) usual *= (uint32_t)strtoul(text, NULL, 10);
#ifdef __SANITIZE_ADDRESS__
  usual = usual / 5 + 1;
#endif
  return usual;
}

#endif
