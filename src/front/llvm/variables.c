/* Variables that the library shares with the program: environ, optind, tzname, stdout.
 *
 * The program declares them, the library defines them, and rules say which functions read
 * and write them (`writes variable optind`). Such an effect belongs to the program's own
 * object, so that a thread that looks at optind meets one that calls getopt. Where the
 * program does not declare the variable nobody else can meet the effect, and it is left out.
 *
 * Some have several names in glibc: they are one object. */
#include "front/llvm/internal.h"

static const char *const second_names[][2] = {
    {"environ", "__environ"},
    {"environ", "_environ"},
    {"tzname", "__tzname"},
    {"timezone", "__timezone"},
    {"daylight", "__daylight"},
    {"program_invocation_name", "__progname_full"},
    {"program_invocation_short_name", "__progname"},
};

enum { SECOND_NAMES = sizeof second_names / sizeof *second_names };

static bool is_external(LLVMValueRef global) {
  return global && !LLVMGetInitializer(global) && !LLVMIsThreadLocal(global);
}

LLVMValueRef variable_find(Translator *t, const char *name) {
  LLVMValueRef found = LLVMGetNamedGlobal(t->module, name);
  for (int i = 0; i < SECOND_NAMES && !is_external(found); i++)
    if (str_eq(second_names[i][0], name))
      found = LLVMGetNamedGlobal(t->module, second_names[i][1]);
  return is_external(found) ? found : NULL;
}

LLVMValueRef variable_same(Translator *t, LLVMValueRef global) {
  const char *name = plain_name(global);
  for (int i = 0; i < SECOND_NAMES; i++)
    if (str_eq(second_names[i][1], name) && variable_find(t, second_names[i][0]))
      return variable_find(t, second_names[i][0]);
  return global;
}

void variables_link(Translator *t) {
  for (uint32_t i = 1; i < t->p->effects.len; i++) {
    Effect *e = &t->p->effects.data[i];
    bool hidden = e->kind == EFFECT_HIDDEN_READ || e->kind == EFFECT_HIDDEN_WRITE;
    if (!hidden || !(e->flags & EFFECT_VARIABLE)) continue;
    LLVMValueRef global = variable_find(t, sym_text(t->p, e->name));
    e->size = (uint32_t)map_find(&t->objects, map_key(global), 0);
  }
}
