/* Functions without a body that the library table describes: what their effects do to
 * pointers.
 *
 * Pointers move only as the effects say: stored, kept, returned, passed to callbacks, and
 * copied where a function reads and writes ranges of the same length (memcpy and its
 * relatives) or sorts. State inside of the library and structures that it builds hold
 * pointers from outside. */
#include "analysis/pointsto_internal.h"

typedef struct {
  EdgeId edge;
  const Edge *e;
  FuncId function;
  const Effect *effects;
  uint32_t count;
} LibraryCall;

static LibraryCall library_of(const Solver *s, EdgeId edge, FuncId function) {
  const Function *f = vec_at(&s->p->functions, function);
  return (LibraryCall){
      .edge = edge,
      .e = program_edge(s->p, edge),
      .function = function,
      .effects = f->effect_count ? vec_at(&s->p->effects, f->first_effect) : NULL,
      .count = f->effect_count};
}

/* The program declares a variable of the library that has this name (environ, optarg): what is
 * kept there can be found without asking the library, and the other way round. */
static ObjectId declared(const Solver *s, Sym name) {
  const Program *p = s->p;
  for (ObjectId o = 1; o < p->objects.len; o++)
    if ((p->objects.data[o].flags & OBJECT_EXTERNAL) &&
        strcmp(sym_text(p, p->objects.data[o].name), sym_text(p, name)) == 0)
      return o;
  return 0;
}

/* An effect that says what the variable itself holds: pointers that it finds in memory, as
 * getopt does in argv. Others keep what the library finds by way of the variable. */
static bool fills(const Program *p, const Effect *x, ObjectId variable) {
  return x->kind == EFFECT_KEEP && (x->flags & EFFECT_CONTENT) &&
         strcmp(sym_text(p, x->name), sym_text(p, p->objects.data[variable].name)) == 0;
}

bool pt_object_is_kept(const Solver *s, ObjectId object) {
  const Program *p = s->p;
  for (uint32_t i = 1; i < p->effects.len; i++)
    if (fills(p, &p->effects.data[i], object)) return true;
  return false;
}

static NodeNo kept_node(Solver *s, Sym name) {
  uint64_t known = map_find(&s->kept, name, 0);
  if (known) return (NodeNo)known;
  if (strcmp(sym_text(s->p, name), "outside") == 0) return s->escaped;
  NodeNo node = pt_node_new(s, 1);
  map_put(&s->kept, name, node);
  ObjectId variable = declared(s, name);
  if (variable && !pt_object_is_kept(s, variable)) {
    pt_node_copy(s, node, s->escaped);
  } else if (variable) {
    pt_node_copy(s, node, pt_object_any(s, variable));
    pt_node_copy(s, pt_object_all(s, variable), node);
  }
  return node;
}

/* A callback and what it is called with are kept as a pair. */
NodeNo pt_given_node(Solver *s, Sym name, FuncId function) {
  uint64_t known = map_find(&s->kept_with, pair_key(name, function), 0);
  if (known) return (NodeNo)known;
  NodeNo node = pt_node_new(s, 1);
  map_put(&s->kept_with, pair_key(name, function), node);
  if (function) pt_node_copy(s, pt_given_node(s, name, 0), node);
  return node;
}

static ExprId argument_expr(const Solver *s, const LibraryCall *c, uint32_t i) {
  return i < c->e->arg_count && c->e->op == OP_CALL
             ? vec_at(&s->p->args, c->e->first_arg + i)->value
             : 0;
}

static NodeNo argument(Solver *s, const LibraryCall *c, uint32_t i) {
  ExprId e = argument_expr(s, c, i);
  return e ? pt_expr_node(s, e) : 0;
}

AObject pt_hidden_object(Solver *s, Sym name, uint32_t size) {
  uint64_t known = map_find(&s->hidden, name, 0);
  if (known) return (AObject)known;
  AObject object = pt_object_new(s, AOBJECT_HIDDEN, 0, false, size ? size : 1);
  s->objects.data[object].name = name;
  s->objects.data[object].library = size >= 8;
  map_put(&s->hidden, name, object);
  if (size >= 8) pt_object_escape(s, object);
  return object;
}

/* ---- ranges ---- */

static bool same_extent(const Effect *a, const Effect *b) {
  return a->extent == EXTENT_ARG && b->extent == EXTENT_ARG && a->size == b->size &&
         a->times == b->times && a->scale == b->scale;
}

