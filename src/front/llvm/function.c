/* One function body: its variables and stack objects, its blocks in an order in which every
 * value is defined before it is used, phis as assignments on the way into their block, and
 * terminators. */
#include "front/llvm/internal.h"
#include "front/llvm/postfix.h"

/* ---- edges and values ---- */

Edge *emit(Translator *t, Edge edge) {
  edge.from = t->body.current;
  edge.to = builder_new_node(t->b);
  edge.loc = t->body.loc;
  t->body.current = edge.to;
  return builder_add_edge(t->b, &edge);
}

void emit_end(Translator *t, Edge edge) {
  edge.from = t->body.current;
  edge.to = 0;
  edge.loc = t->body.loc;
  builder_add_edge(t->b, &edge);
  /* what follows cannot be reached, but may still be translated */
  t->body.current = builder_new_node(t->b);
}

LocalId temporary(Translator *t, Sort sort, uint32_t bits) {
  return builder_new_local(t->b, 0, sort, bits, 0, 0, t->body.loc);
}

ExprId pinned(Translator *t, ExprId value) {
  LocalId local = temporary(t, builder_sort(t->b, value), builder_bits(t->b, value));
  emit(t, (Edge){.op = OP_ASSIGN, .dst = local, .a = value});
  return builder_local(t->b, local);
}

void set_value(Translator *t, LLVMValueRef instruction, ExprId value) {
  map_put(&t->body.values, map_key(instruction), value);
}

LocalId result_local(Translator *t, LLVMValueRef instruction) {
  Shape shape = shape_of(t, LLVMTypeOf(instruction));
  LocalId local = temporary(t, shape.sort, shape.bits);
  set_value(t, instruction, builder_local(t->b, local));
  return local;
}

ExprId value_of(Translator *t, LLVMValueRef value) {
  if (LLVMIsAConstant(value)) return constant_expr(t, value);
  uint64_t *known = map_get(&t->body.values, map_key(value));
  if (known) return (ExprId)*known;
  uint64_t *object = map_get(&t->body.memory, map_key(value));
  if (object) return builder_object(t->b, (ObjectId)*object);
  Shape shape = shape_of(t, LLVMTypeOf(value));
  builder_assume(t->b, t->body.loc, "a value of an unknown kind is any value");
  return builder_undef(t->b, shape.sort, shape.bits ? shape.bits : 1);
}

/* ---- variables and stack objects ---- */

static void find_declarations(Translator *t, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsADbgDeclareInst(i)) continue;
    LLVMValueRef place = LLVMGetOperand(i, 0), object = NULL;
    if (LLVMGetMDNodeNumOperands(place) == 1) LLVMGetMDNodeOperands(place, &object);
    if (object && !map_get(&t->body.declared, map_key(object)))
      map_put(&t->body.declared, map_key(object), map_key(i));
  }
}

static Variable declared_variable(Translator *t, LLVMValueRef alloca_or_argument) {
  uint64_t call = map_find(&t->body.declared, map_key(alloca_or_argument), 0);
  if (!call) return (Variable){0};
  LLVMValueRef declare = (LLVMValueRef)(uintptr_t)call;
  Variable v = variable_of_metadata(t, LLVMValueAsMetadata(LLVMGetOperand(declare, 1)));
  LocId exact = loc_of_instruction(t, declare);
  if (exact) v.loc = exact;
  return v;
}

/* The store that puts an argument into the variable made for it, if that is all that ever
 * happens to the argument. */
static LLVMValueRef argument_store(LLVMValueRef argument, LLVMBasicBlockRef entry) {
  LLVMUseRef use = LLVMGetFirstUse(argument);
  if (!use || LLVMGetNextUse(use)) return NULL;
  LLVMValueRef user = LLVMGetUser(use);
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == argument &&
                 LLVMGetInstructionParent(user) == entry
             ? user
             : NULL;
}

static void add_parameter(Translator *t, LLVMValueRef argument, unsigned index,
                          LLVMBasicBlockRef entry) {
  Shape shape = shape_of(t, LLVMTypeOf(argument));
  LLVMAttributeRef byval =
      LLVMGetEnumAttributeAtIndex(t->body.llvm, index + 1, t->byval_kind);
  Variable v = declared_variable(t, argument);
  LLVMValueRef store = argument_store(argument, entry);
  LLVMValueRef home = store ? LLVMGetOperand(store, 1) : NULL;
  bool moved = home && LLVMIsAAllocaInst(home) && is_promotable(t, home) && !byval &&
               shape_of(t, LLVMGetAllocatedType(home)).bits == shape.bits;
  if (home && LLVMIsAAllocaInst(home) && !byval) v = declared_variable(t, home);
  Sym name = v.name ? v.name : builder_sym(t->b, plain_name(argument));
  LocalId local =
      builder_new_local(t->b, name, shape.sort, shape.bits,
                        (uint8_t)(LOCAL_PARAM | (moved && v.name ? LOCAL_VARIABLE : 0)),
                        byval ? 0 : v.type, v.loc);
  if (moved) {
    map_put(&t->body.variables, map_key(home), local);
    map_put(&t->body.coalesced, map_key(store), 1);
  }
  set_value(t, argument, builder_local(t->b, local));
}

