/* What other threads can notice, and the switch before it.
 *
 * A step that touches only what its own thread knows commutes with the steps of all others: no
 * thread needs to start or to be abandoned right before it. So the switch of the paper's figure 4
 * stands only before accesses to objects that several threads reach, before synchronisation, and
 * before the end of the program. With a distinguished location it is the one of figure 5: for each
 * access that may touch the location, the thread may also stand still before it, after a check
 * against those who stand before another one. */
#include "seqc/emit.h"

#include "analysis/sharing.h"
#include "analysis/touch.h"
#include "base/mem.h"
#include "model/op_access.h"

#include <string.h>

/* ---- sharing ---- */

void seqc_find_shared(Seqc *s) {
  Sharing *sharing = sharing_new(s->program, s->pointsto);
  s->object_shared = mem_alloc_zero(s->program->objects.len + 1);
  for (AObject i = 1; i < pointsto_object_count(s->pointsto); i++) {
    ObjectId id = pointsto_object(s->pointsto, i);
    if (id && !sharing_is_private(sharing, i)) s->object_shared[id] = 1;
  }
  for (ObjectId i = 1; i < s->program->objects.len; i++)
    if (s->program->objects.data[i].flags & OBJECT_CONSTANT) s->object_shared[i] = 0;
  sharing_free(sharing);
}

static bool is_shared_address(const Seqc *s, ExprId address) {
  Targets t = pointsto_expr(s->pointsto, address);
  if (t.unknown || !t.count) return true;
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    ObjectId id = pointsto_object(s->pointsto, t.targets[i].object);
    if (!id || s->object_shared[id]) return true;
  }
  return false;
}

typedef struct {
  const Seqc *s;
  bool stdio, shared;
} Look;

static void look_at_touch(void *user, const Touch *touch) {
  Look *look = user;
  const Program *p = look->s->program;
  if (touch->key == 0 || touch->key >= p->objects.len) {
    look->shared = true;
    return;
  }
  if (touch->key == p->errno_object) return; /* each thread has its own */
  const Object *o = &p->objects.data[touch->key];
  if (o->kind == OBJECT_LIBRARY ? !look->stdio : look->s->object_shared[touch->key])
    look->shared = true;
}

static bool is_noticed_call(Seqc *s, EdgeId edge) {
  const FuncId *callees;
  uint32_t count = pointsto_callees(s->pointsto, edge, &callees);
  Look look = {s, true, false};
  bool library = false;
  for (uint32_t i = 0; i < count; i++) {
    const Function *f = seqc_function(s, callees[i]);
    if (f->flags & FUNCTION_DEFINED) continue;
    const char *header = seqc_library_header(sym_text(s->program, f->name));
    library = true;
    if (!header || !str_eq(header, "stdio.h")) look.stdio = false;
  }
  if (library) touch_visit(s->program, s->pointsto, edge, look_at_touch, &look);
  return look.shared;
}

bool seqc_is_noticed(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  if (e->op == OP_CALL) return is_noticed_call(s, edge);
  if (e->op == OP_RETURN || e->op == OP_UNREACHABLE || e->op == OP_FENCE ||
      e->op == OP_ATOMIC_END)
    return false;
  if (e->op == OP_EXIT) return true;
  if (!op_has(e->op, OP_INNER) && !op_has(e->op, OP_ORDERED)) return true;
  OpAccess accesses[OP_ACCESS_MAX];
  uint32_t count = op_accesses(s->program, e, accesses);
  for (uint32_t i = 0; i < count; i++)
    if (is_shared_address(s, accesses[i].address)) return true;
  return false;
}

/* ---- checks of the distinguished location ---- */

/* The access, of so many bytes (0: any number), may touch the location. */
static bool concerns(const Seqc *s, ExprId address, uint32_t size) {
  if (!s->place.object) return false;
  Targets t = pointsto_expr(s->pointsto, address);
  if (t.unknown) return true;
  for (uint32_t i = 0; i < t.count; i++) {
    AObject object = t.targets[i].object;
    if (t.targets[i].function || pointsto_object(s->pointsto, object) != s->place.object)
      continue;
    PlaceExtent touched =
        pointsto_extent(s->pointsto, object, t.targets[i].offset, size, false);
    PlaceExtent place = pointsto_extent(s->pointsto, object, s->place.offset,
                                        (uint32_t)s->place.size, true);
    if (touched.from < place.to && place.from < touched.to) return true;
  }
  return false;
}

static const char *check_name(uint8_t kind) {
  bool atomic = kind & OP_ATOMIC;
  return kind & OP_WRITES ? (atomic ? "check_atomic_w" : "check_w")
                          : (atomic ? "check_atomic_r" : "check_r");
}