static uint32_t extent_bytes(const Solver *s, const LibraryCall *c, const Effect *x) {
  ExprId size = argument_expr(s, c, x->size);
  uint32_t n = size && !x->times ? pt_constant_size(s, size) : UINT32_MAX;
  if (n == UINT32_MAX || !x->scale) return n;
  return (uint64_t)n * x->scale < UINT32_MAX ? n * x->scale : UINT32_MAX;
}

/* The length of an element where the extent is a number of them: the second factor as a
 * rule (qsort), else the one that is constant. 0: unknown. */
static uint32_t element_bytes(const Solver *s, const LibraryCall *c, const Effect *x) {
  if (x->extent != EXTENT_ARG || !x->times) return 0;
  ExprId second = argument_expr(s, c, x->times - 1u),
         first = argument_expr(s, c, x->size);
  uint32_t bytes = second ? pt_constant_size(s, second) : UINT32_MAX;
  if (bytes == UINT32_MAX && first) bytes = pt_constant_size(s, first);
  return bytes == UINT32_MAX ? 0 : bytes;
}

static void copy_range(Solver *s, const LibraryCall *c, const Effect *read,
                       const Effect *write) {
  AObject buffer = pt_copy_buffer(s, c->edge, 1);
  Use use = {.kind = USE_COPY_FROM, .object = buffer, .size = extent_bytes(s, c, read)};
  pt_node_use(s, argument(s, c, read->arg), use);
  use.kind = USE_COPY_TO;
  pt_node_use(s, argument(s, c, write->arg), use);
}

/* The bytes of a pointer may be in a text, which is copied. */
static void copy_string(Solver *s, const LibraryCall *c, const Effect *read,
                        const Effect *write) {
  bool copies = read->extent == EXTENT_STRING && read->arg != write->arg &&
                (write->extent == EXTENT_STRING || write->extent == EXTENT_ARG);
  if (!copies) return;
  AObject buffer = pt_copy_buffer(s, c->edge, 4);
  Use use = {.kind = USE_COPY_FROM, .object = buffer, .size = STRING_BYTES};
  pt_node_use(s, argument(s, c, read->arg), use);
  use.kind = USE_COPY_TO;
  pt_node_use(s, argument(s, c, write->arg), use);
}

static bool calls_back(const LibraryCall *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->effects[i].kind == EFFECT_CALL) return true;
  return false;
}

static void ranges(Solver *s, const LibraryCall *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    const Effect *read = &c->effects[i];
    if (read->kind != EFFECT_READ) continue;
    for (uint32_t k = 0; k < c->count; k++) {
      const Effect *write = &c->effects[k];
      if (write->kind == EFFECT_WRITE) copy_string(s, c, read, write);
      if (write->kind != EFFECT_WRITE || !same_extent(read, write)) continue;
      if (read->arg != write->arg)
        copy_range(s, c, read, write);
      else if (calls_back(c))
        pt_node_use(s, argument(s, c, read->arg),
                    (Use){.kind = USE_SORT, .size = element_bytes(s, c, read)});
    }
  }
}

/* ---- pointers ---- */

static Move inside_move(uint32_t step) {
  return (Move){.kind = MOVE_ADD,
                .stride_count = 1,
                .strides = {step ? step : 1},
                .reaches = {ptradd_by_elements(step)}};
}

/* A pointer into the object of an argument, at steps of `step` bytes (0: any). */
static NodeNo inside(Solver *s, NodeNo node, uint32_t step) {
  return pt_moved(s, node, inside_move(step));
}

/* A store of exactly one pointer at *arg, as far as the table tells. */
static bool stores_first(const LibraryCall *c, uint32_t arg) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->effects[i].kind == EFFECT_WRITE && c->effects[i].arg == arg)
      return c->effects[i].extent == EXTENT_BYTES && c->effects[i].size <= 8;
  return true;
}

static void put_pointer(Solver *s, const LibraryCall *c, uint32_t arg, NodeNo value) {
  NodeNo address = argument(s, c, arg);
  if (!value) return;
  if (stores_first(c, arg))
    pt_store_at(s, address, value, 8);
  else
    pt_node_use(s, address, (Use){.kind = USE_STORE_ANY, .node = value});
}

/* Everything that is stored in what the address points to. */
static NodeNo content(Solver *s, NodeNo address) {
  NodeNo node = pt_node_new(s, 1);
  pt_node_use(s, address, (Use){.kind = USE_LOAD_ALL, .node = node});
  return node;
}