ObjectId stack_object(Translator *t, Variable v, const char *llvm_name, uint64_t size,
                      uint32_t align, uint16_t flags) {
  Object object = {.kind = OBJECT_STACK,
                   .flags = flags,
                   .name = v.name ? v.name : builder_sym(t->b, llvm_name),
                   .type = v.type,
                   .owner = t->body.id,
                   .loc = v.loc,
                   .align = align ? align : 1,
                   .size = size};
  vec_push(&t->p->objects, object);
  ObjectId id = t->p->objects.len - 1;
  if (!(flags & OBJECT_DYNAMIC)) {
    vec_push(&t->p->frame_objects, id);
    vec_at(&t->p->functions, t->body.id)->object_count++;
  }
  return id;
}

/* A struct passed by value in memory: the callee works on its own copy. */
static void copy_byval_parameters(Translator *t) {
  unsigned n = LLVMCountParams(t->body.llvm);
  for (unsigned i = 0; i < n; i++) {
    LLVMAttributeRef byval =
        LLVMGetEnumAttributeAtIndex(t->body.llvm, i + 1, t->byval_kind);
    if (!byval) continue;
    LLVMValueRef argument = LLVMGetParam(t->body.llvm, i);
    LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
    Variable v = declared_variable(t, argument);
    uint64_t size = type_bytes(t, type);
    ObjectId id = stack_object(t, v, plain_name(argument), size,
                               LLVMABIAlignmentOfType(t->layout, type), OBJECT_PARAM);
    ExprId from = value_of(t, argument), to = builder_object(t->b, id);
    emit(t, (Edge){.op = OP_COPY,
                   .a = to,
                   .b = from,
                   .c = builder_const(t->b, SORT_INT, 64, size),
                   .flags = EDGE_INIT,
                   .path = v.name});
    set_value(t, argument, to);
  }
}

static void add_alloca(Translator *t, LLVMValueRef a, bool in_entry) {
  if (map_get(&t->body.variables, map_key(a))) return;
  Variable v = declared_variable(t, a);
  if (in_entry && is_promotable(t, a)) {
    Shape shape = shape_of(t, LLVMGetAllocatedType(a));
    Sym name = v.name ? v.name : builder_sym(t->b, plain_name(a));
    LocalId local = builder_new_local(t->b, name, shape.sort, shape.bits,
                                      v.name ? LOCAL_VARIABLE : 0, v.type, v.loc);
    map_put(&t->body.variables, map_key(a), local);
    return;
  }
  LLVMValueRef count = LLVMGetOperand(a, 0);
  bool fixed = in_entry && LLVMIsAConstantInt(count);
  uint64_t size =
      fixed ? type_bytes(t, LLVMGetAllocatedType(a)) * LLVMConstIntGetZExtValue(count)
            : 0;
  ObjectId id = stack_object(t, v, plain_name(a), size, LLVMGetAlignment(a),
                             fixed ? 0 : OBJECT_DYNAMIC);
  map_put(&t->body.memory, map_key(a), id);
}

static void add_allocas(Translator *t) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->body.llvm);
  for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i)) add_alloca(t, i, b == entry);
}

/* ---- blocks ---- */

typedef VEC(LLVMBasicBlockRef) BlockVec;

static unsigned successor_count(LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  return end ? LLVMGetNumSuccessors(end) : 0;
}

/* Reachable blocks in reverse post-order, without recursion. */
static void order_blocks(LLVMValueRef function, BlockVec *order) {
  typedef struct {
    LLVMBasicBlockRef block;
    unsigned next;
  } Visit;
  VEC(Visit) stack = {0};
  BlockVec post = {0};
  Map seen = {0};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  map_put(&seen, map_key(entry), 1);
  vec_push(&stack, (Visit){entry, 0});
  while (stack.len) {
    Visit *v = vec_last(&stack);
    if (v->next == successor_count(v->block)) {
      vec_push(&post, v->block);
      stack.len--;
      continue;
    }
    LLVMBasicBlockRef to =
        LLVMGetSuccessor(LLVMGetBasicBlockTerminator(v->block), v->next++);
    if (!map_get(&seen, map_key(to))) {
      map_put(&seen, map_key(to), 1);
      vec_push(&stack, (Visit){to, 0});
    }
  }
  for (uint32_t i = post.len; i-- > 0;) vec_push(order, post.data[i]);
  vec_free(&stack);
  vec_free(&post);
  map_free(&seen);
}