static void put_check(Seqc *s, const Edge *e, const OpAccess *a) {
  char *address = seqc_value(s, a->address);
  char *bytes = a->size ? str_printf("%u", a->size) : seqc_value(s, a->count);
  if (e->op == OP_CMPXCHG) {
    /* one that fails only reads */
    char *expected = seqc_value(s, e->b);
    const Expr *b = program_expr(s->program, e->b);
    const char *view = b->sort == SORT_PTR ? "mpointer"
                       : e->size == 8      ? "m64"
                       : e->size == 4      ? "m32"
                       : e->size == 2      ? "m16"
                                           : "m8";
    seqc_line(
        s,
        "if (STANDS(*(%s *)(%s) == (%s) ? check_atomic_w(%s, %s) : check_atomic_r(%s, %s)))",
        view, address, expected, address, bytes, address, bytes);
    mem_free(expected);
  } else {
    seqc_line(s, "if (STANDS(%s(%s, %s)))", check_name(a->kind), address, bytes);
  }
  seqc_line(s, "  %s", seqc_leave(s));
  mem_free(address);
  mem_free(bytes);
}

/* How many bytes an effect covers; NULL where that is not exact. */
static char *extent_bytes(Seqc *s, const Edge *e, const Effect *f, const char *address) {
  const Arg *args = &s->program->args.data[e->first_arg];
  switch ((Extent)f->extent) {
  case EXTENT_BYTES: return str_printf("%u", f->size);
  case EXTENT_ARG: {
    if (f->size >= e->arg_count || (f->times && f->times - 1u >= e->arg_count))
      return NULL;
    char *size = seqc_value(s, args[f->size].value);
    char *times = f->times ? seqc_value(s, args[f->times - 1].value) : str_dup("1");
    char *all =
        str_printf("(uint64_t)(%s) * (%s) * %u", size, times, f->scale ? f->scale : 1u);
    mem_free(size);
    mem_free(times);
    return all;
  }
  case EXTENT_STRING:
    return f->size || f->kind != EFFECT_READ ? NULL
                                             : str_printf("strlen(%s) + 1", address);
  case EXTENT_OBJECT:
  case EXTENT_VARARGS: break;
  }
  return NULL;
}

static void put_effect(Seqc *s, const Edge *e, const Effect *f, bool *begun) {
  if (f->kind != EFFECT_READ && f->kind != EFFECT_WRITE && f->kind != EFFECT_FREE) return;
  if (f->arg >= e->arg_count || !effect_is_possible(s->program, e, f)) return;
  ExprId argument = s->program->args.data[e->first_arg + f->arg].value;
  if (!concerns(s, argument, 0)) return;
  if (!*begun) seqc_line(s, "schedule();");
  *begun = true;
  char *address = seqc_value(s, argument);
  if (f->kind == EFFECT_FREE) {
    seqc_line(s, "if (STANDS(check_free(%s))) %s", address, seqc_leave(s));
  } else {
    char *bytes = extent_bytes(s, e, f, address);
    uint8_t kind = (uint8_t)((f->kind == EFFECT_READ ? OP_READS : OP_WRITES) |
                             (f->flags & EFFECT_SYNCED ? OP_ATOMIC : 0));
    if (bytes)
      seqc_line(s, "if (STANDS(%s(%s, %s))) %s", check_name(kind), address, bytes,
                seqc_leave(s));
    mem_free(bytes);
  }
  mem_free(address);
}

static bool check_call(Seqc *s, EdgeId edge) {
  const FuncId *callees;
  uint32_t count = pointsto_callees(s->pointsto, edge, &callees);
  bool begun = false;
  for (uint32_t i = 0; i < count; i++) {
    const Function *f = seqc_function(s, callees[i]);
    if (f->flags & FUNCTION_DEFINED || count > 1) continue;
    for (uint32_t k = 0; k < f->effect_count; k++)
      put_effect(s, program_edge(s->program, edge),
                 &s->program->effects.data[f->first_effect + k], &begun);
  }
  return begun;
}

static bool check_accesses(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  OpAccess accesses[OP_ACCESS_MAX];
  uint32_t count = op_accesses(s->program, e, accesses);
  bool begun = false;
  for (uint32_t i = 0; i < count; i++) {
    /* who waits is not about to write its result */
    if (op_has(e->op, OP_BLOCKS) && !(accesses[i].kind & OP_OBJECT)) continue;
    if (!concerns(s, accesses[i].address, accesses[i].size)) continue;
    if (!begun) seqc_line(s, "schedule();");
    begun = true;
    put_check(s, e, &accesses[i]);
  }
  return begun;
}

void seqc_switch(Seqc *s, EdgeId edge) {
  bool checked = program_edge(s->program, edge)->op == OP_CALL ? check_call(s, edge)
                                                               : check_accesses(s, edge);
  if (!checked) seqc_line(s, "if (SWITCH()) %s", seqc_leave(s));
}
