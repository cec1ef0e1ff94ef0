/* Calls of functions that the library table describes: their accesses, allocations and
 * results (model/effect.h). What they write is TOP afterwards. A result that may be NULL
 * by the table may be so here, memory that is asked for included. A function that calls back does so
 * any number of times: the call is taken again after each. */
#include "engine/interleave/machine.h"

static ExprId arg_expr(const Machine *m, const Edge *e, uint32_t arg) {
  return arg < e->arg_count ? vec_at(&m->p->args, e->first_arg + arg)->value : 0;
}

/* How many bytes an effect covers. */
static uint32_t extent_of(Machine *m, const Edge *e, const Effect *x) {
  if (x->extent == EXTENT_BYTES) return x->size;
  if (x->extent != EXTENT_ARG) return SIZE_UNKNOWN;
  ExprId size = arg_expr(m, e, x->size);
  ExprId times = x->times ? arg_expr(m, e, x->times - 1u) : 0;
  if (!size || (x->times && !times)) return SIZE_UNKNOWN;
  AbsValue a = il_eval(m, size), b = times ? il_eval(m, times) : abs_number(1);
  uint64_t scale = x->scale ? x->scale : 1;
  if (!abs_is_number(a) || !abs_is_number(b) || a.num >= UINT32_MAX ||
      b.num >= UINT32_MAX || a.num * b.num >= UINT32_MAX ||
      a.num * b.num * scale >= SIZE_UNKNOWN)
    return SIZE_UNKNOWN;
  return (uint32_t)(a.num * b.num * scale);
}

static uint32_t access_kind(const Effect *x, bool writes) {
  bool synced = (x->flags & EFFECT_SYNCED) && !(x->flags & EFFECT_GLIBC);
  return (writes ? ACCESS_WRITE : ACCESS_READ) | (synced ? ACCESS_SYNCED : 0);
}

static bool is_null(AbsValue v) {
  return abs_is_number(v) && v.num == 0;
}

static Outcome access_arg(Machine *m, const Edge *e, const Effect *x, ExprId expr,
                          uint32_t size) {
  AbsValue address = il_eval(m, expr);
  if (is_null(address) || size == 0) return OUTCOME_NEXT;
  bool writes = x->kind == EFFECT_WRITE;
  (void)e;
  Outcome out = il_memory_resolve(m, address, expr);
  if (out != OUTCOME_NEXT) return out;
  bool anywhere = x->extent == EXTENT_OBJECT || x->extent == EXTENT_VARARGS;
  for (uint32_t i = 0; i < m->places.len && anywhere; i++)
    m->places.data[i].within = true;
  out = il_memory_access(m, size, access_kind(x, writes));
  if (out == OUTCOME_NEXT && writes) il_memory_forget(m, size);
  return out;
}

/* What the library kept of earlier calls: every instance of every object that it may be. */
static Outcome access_kept(Machine *m, const Effect *x) {
  Targets t = pointsto_kept(m->facts->pointsto, x->name);
  bool writes = x->kind == EFFECT_WRITE;
  if (t.unknown) return il_give_up(m, "the library may keep anything");
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    AObjectKind kind = pointsto_object_kind(m->facts->pointsto, t.targets[i].object);
    if (kind != AOBJECT_PROGRAM && kind != AOBJECT_CONTEXT)
      return il_give_up(m, "the library keeps what is not the program's");
    ObjectId object = pointsto_object(m->facts->pointsto, t.targets[i].object);
    for (uint32_t n = 0; n < m->s.instances.len; n++) {
      if (m->s.instances.data[n].object != object || m->s.instances.data[n].dead)
        continue;
      vec_clear(&m->places);
      vec_push(&m->places, (MemPlace){n, 0, true});
      Outcome out = il_memory_access(m, SIZE_UNKNOWN, access_kind(x, writes));
      if (out != OUTCOME_NEXT) return out;
      if (writes) il_memory_forget(m, SIZE_UNKNOWN);
    }
  }
  return OUTCOME_NEXT;
}

static Outcome access_memory(Machine *m, const Edge *e, const Function *f,
                             const Effect *x) {
  if (x->flags & EFFECT_CONTENT)
    return il_give_up(m, "%s follows pointers in memory", sym_text(m->p, f->name));
  if (x->arg == ARG_KEPT) return access_kept(m, x);
  if (x->arg != ARG_VARARGS) {
    ExprId expr = arg_expr(m, e, x->arg);
    return expr ? access_arg(m, e, x, expr, extent_of(m, e, x)) : OUTCOME_NEXT;
  }
  for (uint32_t i = f->param_count; i < e->arg_count; i++) {
    ExprId expr = arg_expr(m, e, i);
    if (program_expr(m->p, expr)->sort != SORT_PTR) continue;
    Outcome out = access_arg(m, e, x, expr, SIZE_UNKNOWN);
    if (out != OUTCOME_NEXT) return out;
  }
  return OUTCOME_NEXT;
}