static void declare_phis(Translator *t, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    t->body.loc = loc_of_instruction(t, i);
    result_local(t, i);
  }
}

/* A computed goto leads straight to its label, with no room for assignments on the way. The
 * blocks that it enters get the values of their phis in locals of their own, which every way
 * in assigns before it jumps and the block reads first: nobody else sees them, so that the
 * goto may assign those of all its targets. */
static void declare_landings(Translator *t, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!end || LLVMGetInstructionOpcode(end) != LLVMIndirectBr) return;
  unsigned n = LLVMGetNumSuccessors(end);
  for (unsigned s = 0; s < n; s++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(end, s));
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
      Shape shape = shape_of(t, LLVMTypeOf(i));
      uint64_t *landing = map_at(&t->body.landings, map_key(i));
      if (!*landing) *landing = temporary(t, shape.sort, shape.bits);
    }
}

static void read_landings(Translator *t, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    uint64_t landing = map_find(&t->body.landings, map_key(i), 0);
    if (landing)
      emit(t, (Edge){.op = OP_ASSIGN,
                     .dst = (LocalId)vec_at(&t->p->exprs, value_of(t, i))->data,
                     .a = builder_local(t->b, (LocalId)landing)});
  }
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  unsigned n = LLVMCountIncoming(phi);
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
  return NULL;
}

/* Assigns the phis of `to` as if all at once: with several, the new values are first copied,
 * because one may be computed from another's old value. */
static void assign_phis(Translator *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  typedef struct {
    LocalId phi;
    ExprId value;
  } Move;
  VEC(Move) moves = {0};
  bool landed = false; /* nothing is computed from a landing */
  for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    const Expr *local = vec_at(&t->p->exprs, value_of(t, i));
    LocalId landing = (LocalId)map_find(&t->body.landings, map_key(i), 0);
    Move move = {landing ? landing : (LocalId)local->data, 0};
    move.value = value_of(t, incoming(i, from));
    landed = landed || landing;
    vec_push(&moves, move);
  }
  for (uint32_t i = 0; !landed && moves.len > 1 && i < moves.len; i++)
    moves.data[i].value = pinned(t, moves.data[i].value);
  for (uint32_t i = 0; i < moves.len; i++)
    emit(t, (Edge){.op = OP_ASSIGN, .dst = moves.data[i].phi, .a = moves.data[i].value});
  vec_free(&moves);
}

static NodeId block_node(Translator *t, LLVMBasicBlockRef block) {
  return (NodeId)map_find(&t->body.blocks, map_key(block), 0);
}

/* From the current node into `to`. */
static void jump(Translator *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  assign_phis(t, from, to);
  Edge edge = {
      .op = OP_NOP, .from = t->body.current, .to = block_node(t, to), .loc = t->body.loc};
  builder_add_edge(t->b, &edge);
}

/* From `start` into `to` if `condition` holds. */
static void jump_if(Translator *t, NodeId start, ExprId condition, uint16_t flags,
                    LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  t->body.current = start;
  emit(t, (Edge){.op = OP_ASSUME, .a = condition, .flags = flags});
  jump(t, from, to);
}

static void switch_translate(Translator *t, LLVMValueRef end, LLVMBasicBlockRef from) {
  NodeId start = t->body.current;
  ExprId value = value_of(t, LLVMGetOperand(end, 0));
  unsigned n = LLVMGetNumSuccessors(end); /* the first is the default */
  ExprId none = builder_const(t->b, SORT_INT, 1, 1);
  for (unsigned i = 1; i < n; i++) {
    ExprId label = value_of(t, LLVMGetOperand(end, 2 * i));
    ExprId differs = builder_compare(t->b, EXPR_NE, value, label);
    none = i == 1 ? differs : builder_binary(t->b, EXPR_AND, none, differs);
    jump_if(t, start, builder_compare(t->b, EXPR_EQ, value, label), 0, from,
            LLVMGetSuccessor(end, i));
  }
  jump_if(t, start, none, EDGE_DEFAULT, from, LLVMGetSuccessor(end, 0));
}

