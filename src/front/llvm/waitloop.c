/* The exits of loops around waits on condition variables (Figure 4.6 of the paper).
 *
 * A program waits in a loop that asks for its condition again and again; a thread that
 * finds it true at once never waits at all. So that prediction knows where such a loop is
 * left, each block that follows it begins with a call of the runtime.
 *
 * The loop around a wait is the smallest circle of blocks with one way in that the wait
 * stands on: circles are strongly connected parts of the flow graph, and taking away the
 * way in of one leaves the smaller ones inside of it. A wait without a loop, a loop that
 * is not entered with the mutex locked, and one after which it is not unlocked on every
 * way are told as warnings and left alone. In C++ the mutex is locked and unlocked by
 * objects, often in other functions: there only the loop is looked for. */
#include "front/llvm/waitloop.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define EXIT_FUNCTION "__heddle_wait_exit"

enum { DEEPEST_VALUE = 8, MOST_BLOCKS = 20000 };

typedef VEC(uint32_t) Blocks;

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef exit_type;
  Str *warnings;
  /* The function at hand. */
  LLVMBasicBlockRef *blocks;
  uint32_t count;
  Map numbers; /* block → number */
  bool *in;    /* the blocks that are looked at */
  bool *mark;
  Blocks work;
} Finder;

/* ---- calls ------------------------------------------------------------------------ */

static bool calls_one_of(LLVMValueRef i, const char *const *names) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  if (!callee || !LLVMIsAFunction(callee)) return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t k = 0; names[k]; k++)
    if (str_eq(names[k], name)) return true;
  return false;
}

static const char *const wait_names[] = {
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
    "cnd_wait",          "cnd_timedwait",          NULL};
static const char *const lock_names[] = {"pthread_mutex_lock",
                                         "pthread_mutex_trylock",
                                         "pthread_mutex_timedlock",
                                         "pthread_mutex_clocklock",
                                         "mtx_lock",
                                         "mtx_trylock",
                                         "mtx_timedlock",
                                         NULL};
static const char *const unlock_names[] = {"pthread_mutex_unlock", "mtx_unlock", NULL};

/* Waits of C++, without a predicate: in the library that gcc and clang use here, or in
 * clang's own. Those with one are templates, whose loop is around these. */
static bool is_cxx_wait(LLVMValueRef i) {
  static const char *const plain[] = {
      "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
      "_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE"};
  static const char *const timed[] = {"_ZNSt18condition_variable8wait_forI",
                                      "_ZNSt18condition_variable10wait_untilI",
                                      "_ZNSt3__118condition_variable8wait_forI",
                                      "_ZNSt3__118condition_variable10wait_untilI"};
  LLVMValueRef callee =
      LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
  if (!callee || !LLVMIsAFunction(callee)) return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
    if (str_eq(plain[k], name)) return true;
  for (size_t k = 0; k < sizeof timed / sizeof *timed; k++)
    if (str_starts(name, timed[k]) && strstr(name, "9cv_statusR")) return true;
  return false;
}

/* Whether two values are computed in the same way; a variable that is read twice counts
 * as the same. */
static bool same_value(LLVMValueRef a, LLVMValueRef b, unsigned depth) {
  if (a == b) return true;
  if (depth > DEEPEST_VALUE || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) ||
      LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || LLVMIsACallInst(a) ||
      LLVMIsAAllocaInst(a) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(a); i++)
    if (!same_value(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
                    depth + 1))
      return false;
  return true;
}

/* Whether the block has a call of one of these with the mutex. */
static bool has_call(LLVMBasicBlockRef block, const char *const *names,
                     LLVMValueRef mutex) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (calls_one_of(i, names) && same_value(LLVMGetOperand(i, 0), mutex, 0)) return true;
  return false;
}

/* ---- the flow graph ---------------------------------------------------------------- */

static unsigned successors(const Finder *f, uint32_t block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[block]);
  return last ? LLVMGetNumSuccessors(last) : 0;
}

static uint32_t successor(const Finder *f, uint32_t block, unsigned i) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[block]);
  return (uint32_t)map_find(&f->numbers, map_key(LLVMGetSuccessor(last, i)), 0);
}

static bool may_enter(const Finder *f, uint32_t block, const char *const *stops,
                      LLVMValueRef mutex) {
  return f->in[block] && !(stops && has_call(f->blocks[block], stops, mutex));
}

/* Marks what can be reached from the blocks in `work` without entering one that calls one
 * of `stops` (or NULL) with the mutex. */