static ObjectId hidden_object(const Machine *m, const Effect *x) {
  if (x->kind != EFFECT_RETURN_HIDDEN && (x->flags & EFFECT_VARIABLE)) return x->size;
  for (ObjectId o = 1; o < m->p->objects.len; o++)
    if (m->p->objects.data[o].name == x->name &&
        m->p->objects.data[o].kind == OBJECT_LIBRARY)
      return o;
  return 0;
}

/* State that each thread has for itself: nobody else meets it, but its value changes. */
static void forget_own(Machine *m, Sym name) {
  for (ObjectId o = 1; o < m->p->objects.len; o++) {
    const Object *object = &m->p->objects.data[o];
    if (object->name != name || object->kind != OBJECT_TLS) continue;
    vec_clear(&m->places);
    vec_push(&m->places, (MemPlace){il_instance_of(m, o), 0, true});
    il_memory_forget(m, SIZE_UNKNOWN);
  }
}

static Outcome access_hidden(Machine *m, const Edge *e, const Effect *x) {
  if (x->flags & EFFECT_IF_NULL) {
    ExprId expr = arg_expr(m, e, x->arg);
    if (expr && abs_is_address(il_eval(m, expr))) return OUTCOME_NEXT;
  }
  if (x->flags & EFFECT_TLS) {
    if (x->kind == EFFECT_HIDDEN_WRITE) forget_own(m, x->name);
    return OUTCOME_NEXT;
  }
  ObjectId object = hidden_object(m, x);
  if (!object)
    return x->flags & EFFECT_SYNCED && !(x->flags & EFFECT_GLIBC)
               ? OUTCOME_NEXT
               : il_give_up(m, "hidden state of the library is used");
  vec_clear(&m->places);
  vec_push(&m->places, (MemPlace){il_instance_of(m, object), 0, true});
  bool writes = x->kind == EFFECT_HIDDEN_WRITE;
  Outcome out = il_memory_access(m, SIZE_UNKNOWN, access_kind(x, writes));
  if (out == OUTCOME_NEXT && writes) il_memory_forget(m, SIZE_UNKNOWN);
  return out;
}

/* `fails`: the call gives NULL, and what it was to free may live on. */
static Outcome free_arg(Machine *m, const Edge *e, const Effect *x, bool fails) {
  ExprId expr = arg_expr(m, e, x->arg);
  AbsValue address = expr ? il_eval(m, expr) : abs_number(0);
  if (is_null(address)) return OUTCOME_NEXT;
  Outcome out = il_memory_resolve(m, address, expr);
  if (out != OUTCOME_NEXT) return out;
  for (uint32_t i = 0; i < m->places.len; i++) m->places.data[i].within = true;
  out = il_memory_access(m, SIZE_UNKNOWN, ACCESS_WRITE);
  if (out != OUTCOME_NEXT || m->places.len != 1 || abs_is_top(address) || fails)
    return out;
  return il_memory_end(m, m->places.data[0].instance);
}

/* Exactly one pointer is stored at the argument; else it may be anywhere in what is written
 * there. */
static bool stores_first(Machine *m, const Function *f, uint32_t arg) {
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&m->p->effects, f->first_effect + i);
    if (x->kind == EFFECT_WRITE && x->arg == arg)
      return x->extent == EXTENT_BYTES && x->size <= 8;
  }
  return true;
}

static AbsValue store_value(Machine *m, const Edge *e, const Function *f,
                            const Effect *x) {
  ExprId expr = arg_expr(m, e, x->other);
  if (!expr || (x->flags & EFFECT_CONTENT) || !stores_first(m, f, x->arg)) {
    m->s.lost = true;
    return abs_top();
  }
  AbsValue v = il_eval(m, expr);
  if ((x->flags & EFFECT_INSIDE) && abs_tag(v) == ABS_INSTANCE)
    return abs_make(ABS_WITHIN, abs_id(v), 0);
  return v;
}

static Outcome store_arg(Machine *m, const Edge *e, const Function *f, const Effect *x) {
  ExprId to = arg_expr(m, e, x->arg), value = arg_expr(m, e, x->other);
  if (!to || is_null(il_eval(m, to))) return OUTCOME_NEXT;
  uint32_t size = value ? bits_to_bytes(program_expr(m->p, value)->bits) : 8;
  return il_memory_store(m, to, size, ACCESS_WRITE, store_value(m, e, f, x));
}