static void computed_goto(Translator *t, LLVMValueRef end, LLVMBasicBlockRef from) {
  ExprId address = value_of(t, LLVMGetOperand(end, 0));
  unsigned n = LLVMGetNumSuccessors(end);
  Map seen = {0}; /* a target may be listed several times */
  for (unsigned i = 0; i < n; i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    if (!map_get(&seen, map_key(to))) assign_phis(t, from, to);
    map_put(&seen, map_key(to), 1);
  }
  map_clear(&seen);
  for (unsigned i = 0; i < n; i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    if (map_get(&seen, map_key(to))) continue;
    map_put(&seen, map_key(to), 1);
    Edge edge = {.op = OP_GOTO,
                 .a = address,
                 .aux = label_of_block(t, to),
                 .from = t->body.current,
                 .to = block_node(t, to),
                 .loc = t->body.loc};
    builder_add_edge(t->b, &edge);
  }
  map_free(&seen);
}

/* Exceptions and asm goto: every way out is possible. */
static void any_successor(Translator *t, LLVMValueRef end, LLVMBasicBlockRef from) {
  NodeId start = t->body.current;
  unsigned n = LLVMGetNumSuccessors(end);
  for (unsigned i = 0; i < n; i++) {
    t->body.current = start;
    jump(t, from, LLVMGetSuccessor(end, i));
  }
}

static void terminator_translate(Translator *t, LLVMValueRef end,
                                 LLVMBasicBlockRef from) {
  switch (LLVMGetInstructionOpcode(end)) {
  case LLVMRet: {
    ExprId value = LLVMGetNumOperands(end) ? value_of(t, LLVMGetOperand(end, 0)) : 0;
    emit_end(t, (Edge){.op = OP_RETURN, .a = value});
    return;
  }
  case LLVMBr: {
    if (!LLVMIsConditional(end)) {
      jump(t, from, LLVMGetSuccessor(end, 0));
      return;
    }
    NodeId start = t->body.current;
    ExprId condition = value_of(t, LLVMGetCondition(end));
    jump_if(t, start, condition, 0, from, LLVMGetSuccessor(end, 0));
    jump_if(t, start, builder_not(t->b, condition), 0, from, LLVMGetSuccessor(end, 1));
    return;
  }
  case LLVMSwitch: switch_translate(t, end, from); return;
  case LLVMIndirectBr: computed_goto(t, end, from); return;
  case LLVMInvoke:
    call_translate(t, end);
    builder_assume(t->b, t->body.loc, "no exception passes through C code");
    jump(t, from, LLVMGetNormalDest(end));
    return;
  case LLVMCallBr:
    call_translate(t, end);
    any_successor(t, end, from);
    return;
  default: /* unreachable, resume */ emit_end(t, (Edge){.op = OP_UNREACHABLE});
  }
}

static void block_translate(Translator *t, LLVMBasicBlockRef block) {
  t->body.current = block_node(t, block);
  read_landings(t, block);
  flow_find_in_place(t, block);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    LocId loc = loc_of_instruction(t, i);
    if (loc) t->body.loc = loc;
    if (i == end)
      terminator_translate(t, i, block);
    else
      instruction_translate(t, i);
  }
}

static void body_free(Body *body) {
  map_free(&body->values);
  map_free(&body->variables);
  map_free(&body->memory);
  map_free(&body->declared);
  map_free(&body->blocks);
  map_free(&body->in_place);
  map_free(&body->coalesced);
  map_free(&body->landings);
  *body = (Body){0};
}

void function_translate(Translator *t, LLVMValueRef function) {
  Body *body = &t->body;
  *body = (Body){.llvm = function, .id = function_of(t, function)};
  Function *f = vec_at(&t->p->functions, body->id);
  f->first_object = t->p->frame_objects.len;
  body->loc = f->loc;
  builder_begin_body(t->b, body->id);
  postfix_mend(function);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    find_declarations(t, b);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  unsigned n = LLVMCountParams(function);
  for (unsigned i = 0; i < n; i++) add_parameter(t, LLVMGetParam(function, i), i, entry);
  add_allocas(t);
  BlockVec order = {0};
  order_blocks(function, &order);
  NodeId start = builder_new_node(t->b);
  for (uint32_t i = 0; i < order.len; i++) {
    map_put(&body->blocks, map_key(order.data[i]), builder_new_node(t->b));
    declare_phis(t, order.data[i]);
    declare_landings(t, order.data[i]);
  }
  body->current = start;
  body->loc = vec_at(&t->p->functions, body->id)->loc;
  copy_byval_parameters(t);
  jump(t, NULL, entry);
  for (uint32_t i = 0; i < order.len; i++) block_translate(t, order.data[i]);
  for (uint32_t i = 0; i < order.len; i++) {
    uint64_t label = map_find(&t->labels, map_key(order.data[i]), 0);
    if (label) builder_set_label(t->b, (uint32_t)label, block_node(t, order.data[i]));
  }
  builder_end_body(t->b, start);
  vec_free(&order);
  body_free(body);
}
