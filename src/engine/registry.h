/* The engines, from cheap to dear: one line each. The commands take names and help from here. */
#ifndef HEDDLE_ENGINE_REGISTRY_H
#define HEDDLE_ENGINE_REGISTRY_H

#include "engine/engine.h"

/* ENGINE(name): src/engine/NAME/ defines `const Engine engine_NAME`; horn shares the folder, and the model, of
 * circ. */
#define ENGINES(ENGINE)                                                                  \
  ENGINE(lockset)                                                                        \
  ENGINE(interleave)                                                                     \
  ENGINE(petri)                                                                          \
  ENGINE(circ)                                                                           \
  ENGINE(horn)                                                                           \
  ENGINE(hunt)                                                                           \
  ENGINE(kiss)

/* "lockset|interleave|…", for options. */
#define ENGINE_WORD(name) "|" #name
#define ENGINE_WORDS      (&(ENGINES(ENGINE_WORD))[1])

enum {
#define ENGINE(name) ENGINE_AT_##name,
  ENGINES(ENGINE)
#undef ENGINE
      ENGINE_COUNT
};

/* In the order above; ends with NULL. */
extern const Engine *const engine_registry[ENGINE_COUNT + 1];

#endif
