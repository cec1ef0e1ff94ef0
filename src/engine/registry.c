/* See registry.h. */
#include "engine/registry.h"

#define ENGINE(name) extern const Engine engine_##name;
ENGINES(ENGINE)
#undef ENGINE

const Engine *const engine_registry[ENGINE_COUNT + 1] = {
#define ENGINE(name) &engine_##name,
    ENGINES(ENGINE)
#undef ENGINE
};
