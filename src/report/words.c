/* See words.h. */
#include "report/words.h"

#include "base/str.h"

const char *word_verb(const FoundAccess *a) {
  static const struct {
    const char *kind, *verb;
  } verbs[] = {{"read", "reads"},
               {"write", "writes"},
               {"atomic read", "reads (atomically)"},
               {"atomic write", "writes (atomically)"},
               {"free", "frees"},
               {"lock", "waits for the lock"},
               {"wait", "waits for the condition"},
               {"barrier_wait", "waits at the barrier"},
               {"sem_wait", "waits for the semaphore"},
               {"join", "waits for the end of"},
               {"once", "waits for the first run of"},
               {"sleep", "sleeps"},
               {"assert", "fails the assertion"}};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (str_eq(a->kind, verbs[i].kind)) return verbs[i].verb;
  return a->kind;
}

const char *word_thing(const FoundAccess *a) {
  const char *words = a->place.words;
  return words && *words ? words : a->object ? a->object : "";
}

bool word_same_cause(const Finding *a, const Finding *b) {
  return a->property == PROPERTY_RACE && b->property == a->property &&
         a->verdict == b->verdict && place_compare(&a->declared, &b->declared) == 0 &&
         str_eq(a->name, b->name);
}
