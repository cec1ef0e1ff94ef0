/* Functions to instructions: slots, stack layout, edges, jumps. In: one function of the
 * model. Out: its Code (eval.h). Nodes with several edges are eval_node.c's part.
 *
 * Nodes are translated in order of their numbers (reverse post-order), each edge's
 * operation after its operands. A jump holds the number of its target node until the end,
 * when all nodes have their places. */
#include "model/exec/eval_parts.h"

/* ---- slots ---- */

static void assign_slots(Gen *g, const Function *f) {
  Code *code = g->code;
  code->slot_of = mem_alloc_zero((f->local_count + 1) * sizeof *code->slot_of);
  uint32_t next = 1;
  /* parameters, then variables (which start as zero), then what is always written first
   */
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < f->local_count; i++) {
      const Local *local = vec_at(&g->program->locals, f->first_local + i);
      int when = i < f->param_count ? 0 : local->flags & LOCAL_VARIABLE ? 1 : 2;
      if (when != round) continue;
      code->slot_of[i] = next;
      next += value_words(local->bits);
    }
    if (round == 0) code->param_slots = next - 1;
    if (round == 1) code->clear_count = next - 1;
  }
  g->locals_end = g->next_temp = g->temp_end = next;
}

/* ---- stack objects ---- */

static uint32_t stack_gap(uint64_t size) {
  uint64_t gap = align_up(size / 8, 16);
  return gap < STACK_GAP ? STACK_GAP : gap > 256 ? 256 : (uint32_t)gap;
}

/* False when the frame would not fit any stack. */
static bool lay_out_objects(Gen *g, const Function *f) {
  Code *code = g->code;
  code->objects =
      f->object_count ? vec_at(&g->program->frame_objects, f->first_object) : NULL;
  code->object_count = f->object_count;
  code->object_offset = mem_alloc((f->object_count + 1) * sizeof *code->object_offset);
  code->stack_align = 16;
  uint64_t next = 0;
  for (uint32_t i = 0; i < f->object_count; i++) {
    const Object *object = vec_at(&g->program->objects, code->objects[i]);
    uint64_t align = object->align < 16 ? 16 : object->align;
    if (align > code->stack_align) code->stack_align = (uint32_t)align;
    next = align_up(next, align);
    if (object->size > g->exec->memory.stack_size || next > g->exec->memory.stack_size)
      return false;
    code->object_offset[i] = (uint32_t)next;
    next += align_up(object->size, 16) + stack_gap(object->size);
  }
  code->stack_size = (uint32_t)next;
  code->stack_shadow = mem_alloc_zero(next / 8 + 1);
  for (uint32_t i = 0; i < f->object_count; i++) {
    const Object *object = vec_at(&g->program->objects, code->objects[i]);
    uint8_t *shadow = code->stack_shadow + code->object_offset[i] / 8;
    memset(shadow, SHADOW_FULL, object->size / 8);
    if (object->size % 8) shadow[object->size / 8] = object->size % 8;
  }
  return true;
}

/* ---- edges ---- */

static uint32_t local_slot(const Gen *g, LocalId local) {
  if (!local) return 0;
  return g->code
      ->slot_of[local - vec_at(&g->program->functions, g->code->function)->first_local];
}

static uint32_t local_bits(const Gen *g, LocalId local) {
  return local ? vec_at(&g->program->locals, local)->bits : 0;
}

static uint32_t operand(Gen *g, ExprId e) {
  return e ? gen_expr(g, e) : 0;
}

static uint32_t new_site(Gen *g, const Edge *e, uint32_t bits) {
  Site site = {.edge = g->edge,
               .dst = local_slot(g, e->dst),
               .dst2 = local_slot(g, e->dst2),
               .bits = bits};
  site.a = operand(g, e->a);
  site.b = operand(g, e->b);
  site.c = operand(g, e->c);
  vec_push(&g->code->sites, site);
  return g->code->sites.len - 1;
}

/* 0..3 for accesses of 1, 2, 4, 8 bytes whose value fills them; -1 for the rest. */
static int access_size(uint32_t size, uint32_t bits) {
  if (bits != size * 8) return -1;
  return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
}