/* A new object; its address. */
static AbsValue allocate(Machine *m, const Edge *e, const Effect *x) {
  if (!e->aux) {
    m->s.lost = true;
    return abs_top();
  }
  uint32_t size = extent_of(m, e, x);
  bool zeroed = x->flags & EFFECT_ZEROED;
  if (x->other != ARG_NONE) m->s.lost = true; /* contents that are not followed */
  if (size == 0) size = SIZE_UNKNOWN;
  uint32_t made = il_instance_new(m, e->aux, size, zeroed ? DEFAULT_ZERO : DEFAULT_TOP);
  return abs_make(ABS_INSTANCE, made, 0);
}

static Outcome allocate_into(Machine *m, const Edge *e, const Function *f,
                             const Effect *x) {
  ExprId to = arg_expr(m, e, x->arg);
  if (!to || is_null(il_eval(m, to))) return OUTCOME_NEXT;
  AbsValue made = allocate(m, e, x);
  if (!stores_first(m, f, x->arg)) {
    m->s.lost = true;
    made = abs_top();
  }
  return il_memory_store(m, to, 8, ACCESS_WRITE, made);
}

static AbsValue hidden_address(Machine *m, const Effect *x) {
  ObjectId object = hidden_object(m, x);
  if (object && !(x->flags & EFFECT_TLS))
    return abs_make(ABS_INSTANCE, il_instance_of(m, object), 0);
  for (ObjectId o = 1; o < m->p->objects.len; o++)
    if (m->p->objects.data[o].name == x->name &&
        m->p->objects.data[o].kind == OBJECT_TLS) {
      if (o != m->p->errno_object) forget_own(m, x->name);
      return abs_make(ABS_INSTANCE, il_instance_of(m, o), 0);
    }
  return abs_top();
}

static bool is_result(const Effect *x) {
  return x->kind == EFFECT_RETURN_ARG || x->kind == EFFECT_RETURN_HIDDEN ||
         x->kind == EFFECT_RETURN_KEPT || (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE);
}

static AbsValue result_of(Machine *m, const Edge *e, const Effect *x) {
  switch ((EffectKind)x->kind) {
  case EFFECT_ALLOC: return allocate(m, e, x);
  case EFFECT_RETURN_HIDDEN: return hidden_address(m, x);
  case EFFECT_RETURN_ARG: {
    if (x->flags & EFFECT_CONTENT) {
      m->s.lost = true;
      return abs_top();
    }
    ExprId expr = arg_expr(m, e, x->arg);
    AbsValue v = expr ? il_eval(m, expr) : abs_top();
    if ((x->flags & EFFECT_INSIDE) && abs_tag(v) == ABS_INSTANCE)
      return abs_make(ABS_WITHIN, abs_id(v), 0);
    return v;
  }
  default: m->s.lost = true; return abs_top();
  }
}

/* Which of the possible results: the choice is made before anything happens. */
static int choose_result(Machine *m, const Function *f, const Effect **ret_effect,
                         bool *ret_null) {
  unsigned options = 0;
  bool only_refused =
      false; /* what is asked for may be refused, whatever the values are */
  *ret_effect = NULL;
  *ret_null = false;
  for (int pass = 0; pass < 2; pass++) {
    int choice = 0;
    if (pass) {
      bool freely = only_refused && options == 2;
      choice = freely ? machine_choose_freely(m, options) : machine_choose(m, options);
      if (choice < 0) return -1;
    }
    unsigned at = 0;
    for (uint32_t i = 0; i < f->effect_count; i++) {
      const Effect *x = vec_at(&m->p->effects, f->first_effect + i);
      if (!is_result(x)) continue;
      if (pass && at == (unsigned)choice) *ret_effect = x;
      at++;
      if (!(x->flags & EFFECT_MAY_NULL)) continue;
      only_refused = x->kind == EFFECT_ALLOC && at == 1;
      if (pass && at == (unsigned)choice) *ret_null = true;
      at++;
    }
    options = at;
  }
  return 0;
}

static Outcome perform(Machine *m, const Edge *e, const Function *f, const Effect *x,
                       bool fails) {
  switch ((EffectKind)x->kind) {
  case EFFECT_READ:
  case EFFECT_WRITE:
    if ((x->flags & EFFECT_LATER) && x->arg < e->arg_count &&
        !is_null(il_eval(m, arg_expr(m, e, x->arg))))
      return il_give_up(m, "%s uses memory later", sym_text(m->p, f->name));
    return access_memory(m, e, f, x);
  case EFFECT_FREE: return free_arg(m, e, x, fails);
  case EFFECT_STORE: return store_arg(m, e, f, x);
  case EFFECT_ALLOC: return x->arg == ARG_NONE ? OUTCOME_NEXT : allocate_into(m, e, f, x);
  case EFFECT_KEEP: m->s.lost = true; return OUTCOME_NEXT;
  case EFFECT_HIDDEN_READ:
  case EFFECT_HIDDEN_WRITE: return access_hidden(m, e, x);
  case EFFECT_CALL: return OUTCOME_NEXT; /* see call_back */
  case EFFECT_CALL_LATER: {
    ExprId callee = arg_expr(m, e, x->arg);
    if (callee && is_null(il_eval(m, callee))) return OUTCOME_NEXT;
    return il_give_up(m, "%s calls back", sym_text(m->p, f->name));
  }
  default: return OUTCOME_NEXT;
  }
}

