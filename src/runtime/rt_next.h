/* Functions of the C library that a file of the runtime stands in front of, by a list
 *
 *   #define FUNCTIONS(X) X(size_t, strlen, (const char *)) …
 *   RT_NEXT(FUNCTIONS)
 *
 * which defines what REAL_OF(strlen) needs: the library's own function, found when one is called
 * first, since other libraries may call before the runtime's constructor. */
#ifndef HEDDLE_RUNTIME_RT_NEXT_H
#define HEDDLE_RUNTIME_RT_NEXT_H

#include "runtime/rt.h"

#include <dlfcn.h>
#include <stdbool.h>

#define RT_NEXT_FIELD(type, name, parameters) type(*name) parameters;
#define RT_NEXT_FIND(type, name, parameters)                                             \
  *(void **)&real.name = dlsym(RTLD_NEXT, #name);

#define RT_NEXT(functions)                                                               \
  static struct {                                                                        \
    functions(RT_NEXT_FIELD)                                                             \
  } real;                                                                                \
  static bool found;                                                                     \
  static void find(void) {                                                               \
    functions(RT_NEXT_FIND) __atomic_store_n(&found, true, __ATOMIC_RELEASE);            \
  }

#define REAL_OF(name)                                                                    \
  (__builtin_expect(__atomic_load_n(&found, __ATOMIC_ACQUIRE), 1) ? (void)0 : find(),    \
   real.name)

/* Whether to look at the bytes at all; the answer is no for programs that nobody watches,
 * and then the functions cost one more call. */
#define WATCHED __builtin_expect(rt_accesses, 0)

#endif