static void reach(Finder *f, const char *const *stops, LLVMValueRef mutex) {
  while (f->work.len) {
    uint32_t at = vec_pop(&f->work);
    for (unsigned i = 0; i < successors(f, at); i++) {
      uint32_t to = successor(f, at, i);
      if (f->mark[to] || !may_enter(f, to, stops, mutex)) continue;
      f->mark[to] = true;
      vec_push(&f->work, to);
    }
  }
}

static void start(Finder *f, uint32_t block) {
  memset(f->mark, 0, f->count * sizeof *f->mark);
  vec_push(&f->work, block);
}

/* Leaves in `in` only the blocks that lie on a circle with `block`. False when there are
 * none. */
static bool shrink_to_circle(Finder *f, uint32_t block) {
  start(f, block);
  reach(f, NULL, NULL);
  if (!f->mark[block]) return false;
  memset(f->in, false, f->count * sizeof *f->in);
  f->in[block] = true; /* and what leads to it again, until nothing changes */
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = f->count; b-- > 0;) {
      if (!f->mark[b] || f->in[b]) continue;
      for (unsigned i = 0; i < successors(f, b) && !f->in[b]; i++)
        f->in[b] = f->in[successor(f, b, i)];
      changed |= f->in[b];
    }
  }
  return true;
}

/* The one block of the circle that is entered from outside, or UINT32_MAX. `outer` are
 * the blocks of the circle around it. */
static uint32_t way_in(const Finder *f, const bool *outer) {
  uint32_t found = UINT32_MAX;
  for (uint32_t b = 0; b < f->count; b++) {
    if (f->in[b] || !outer[b]) continue;
    for (unsigned i = 0; i < successors(f, b); i++) {
      uint32_t to = successor(f, b, i);
      if (!f->in[to] || to == found) continue;
      if (found != UINT32_MAX) return UINT32_MAX;
      found = to;
    }
  }
  return found;
}

/* The smallest loop around the block: its blocks in `loop`, its way in as the result;
 * UINT32_MAX when there is none. */
static uint32_t innermost_loop(Finder *f, uint32_t block, bool *loop) {
  uint32_t head = UINT32_MAX;
  bool *outer = mem_alloc_zero(f->count * sizeof *outer);
  /* Code behind what never returns is there, but nothing leads to it. */
  memset(f->in, true, f->count * sizeof *f->in);
  start(f, 0);
  f->mark[0] = true;
  reach(f, NULL, NULL);
  memcpy(f->in, f->mark, f->count * sizeof *f->in);
  for (;;) {
    memcpy(outer, f->in, f->count * sizeof *outer);
    if (head != UINT32_MAX) f->in[head] = false;
    if (head == block || !shrink_to_circle(f, block)) break;
    uint32_t next = way_in(f, outer);
    memcpy(loop, f->in, f->count * sizeof *loop);
    head = next;
    if (head == UINT32_MAX) break;
  }
  mem_free(outer);
  return head;
}

/* ---- one wait ---------------------------------------------------------------------- */

static void warn(Finder *f, LLVMValueRef wait, const char *what) {
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(wait, &length);
  str_addf(f->warnings, "%.*s:%u:%u: warning: %s\n", file ? (int)length : 0,
           file ? file : "", LLVMGetDebugLocLine(wait), LLVMGetDebugLocColumn(wait),
           what);
}

/* Whether every way to the loop locks the mutex. */
static bool locked_before(Finder *f, uint32_t head, LLVMValueRef mutex) {
  memset(f->in, true, f->count * sizeof *f->in);
  if (has_call(f->blocks[0], lock_names, mutex)) return true;
  start(f, 0);
  f->mark[0] = true;
  reach(f, lock_names, mutex);
  return !f->mark[head];
}

/* Whether every way from the block to a return unlocks the mutex. */
static bool unlocked_after(Finder *f, uint32_t block, LLVMValueRef mutex) {
  memset(f->in, true, f->count * sizeof *f->in);
  if (has_call(f->blocks[block], unlock_names, mutex)) return true;
  start(f, block);
  f->mark[block] = true;
  reach(f, unlock_names, mutex);
  for (uint32_t b = 0; b < f->count; b++) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b]);
    if (f->mark[b] && last && LLVMIsAReturnInst(last)) return false;
  }
  return true;
}

