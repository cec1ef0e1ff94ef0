/* The program model as a whole: its release and the few look-ups that need no index. */
#include "model/program.h"

#include <string.h>

#include <sys/mman.h>

void program_free(Program *program) {
  if (!program) return;
  if (program->mapping) {
    munmap(program->mapping, program->mapping_size);
  } else {
#define TABLE(name) vec_free(&program->name);
    PROGRAM_TABLES(TABLE)
#undef TABLE
  }
  *program = (Program){0};
}

FuncId program_find_function(const Program *program, const char *name) {
  FuncId declared = 0;
  for (FuncId f = 1; f < program->functions.len; f++) {
    const Function *function = &program->functions.data[f];
    if (strcmp(sym_text(program, function->name), name) != 0) continue;
    if (function->flags & FUNCTION_DEFINED) return f;
    if (!declared) declared = f;
  }
  return declared;
}

/* The length of a function's name without what a copy was made for. */
static size_t original_length(const char *name) {
  return strcspn(name, "(");
}

bool program_function_is(const Program *program, FuncId function, const char *name) {
  const char *own = sym_text(program, vec_at(&program->functions, function)->name);
  size_t length = original_length(own);
  return !strcmp(own, name) || (strlen(name) == length && !memcmp(own, name, length));
}

TypeId type_resolve(const Program *program, TypeId type) {
  while (program->types.data && program->types.data[type].kind == TYPE_ALIAS)
    type = program->types.data[type].elem;
  return type;
}

bool program_accepts(const Program *p, const char *name, bool function) {
  for (uint32_t i = 1; i < p->accepts.len; i++) {
    const char *accepted = sym_text(p, p->accepts.data[i].name);
    size_t length = strlen(accepted);
    bool star = length && accepted[length - 1] == '*';
    if (p->accepts.data[i].function != function) continue;
    if (star ? !strncmp(accepted, name, length - 1) : !strcmp(accepted, name))
      return true;
    if (function && original_length(name) == length && !memcmp(accepted, name, length))
      return true;
  }
  return false;
}