/* A pointer as an effect describes it: the value, what is stored behind it, inside of it. */
static NodeNo described(Solver *s, const Effect *x, NodeNo value, bool kept) {
  if ((x->flags & EFFECT_CONTENT) && !kept) value = content(s, value);
  return x->flags & EFFECT_INSIDE ? inside(s, value, 0) : value;
}

static void keep(Solver *s, const LibraryCall *c, const Effect *x) {
  ExprId e = argument_expr(s, c, x->arg);
  NodeNo value = argument(s, c, x->arg);
  uint32_t slots =
      e ? slots_of(program_expr(s->p, e)->bits) : 0; /* a structure has several */
  for (uint32_t i = 0; value && i < slots; i++) {
    if (x->flags & EFFECT_CONTENT)
      pt_node_use(s, value + i,
                  (Use){.kind = USE_LOAD_ALL, .node = kept_node(s, x->name)});
    else
      pt_node_copy(s, value + i, kept_node(s, x->name));
  }
  NodeNo with = value && x->other != ARG_NONE ? argument(s, c, x->other) : 0;
  if (with) pt_node_use(s, value, (Use){.kind = USE_GIVE, .node = with, .size = x->name});
}

/* What the library writes may be addresses, which it has from outside or from the kernel. */
static void write_numbers(Solver *s, const LibraryCall *c, const Effect *x) {
  uint32_t bytes = x->extent == EXTENT_BYTES ? x->size
                   : x->extent == EXTENT_ARG ? extent_bytes(s, c, x)
                                             : UINT32_MAX;
  if (x->kind != EFFECT_WRITE || bytes < 8) return;
  const Function *f = vec_at(&s->p->functions, c->function);
  uint32_t first = x->arg == ARG_VARARGS ? f->param_count : x->arg;
  uint32_t last = x->arg == ARG_VARARGS ? c->e->arg_count : x->arg + 1u;
  for (uint32_t i = first; i < last; i++) {
    NodeNo address = argument(s, c, i);
    if (address && (x->flags & EFFECT_CONTENT))
      pt_node_use(s, content(s, address),
                  (Use){.kind = USE_STORE_ANY, .node = s->numbers});
    if (address)
      pt_node_use(s, address, (Use){.kind = USE_STORE_ANY, .node = s->numbers});
  }
}

/* Bytes that leave the program, and bytes that come back. */
static void travel(Solver *s, const LibraryCall *c, const Effect *x) {
  NodeNo address = argument(s, c, x->arg);
  if (!(x->flags & EFFECT_OUTSIDE) || !address) return;
  Use use = x->kind == EFFECT_READ ? (Use){.kind = USE_LOAD_ALL, .node = s->sent}
                                   : (Use){.kind = USE_STORE_ANY, .node = s->sent};
  pt_node_use(s, address, use);
  for (int i = 0; i < EFFECT_DEEP_STEPS && (x->flags & EFFECT_CONTENT); i++) {
    address = content(s, address);
    pt_node_use(s, address, use);
  }
}

/* ---- allocation ---- */

/* The object of a call through a pointer, or of one that stores the address: the program's own
 * where it has one. */
static AObject allocated(Solver *s, const LibraryCall *c) {
  if (c->e->aux) return c->e->aux;
  uint64_t known = map_find(&s->clones, pair_key(UINT32_MAX - c->function, c->edge), 0);
  if (known) return (AObject)known;
  AObject object = pt_object_new(s, AOBJECT_ALLOCATED, 0, true, UINT32_MAX);
  s->objects.data[object].context = c->edge;
  map_put(&s->clones, pair_key(UINT32_MAX - c->function, c->edge), object);
  return object;
}

/* Where pointers to the new object appear. */
static NodeNo new_memory(Solver *s, const LibraryCall *c, const Effect *x) {
  if (x->arg == ARG_NONE && c->e->aux) {
    pt_site_reach(s, c->edge);
    return pt_site_node(s, c->edge);
  }
  NodeNo fresh = pt_node_new(s, 1);
  pt_node_add(s, fresh, pt_loc_of(s, allocated(s, c), 0));
  if (x->arg == ARG_NONE)
    pt_flow_to_local(s, fresh, 1, c->e->dst);
  else
    put_pointer(s, c, x->arg, fresh);
  return fresh;
}

/* What the library made holds what the same function keeps: an entry of a table its item. */
static void hold_kept(Solver *s, const LibraryCall *c, NodeNo made) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->effects[i].kind == EFFECT_KEEP)
      pt_node_use(s, made,
                  (Use){.kind = USE_STORE_ANY, .node = kept_node(s, c->effects[i].name)});
}