static void add_exit(Finder *f, uint32_t block, LLVMValueRef wait) {
  LLVMValueRef at = LLVMGetFirstInstruction(f->blocks[block]);
  while (LLVMIsAPHINode(at)) at = LLVMGetNextInstruction(at);
  if (LLVMIsALandingPadInst(at)) return;
  LLVMValueRef function = LLVMGetNamedFunction(f->module, EXIT_FUNCTION);
  if (!function) function = LLVMAddFunction(f->module, EXIT_FUNCTION, f->exit_type);
  LLVMPositionBuilderBefore(f->builder, at);
  LLVMSetCurrentDebugLocation2(f->builder, LLVMInstructionGetDebugLoc(wait));
  LLVMBuildCall2(f->builder, f->exit_type, function, NULL, 0, "");
}

/* Adds the blocks that follow the loop around the wait to `exits`. */
static void look_at(Finder *f, LLVMValueRef wait, Blocks *exits) {
  uint32_t block =
      (uint32_t)map_find(&f->numbers, map_key(LLVMGetInstructionParent(wait)), 0);
  bool cxx = is_cxx_wait(wait);
  LLVMValueRef mutex = cxx ? NULL : LLVMGetOperand(wait, 1);
  bool *loop = mem_alloc_zero((f->count + 1) * sizeof *loop);
  Blocks found = {0};
  uint32_t head = innermost_loop(f, block, loop);
  bool good = false;
  if (cxx)
    good = loop[block] && head != UINT32_MAX;
  else if (!loop[block])
    warn(f, wait, "this wait is not in a loop that asks for its condition again");
  else if (head == UINT32_MAX)
    warn(f, wait, "the loop around this wait has several ways in; its exit is not seen");
  else if (!locked_before(f, head, mutex))
    warn(f, wait,
         "the mutex is not locked before the loop around this wait; its exit is "
         "not seen");
  else
    good = true;
  for (uint32_t b = 0; good && b < f->count; b++)
    for (unsigned i = 0; loop[b] && i < successors(f, b); i++)
      if (!loop[successor(f, b, i)]) vec_push(&found, successor(f, b, i));
  for (uint32_t i = 0; good && !cxx && i < found.len; i++)
    if (!unlocked_after(f, found.data[i], mutex)) {
      warn(f, wait,
           "the mutex is not unlocked on every way after the loop around this "
           "wait; its exit is not seen");
      good = false;
    }
  for (uint32_t i = 0; good && i < found.len; i++) vec_push(exits, found.data[i]);
  vec_free(&found);
  mem_free(loop);
}

/* ---- functions --------------------------------------------------------------------- */

static void look_at_function(Finder *f, LLVMValueRef function) {
  VEC(LLVMValueRef) waits = {0};
  Blocks exits = {0};
  f->count = LLVMCountBasicBlocks(function);
  f->blocks = mem_alloc((f->count + 1) * sizeof *f->blocks);
  LLVMGetBasicBlocks(function, f->blocks);
  for (uint32_t b = 0; b < f->count; b++) {
    map_put(&f->numbers, map_key(f->blocks[b]), b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i;
         i = LLVMGetNextInstruction(i))
      if (calls_one_of(i, wait_names) || is_cxx_wait(i)) vec_push(&waits, i);
  }
  f->in = mem_alloc_zero((f->count + 1) * sizeof *f->in);
  f->mark = mem_alloc_zero((f->count + 1) * sizeof *f->mark);
  for (uint32_t i = 0; i < waits.len && f->count <= MOST_BLOCKS; i++) {
    uint32_t before = exits.len;
    look_at(f, waits.data[i], &exits);
    for (uint32_t k = before; k < exits.len; k++) {
      bool known = false;
      for (uint32_t j = 0; j < k; j++) known |= exits.data[j] == exits.data[k];
      if (!known) add_exit(f, exits.data[k], waits.data[i]);
    }
  }
  vec_free(&waits);
  vec_free(&exits);
  mem_free(f->blocks);
  mem_free(f->in);
  mem_free(f->mark);
  map_free(&f->numbers);
  f->numbers = (Map){0};
}

void waitloop_mark(LLVMContextRef context, LLVMModuleRef module, Str *warnings) {
  Finder f = {.context = context, .module = module, .warnings = warnings};
  f.builder = LLVMCreateBuilderInContext(context);
  f.exit_type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  for (LLVMValueRef g = LLVMGetFirstFunction(module); g; g = LLVMGetNextFunction(g))
    if (!LLVMIsDeclaration(g)) look_at_function(&f, g);
  vec_free(&f.work);
  LLVMDisposeBuilder(f.builder);
}