typedef enum { PLACE_STATIC, PLACE_FRAME, PLACE_POINTER } Place;

/* Where the address points, as far as it is known now, and the numbers for the
 * instruction. */
static Place classify(Gen *g, const Edge *e, uint32_t size, bool write, uint32_t *a,
                      uint32_t *b) {
  uint64_t address;
  Memory *memory = &g->exec->memory;
  if (gen_static_address(g, e->a, &address) &&
      (write ? memory_may_write(memory, address, size)
             : memory_may_read(memory, address, size))) {
    uint64_t host = (uint64_t)(uintptr_t)(memory->bytes + address);
    *a = (uint32_t)host;
    *b = (uint32_t)(host >> 32);
    return PLACE_STATIC;
  }
  uint32_t object;
  int64_t offset;
  if (gen_frame_address(g, e->a, &object, &offset)) {
    uint64_t room = vec_at(&g->program->objects, g->code->objects[object])->size;
    if (offset >= 0 && size <= room && (uint64_t)offset <= room - size) {
      *a = g->code->object_offset[object] + (uint32_t)offset;
      *b = 0;
      return PLACE_FRAME;
    }
  }
  int32_t constant;
  ExprId base = gen_split_offset(g, e->a, &constant);
  *a = gen_expr(g, base);
  *b = (uint32_t)constant;
  return PLACE_POINTER;
}

static void emit_load(Gen *g, const Edge *e) {
  uint32_t bits = e->dst ? local_bits(g, e->dst) : e->size * 8, a, b;
  int size = access_size(e->size, bits);
  if (size < 0) {
    uint32_t site = new_site(g, e, bits);
    gen_ins(g, INS_LOAD_WIDE, 0, site, 0);
    return;
  }
  static const InsKind kinds[] = {INS_LOAD_G8, INS_LOAD_F8, INS_LOAD8};
  Place place = classify(g, e, e->size, false, &a, &b);
  uint32_t d = e->dst ? local_slot(g, e->dst) : gen_temp(g, 64);
  gen_ins(g, (InsKind)(kinds[place] + (unsigned)size), d, a, b);
}

static void emit_store(Gen *g, const Edge *e) {
  uint32_t bits = vec_at(&g->program->exprs, e->b)->bits, a, b;
  int size = access_size(e->size, bits);
  if (size < 0) {
    uint32_t site = new_site(g, e, bits);
    gen_ins(g, INS_STORE_WIDE, 0, site, 0);
    return;
  }
  static const InsKind by_slot[] = {INS_STORE_G8, INS_STORE_F8, INS_STORE8};
  static const InsKind by_number[] = {INS_STORE_GI8, INS_STORE_FI8, INS_STORE_I8};
  Place place = classify(g, e, e->size, true, &a, &b);
  uint64_t value;
  if (gen_const(g, e->b, &value) && value_signed(value, bits) == (int32_t)value) {
    gen_ins(g, (InsKind)(by_number[place] + (unsigned)size), (uint32_t)value, a, b);
    return;
  }
  uint32_t slot = gen_expr(g, e->b);
  gen_ins(g, (InsKind)(by_slot[place] + (unsigned)size), slot, a, b);
}

/* Do the arguments fill the callee's parameters exactly? Then the loop copies them
 * itself. */
static bool fits(const Gen *g, const Function *callee, const Edge *e) {
  if ((callee->flags & FUNCTION_VARARGS) || callee->param_count != e->arg_count ||
      (e->dst && local_bits(g, e->dst) != callee->return_bits))
    return false;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&g->program->args, e->first_arg + i);
    if (vec_at(&g->program->exprs, arg->value)->bits !=
        vec_at(&g->program->locals, callee->first_local + i)->bits)
      return false;
  }
  return true;
}