/* The caller says where the new memory shall lie (mmap): then its address is a number that whoever
 * knows numbers may have. */
static bool lies_where_told(const Solver *s, const LibraryCall *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    const Effect *x = &c->effects[i];
    ExprId told = x->kind == EFFECT_RETURN_ARG ? argument_expr(s, c, x->arg) : 0;
    if (!told) continue;
    const Expr *where = program_expr(s->p, told);
    if (where->kind != EXPR_CONST || where->data) return true;
  }
  return false;
}

static void allocate(Solver *s, const LibraryCall *c, const Effect *x) {
  NodeNo fresh = new_memory(s, c, x);
  if (lies_where_told(s, c)) pt_node_copy(s, fresh, s->escaped);
  if (x->other != ARG_NONE) {
    AObject buffer = pt_copy_buffer(s, c->edge, 2);
    Use use = {.kind = USE_COPY_FROM, .object = buffer, .size = UINT32_MAX};
    pt_node_use(s, argument(s, c, x->other), use);
    use.kind = USE_COPY_TO;
    pt_node_use(s, fresh, use);
  }
  if (x->extent == EXTENT_OBJECT) { /* a structure built by the library */
    pt_node_copy(s, fresh, s->escaped);
    hold_kept(s, c, fresh);
  }
}

/* ---- callbacks ---- */

/* The library goes through what this argument points to, so the callback may get a pointer to
 * any element of it. */
static bool walks(const Solver *s, const LibraryCall *c, uint32_t arg,
                  uint32_t *ret_step) {
  bool found = false;
  *ret_step = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const Effect *x = &c->effects[i];
    bool touches = x->kind == EFFECT_READ || x->kind == EFFECT_WRITE ||
                   (x->kind == EFFECT_RETURN_ARG && (x->flags & EFFECT_INSIDE));
    if (!touches || x->arg != arg) continue;
    found = true;
    uint32_t step = element_bytes(s, c, x);
    *ret_step = step ? step : *ret_step;
  }
  return found;
}

static NodeNo passed(Solver *s, const LibraryCall *c, const Effect *x, uint32_t i,
                     FuncId function) {
  uint32_t arg = i < EFFECT_PASS_MAX ? x->pass[i] : ARG_NONE, step;
  if (arg == ARG_KEPT) return kept_node(s, x->name);
  if (arg == ARG_WITH) return pt_given_node(s, x->name, function);
  if (arg == ARG_NONE) return 0;
  NodeNo node = argument(s, c, arg);
  return walks(s, c, arg, &step) ? inside(s, node, step) : node;
}

void pt_callback_bind(Solver *s, EdgeId edge, uint32_t effect, FuncId function) {
  uint64_t *known =
      map_at(&s->bound_callbacks, pair_key(edge, function) ^ (uint64_t)effect << 20);
  if (*known) return;
  *known = 1;
  const Effect *x = vec_at(&s->p->effects, effect);
  pt_call_record(s, edge, function);
  pt_function_reach(s, function);
  const Function *f = vec_at(&s->p->functions, function);
  LibraryCall c = library_of(s, edge, function);
  c.effects = NULL;
  for (FuncId g = 1; g < s->p->functions.len && !c.effects; g++) {
    const Function *library = &s->p->functions.data[g];
    if (effect - library->first_effect < library->effect_count) {
      c.effects = vec_at(&s->p->effects, library->first_effect);
      c.count = library->effect_count;
    }
  }
  bool defined = f->flags & FUNCTION_DEFINED;
  if (defined) pt_wrapper_materialise(s, function, 0);
  NodeNo outside = 0;
  for (uint32_t i = 0; i < EFFECT_PASS_MAX || i < f->param_count; i++) {
    NodeNo value = passed(s, &c, x, i, function);
    if (!defined) {
      if (f->flags & FUNCTION_UNKNOWN) pt_node_copy(s, value, s->escaped);
      continue;
    }
    if (i >= f->param_count) break;
    LocalId param = f->first_local + i;
    if (!value && vec_at(&s->p->locals, param)->bits >= 64) {
      if (!outside) {
        outside = pt_node_new(s, 1);
        pt_node_add(s, outside, LOC_UNKNOWN);
      }
      value = outside;
    }
    pt_flow_to_local(s, value, 1, param);
  }
}

