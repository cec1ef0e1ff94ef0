/* What threads, locks and places inside objects are called in reports. */
#include "engine/names.h"

#include <assert.h>

const char *name_of_thread(const Flow *flow, uint32_t thread, Arena *arena) {
  const Program *p = flow->program;
  assert(thread < flow->threads.len);
  if (!flow->threads.data[thread].site) return "main";
  FuncId entry = flow->threads.data[thread].entry;
  if (!entry) return "code outside";
  const char *name = sym_text(p, p->functions.data[entry].name);
  uint32_t same = 0, mine = 0;
  for (uint32_t i = 0; i < flow->threads.len; i++)
    if (flow->threads.data[i].site &&
        flow->threads.data[i].entry == flow->threads.data[thread].entry) {
      same++;
      mine += i <= thread;
    }
  return same > 1 ? arena_printf(arena, "%s#%u", name, mine) : name;
}

/* Appends the member or element path to byte `offset` of a value of `type`. */
typedef enum { ANY_ELEMENT, THIS_ELEMENT } Element;
static void add_path(const Program *p, TypeId type, uint64_t offset, Element element,
                     Str *out) {
  for (int depth = 0; depth < 32; depth++) {
    TypeId plain = type_resolve(p, type);
    if (!plain) return;
    const Type *t = &p->types.data[plain];
    if (t->kind == TYPE_ARRAY) {
      TypeId elem = type_resolve(p, t->elem);
      uint64_t size = elem ? p->types.data[elem].size : 0;
      if (element == THIS_ELEMENT && size)
        str_addf(out, "[%llu]", (unsigned long long)(offset / size));
      else
        str_add(out, "[]");
      type = t->elem;
      offset = size ? offset % size : 0;
      continue;
    }
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) return;
    const Field *found = NULL;
    for (uint32_t i = 0; i < t->field_count && !found; i++) {
      const Field *f = &p->fields.data[t->first_field + i];
      if (f->bit_offset <= offset * 8 && offset * 8 < f->bit_offset + f->bit_size)
        found = f;
    }
    if (!found || str_starts(sym_text(p, found->name), "__"))
      return; /* the inside of the C library's types has no meaning for the user */
    if (found->name) str_addf(out, ".%s", sym_text(p, found->name));
    offset -= found->bit_offset / 8;
    type = found->type;
  }
}

void name_add_address(const Program *p, ObjectId object, uint32_t offset, Str *out) {
  const Object *o = &p->objects.data[object];
  str_addf(out, "&%s", sym_text(p, o->name));
  add_path(p, o->type, offset, THIS_ELEMENT, out);
}

const char *name_of_place(const Program *p, ObjectId object, uint32_t offset,
                          Arena *arena) {
  const Object *o = &p->objects.data[object];
  Str text = {0};
  str_add(&text, object ? sym_text(p, o->name) : "memory from outside");
  if (offset != OFFSET_ANY) add_path(p, o->type, offset, ANY_ELEMENT, &text);
  const char *name = arena_strdup(arena, str_text(&text));
  str_free(&text);
  return name;
}

const char *name_of_lock(const Flow *flow, const FlowLock *lock, Arena *arena) {
  const FlowValue *v = &lock->name;
  if (v->base && !flow_is_symbol(v->base)) {
    const char *name =
        name_of_place(flow->program, flow_base_id(v->base), (uint32_t)v->offset, arena);
    return name;
  }
  return lock->shown ? sym_text(flow->program, lock->shown) : "a lock";
}