static void emit_call(Gen *g, const Edge *e) {
  Code *code = g->code;
  const Expr *target = vec_at(&g->program->exprs, e->a);
  CallSite site = {.edge = g->edge,
                   .dst = local_slot(g, e->dst),
                   .dst_bits = local_bits(g, e->dst),
                   .arg_count = e->arg_count};
  bool direct = target->kind == EXPR_FUNC;
  if (direct)
    site.callee = (FuncId)target->data;
  else
    site.pointer = gen_expr(g, e->a);
  VEC(CallArg) args = {0};
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&g->program->args, e->first_arg + i);
    const Expr *value = vec_at(&g->program->exprs, arg->value);
    CallArg a = {.slot = gen_expr(g, arg->value),
                 .bits = value->bits,
                 .sort = value->sort,
                 .passing = arg->passing};
    vec_push(&args, a);
  }
  site.first_arg = code->args.len;
  for (uint32_t i = 0; i < args.len; i++) vec_push(&code->args, args.data[i]);
  vec_free(&args);
  const Function *callee = direct ? vec_at(&g->program->functions, site.callee) : NULL;
  bool fast = direct && (callee->flags & FUNCTION_DEFINED) && fits(g, callee, e);
  InsKind op = fast ? INS_CALL : direct ? INS_CALL_OTHER : INS_CALL_POINTER;
  vec_push(&code->calls, site);
  gen_ins(g, op, 0, code->calls.len - 1, 0);
  if (!e->to) gen_ins(g, INS_STUCK, 0, 0, 0);
}

static void emit_return(Gen *g, const Edge *e) {
  uint32_t slot = operand(g, e->a);
  uint32_t bits = e->a ? vec_at(&g->program->exprs, e->a)->bits : 0;
  gen_ins(g, bits > 64 ? INS_RETURN_WIDE : INS_RETURN, 0, slot, value_words(bits));
}

static void emit_operation(Gen *g, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_FENCE:
  case OP_VA_END:
  case OP_RELEASE:
  case OP_ACQUIRE: break;
  case OP_ASSIGN: gen_expr_to(g, e->a, local_slot(g, e->dst)); break;
  case OP_LOAD: emit_load(g, e); break;
  case OP_STORE: emit_store(g, e); break;
  case OP_CALL: emit_call(g, e); break;
  case OP_RETURN: emit_return(g, e); break;
  case OP_ASSERT: {
    uint32_t branch = gen_branch(g, e->a);
    Site site = {.edge = g->edge};
    vec_push(&g->code->sites, site);
    gen_ins(g, INS_SLOW, 0, g->code->sites.len - 1, 0);
    g->ins.data[branch].d = g->ins.len - branch;
    gen_ins(g, INS_NOP, 0, 0, 0);
    break;
  }
  case OP_ASSUME:
  case OP_HAVOC:
  case OP_GOTO:
  case OP_UNREACHABLE:
  case OP_RMW:
  case OP_CMPXCHG:
  case OPS_BULK:
  case OPS_STACK:
  case OP_VA_START:
  case OP_VA_COPY:
  case OPS_THREAD:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_SECTION:
  case OP_EXIT: {
    uint32_t value = e->op == OP_RMW || e->op == OP_CMPXCHG ? e->b : 0;
    uint32_t bits =
        value ? vec_at(&g->program->exprs, value)->bits : local_bits(g, e->dst);
    uint32_t site = new_site(g, e, bits);
    gen_ins(g, INS_SLOW, 0, site, 0);
    break;
  }
  }
}

void gen_jump(Gen *g, NodeId to, NodeId next) {
  if (to == next && !g->begins) return;
  vec_push(&g->fixups, g->ins.len);
  gen_ins(g, INS_JUMP, to, 0, 0);
}

void gen_begin_edge(Gen *g, EdgeId edge) {
  gen_forget(g, 0);
  g->next_temp = g->locals_end;
  g->edge = edge;
  g->begins = true;
}

void gen_edge(Gen *g, EdgeId id, NodeId next) {
  const Edge *e = program_edge(g->program, id);
  gen_begin_edge(g, id);
  emit_operation(g, e);
  /* RELEASE, ACQUIRE and FENCE change nothing in a run of one step after the other */
  if (e->dst && (e->op == OP_RELEASE || e->op == OP_ACQUIRE)) {
    uint32_t site = new_site(g, e, local_bits(g, e->dst));
    gen_ins(g, INS_SLOW, 0, site, 0);
  }
  if (g->begins && (!e->to || e->to == next)) gen_ins(g, INS_NOP, 0, 0, 0);
  if (e->to) gen_jump(g, e->to, next);
}