static void callback(Solver *s, const LibraryCall *c, const Effect *x) {
  NodeNo function = x->arg == ARG_KEPT ? kept_node(s, x->name) : argument(s, c, x->arg);
  if (!function) return;
  if (x->flags & EFFECT_CONTENT) function = content(s, function);
  uint32_t effect = (uint32_t)(x - s->p->effects.data);
  pt_node_use(s, function, (Use){.kind = USE_CALLBACK, .node = effect, .edge = c->edge});
}

/* ---- results ---- */

/* An integer may be an address from outside, or one that the kernel has chosen. */
static void number_result(Solver *s, const LibraryCall *c) {
  const Local *dst = vec_at(&s->p->locals, c->e->dst);
  if (dst->sort == SORT_INT && dst->bits >= 64)
    pt_flow_to_local(s, pt_number_node(s, dst->bits), slots_of(dst->bits), c->e->dst);
}

static void unknown_value(Solver *s, const LibraryCall *c) {
  if (!c->e->dst || c->e->op != OP_CALL) return;
  if (vec_at(&s->p->locals, c->e->dst)->sort != SORT_PTR) {
    number_result(s, c);
    return;
  }
  NodeNo any = pt_node_new(s, 1);
  pt_node_add(s, any, LOC_UNKNOWN);
  pt_flow_to_local(s, any, 1, c->e->dst);
}

/* Nothing says what is returned: of a pure function, something made of its arguments. */
static void any_result(Solver *s, const LibraryCall *c) {
  if (c->e->op != OP_CALL || !pt_function_is_pure(s, c->e, c->function)) {
    unknown_value(s, c);
    return;
  }
  const Local *dst = vec_at(&s->p->locals, c->e->dst);
  if (!c->e->dst || !holds_parts(dst->bits) || dst->sort == SORT_FLOAT) return;
  number_result(s, c);
  for (uint32_t i = 0; i < c->e->arg_count; i++) {
    uint32_t slots = slots_of(program_expr(s->p, argument_expr(s, c, i))->bits);
    NodeNo from = argument(s, c, i), to = from ? pt_node_new(s, slots_of(dst->bits)) : 0;
    for (uint32_t k = 0; from && k < slots; k++)
      for (uint32_t j = 0; j < slots_of(dst->bits); j++)
        pt_node_shift(s, from + k, to + j, &(Move){.kind = MOVE_ANY});
    pt_flow_to_local(s, to, slots_of(dst->bits), c->e->dst);
  }
}

static bool effect_returns(Solver *s, const LibraryCall *c, const Effect *x) {
  switch ((EffectKind)x->kind) {
  case EFFECT_RETURN_ARG:
    pt_flow_to_local(s, described(s, x, argument(s, c, x->arg), false), 1, c->e->dst);
    return true;
  case EFFECT_RETURN_HIDDEN: {
    NodeNo value = pt_node_new(s, 1);
    pt_node_add(s, value, pt_loc_of(s, pt_hidden_object(s, x->name, x->size), 0));
    hold_kept(s, c, value);
    pt_flow_to_local(s, value, 1, c->e->dst);
    return true;
  }
  case EFFECT_RETURN_KEPT:
    pt_flow_to_local(s, described(s, x, kept_node(s, x->name), true), 1, c->e->dst);
    return true;
  case EFFECT_ALLOC: allocate(s, c, x); return x->arg == ARG_NONE;
  default: return false;
  }
}

void pt_library_call(Solver *s, EdgeId edge, FuncId function) {
  LibraryCall c = library_of(s, edge, function);
  bool returns = false;
  ranges(s, &c);
  for (uint32_t i = 0; i < c.count; i++) {
    const Effect *x = &c.effects[i];
    returns = effect_returns(s, &c, x) || returns;
    if (x->kind == EFFECT_STORE) {
      bool kept = x->other == ARG_KEPT;
      NodeNo value = kept ? kept_node(s, x->name) : argument(s, &c, x->other);
      put_pointer(s, &c, x->arg, described(s, x, value, kept));
    } else if (x->kind == EFFECT_READ || x->kind == EFFECT_WRITE) {
      travel(s, &c, x);
      write_numbers(s, &c, x);
    } else if (x->kind == EFFECT_KEEP) {
      keep(s, &c, x);
    } else if (x->kind == EFFECT_CALL || x->kind == EFFECT_CALL_LATER) {
      callback(s, &c, x);
    }
  }
  if (!returns) any_result(s, &c);
}
