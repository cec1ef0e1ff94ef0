/* The functions of the C library that the runtime stands in front of.
 *
 * They are the next ones in the search order of the dynamic linker. Condition variables
 * have an old and a new implementation under one name; only the new one is right for
 * programs built in this century. A search in vain would leave its message in the heap, which
 * has the name of the program as it was called: what is allocated later would lie elsewhere in
 * a replay under another name. */
#include "runtime/rt.h"

#include <dlfcn.h>
#include <string.h>

bool rt_real_found;

#define X(type, name, parameters) type(*rt_real_##name) parameters;
RT_REAL_FUNCTIONS(X)
#undef X

static void *find(const char *name) {
  void *found = NULL;
  /* pthread_cond_clockwait came later, and has one. */
  if (__builtin_memcmp(name, "pthread_cond_", 13) == 0 && name[13] != 'c')
    found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return found ? found : dlsym(RTLD_NEXT, name);
}

void rt_find_real(void) {
#define X(type, name, parameters) *(void **)&rt_real_##name = find(#name);
  RT_REAL_FUNCTIONS(X)
#undef X
  rt_real_found = true;
}