/* ---- callbacks ---- */

static const Effect *calling_effect(Machine *m, const Edge *e, const Function *f,
                                    uint32_t *ret_count) {
  const Effect *found = NULL;
  *ret_count = 0;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&m->p->effects, f->first_effect + i);
    ExprId callee = x->kind == EFFECT_CALL ? arg_expr(m, e, x->arg) : 0;
    if (!callee || is_null(il_eval(m, callee))) continue;
    found = x;
    ++*ret_count;
  }
  return found;
}

/* What the callback gets: some place in what the argument points to. */
static AbsValue passed(Machine *m, const Edge *e, uint32_t arg) {
  bool kept = arg == ARG_KEPT || arg == ARG_WITH;
  ExprId expr = kept || arg >= ARG_RETURN ? 0 : arg_expr(m, e, arg);
  AbsValue v = expr ? il_eval(m, expr) : abs_top();
  if (kept) m->s.lost = true;
  if (abs_tag(v) == ABS_INSTANCE) return abs_make(ABS_WITHIN, abs_id(v), 0);
  return abs_is_number(v) && v.num ? abs_top() : v;
}

static Outcome call_back(Machine *m, const Edge *e, const Function *f, const Effect *x) {
  AbsValue callee = il_eval(m, arg_expr(m, e, x->arg)), args[EFFECT_PASS_MAX];
  FuncId function = abs_tag(callee) == ABS_FUNCTION ? abs_id(callee) : 0;
  const Function *g = function ? vec_at(&m->p->functions, function) : NULL;
  if ((x->flags & EFFECT_CONTENT) || !g || !(g->flags & FUNCTION_DEFINED) ||
      (g->flags & FUNCTION_ATOMIC))
    return il_give_up(m, "%s calls back", sym_text(m->p, f->name));
  for (uint32_t i = 0; i < EFFECT_PASS_MAX; i++) args[i] = passed(m, e, x->pass[i]);
  return il_call_enter(m, m->t, function, args, EFFECT_PASS_MAX, FRAME_STARTUP, 0);
}

/* The call reads memory and leaves what it read elsewhere, or in its result: addresses may
 * be hidden there from now on. */
static bool may_move_addresses(const Machine *m, const Edge *e, const Function *f) {
  bool reads = false, leaves = false, named = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&m->p->effects, f->first_effect + i);
    reads = reads || x->kind == EFFECT_READ || x->kind == EFFECT_HIDDEN_READ;
    leaves = leaves || x->kind == EFFECT_WRITE || x->kind == EFFECT_STORE;
    named = named || is_result(x);
  }
  bool address = e->dst && vec_at(&m->p->locals, e->dst)->bits >= 64;
  return (reads && leaves) || (address && !named && !(f->flags & FUNCTION_PURE));
}

Outcome il_library_call(Machine *m, const Edge *e, FuncId callee) {
  const Function *f = vec_at(&m->p->functions, callee);
  Outcome handled;
  if (il_cleanup_call(m, e, callee, &handled)) return handled;
  if (e->arg_count == 1 && sync_repairs(m->p, callee)) {
    handled = il_sync_repair(m, vec_at(&m->p->args, e->first_arg)->value);
    if (handled != OUTCOME_NEXT) return handled;
  }
  if (f->flags & FUNCTION_RETURNS_TWICE)
    return il_give_up(m, "%s may return twice", sym_text(m->p, f->name));
  if ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE))
    return il_give_up(m, "nothing is known about %s", sym_text(m->p, f->name));
  uint32_t callbacks;
  const Effect *result, *calls = calling_effect(m, e, f, &callbacks);
  bool null;
  int again = calls ? machine_choose(m, 2) : 0;
  if (again < 0) return OUTCOME_PAUSE;
  if (callbacks > 1) return il_give_up(m, "%s calls back", sym_text(m->p, f->name));
  if (choose_result(m, f, &result, &null) < 0) return OUTCOME_PAUSE;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    Outcome out = perform(m, e, f, vec_at(&m->p->effects, f->first_effect + i), null);
    if (out != OUTCOME_NEXT) return out;
  }
  if (may_move_addresses(m, e, f)) m->s.lost = true;
  if (again) return call_back(m, e, f, calls);
  AbsValue v = null ? abs_number(0) : result ? result_of(m, e, result) : abs_top();
  il_local_set(m, e->dst, v);
  if (!e->to) return OUTCOME_HALT;
  il_frame_top(m)->node = e->to;
  return OUTCOME_NEXT;
}
