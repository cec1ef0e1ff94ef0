/* See property.h. */
#include "verdict/property.h"

#define ROW(id, ...) [PROPERTY_##id] = {__VA_ARGS__},
const PropertyInfo property_table[PROPERTY_COUNT] = {PROPERTIES(ROW)};

const char *property_text(Property p) {
  return p < PROPERTY_COUNT ? property_table[p].word : "unknown";
}