/* ---- the whole function ---- */

static void resolve(Gen *g, const Function *f) {
  Code *code = g->code;
  for (uint32_t i = 0; i < g->fixups.len; i++) {
    uint32_t at = g->fixups.data[i];
    Ins *ins = vec_at(&g->ins, at);
    ins->d = code->node_start[ins->d - f->first_node] - at;
  }
  for (uint32_t i = 0; i < g->late_cases.len; i++) {
    Case *c = vec_at(&code->cases, g->late_cases.data[i]);
    c->target = code->node_start[c->target - f->first_node];
  }
  for (uint32_t i = 0; i < code->switches.len; i++) {
    SwitchTable *s = vec_at(&code->switches, i);
    s->otherwise = code->node_start[s->otherwise - f->first_node];
  }
  for (uint32_t i = 0; i < g->late_options.len; i++) {
    Option *o = vec_at(&code->options, g->late_options.data[i]);
    o->target = code->node_start[o->target - f->first_node];
  }
}

static Code *translate(Exec *exec, FuncId function) {
  const Program *program = exec->program;
  const Function *f = vec_at(&program->functions, function);
  Code *code = mem_alloc_zero(sizeof *code);
  code->function = function;
  code->is_varargs = f->flags & FUNCTION_VARARGS;
  code->is_atomic = f->flags & FUNCTION_ATOMIC;
  Gen gen = {.exec = exec, .program = program, .code = code};
  assign_slots(&gen, f);
  if (!lay_out_objects(&gen, f)) {
    exec_stop(exec, "the variables of %s are larger than the stack",
              sym_text(program, f->name));
    eval_code_free(code);
    return NULL;
  }
  code->node_start = mem_alloc((f->node_count + 1) * sizeof *code->node_start);
  if (exec->stepwise)
    code->edge_start = mem_alloc((f->edge_count + 1) * sizeof *code->edge_start);
  for (uint32_t i = 0; i < f->node_count; i++) {
    NodeId next = i + 1 < f->node_count ? f->first_node + i + 1 : 0;
    code->node_start[i] = gen.ins.len;
    gen_node(&gen, f, f->first_node + i, next);
  }
  code->node_start[f->node_count] = gen.ins.len;
  gen_forget(&gen, 0);
  resolve(&gen, f);
  code->slot_count = gen.temp_end;
  code->ins = gen.ins.data;
  code->ins_count = gen.ins.len;
  code->entry = code->ins + code->node_start[f->entry - f->first_node];
  code->edges = gen.edges.data;
  vec_free(&gen.memo);
  vec_free(&gen.fixups);
  vec_free(&gen.late_cases);
  vec_free(&gen.late_options);
  return code;
}

Code *eval_code(Exec *exec, FuncId function) {
  if (!exec->codes[function]) exec->codes[function] = translate(exec, function);
  return exec->codes[function];
}

void eval_code_free(Code *code) {
  if (!code) return;
  mem_free(code->ins);
  mem_free(code->edges);
  mem_free(code->node_start);
  mem_free(code->edge_start);
  mem_free(code->slot_of);
  mem_free(code->stack_shadow);
  mem_free(code->object_offset);
  vec_free(&code->sites);
  vec_free(&code->calls);
  vec_free(&code->args);
  vec_free(&code->gens);
  vec_free(&code->switches);
  vec_free(&code->cases);
  vec_free(&code->choices);
  vec_free(&code->options);
  mem_free(code);
}

NodeId eval_node_at(const Exec *exec, const Code *code, const Ins *pc) {
  const Function *f = vec_at(&exec->program->functions, code->function);
  uint32_t at = (uint32_t)(pc - code->ins), low = 0, high = f->node_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (code->node_start[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < f->node_count && code->node_start[low] == at ? f->first_node + low : 0;
}
