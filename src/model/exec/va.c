/* Variable arguments as the System V ABI for x86-64 passes them, because clang translates
 * va_arg itself into loads from a va_list:
 *
 *   struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }
 *
 * In: the arguments of a variadic call, captured when it is made. Out (VA_START): a save
 * area for 6 general and 8 SSE registers, an overflow area for the rest, and the va_list
 * that points into both behind what the named parameters used. Both areas live on the
 * callee's stack. */
#include "model/exec/eval.h"

enum { GP_BYTES = 48, SAVE_BYTES = 176, LIST_BYTES = 24 };

typedef enum { CLASS_GP, CLASS_SSE, CLASS_MEMORY } Class;

typedef struct {
  uint8_t *bytes;
  uint32_t size;
  uint32_t align; /* in memory */
  uint8_t class;
} VaArg;

struct VaArgs {
  uint32_t count;
  VaArg args[];
};

static Class classify(uint8_t sort, uint32_t bits, Passing passing) {
  if (passing.byval_size) return CLASS_MEMORY;
  if (passing.byval_align) /* a vector */
    return bits <= 128 ? CLASS_SSE : CLASS_MEMORY;
  if (sort == SORT_FLOAT || sort == SORT_BFLOAT)
    return bits == 80 ? CLASS_MEMORY : CLASS_SSE;
  return bits <= 128 ? CLASS_GP : CLASS_MEMORY;
}

static VaArg capture(Exec *exec, const CallArg *arg, const uint64_t *slot) {
  VaArg a = {.class = (uint8_t)classify(arg->sort, arg->bits, arg->passing), .align = 8};
  if (arg->passing.byval_size) {
    a.size = arg->passing.byval_size;
    if (arg->passing.byval_align > 8) a.align = arg->passing.byval_align;
    a.bytes = mem_alloc_zero(a.size);
    if (memory_may_read(&exec->memory, slot[0], a.size))
      memcpy(a.bytes, exec->memory.bytes + slot[0], a.size);
    else
      memory_fault(exec, "load", slot[0], a.size);
    return a;
  }
  uint32_t size = bits_to_bytes(arg->bits);
  a.size = (uint32_t)align_up(arg->bits == 80 ? 16 : size, 8);
  if (arg->bits > 64) a.align = arg->bits <= 128 ? 16 : (uint32_t)align_up(size, 32);
  a.bytes = mem_alloc_zero(a.size);
  memcpy(a.bytes, slot, size);
  return a;
}

VaArgs *va_capture(Exec *exec, const Code *callee, const CallSite *site,
                   const Code *caller, const uint64_t *slots) {
  uint32_t named = vec_at(&exec->program->functions, callee->function)->param_count;
  uint32_t count = site->arg_count > named ? site->arg_count - named : 0;
  VaArgs *va = mem_alloc_zero(sizeof *va + count * sizeof *va->args);
  va->count = count;
  for (uint32_t i = 0; i < count; i++) {
    const CallArg *arg = vec_at(&caller->args, site->first_arg + named + i);
    va->args[i] = capture(exec, arg, &slots[arg->slot]);
  }
  return va;
}

void va_free(VaArgs *va) {
  if (!va) return;
  for (uint32_t i = 0; i < va->count; i++) mem_free(va->args[i].bytes);
  mem_free(va);
}

/* The registers that are used up; memory arguments use none. */
typedef struct {
  uint32_t gp, sse; /* offsets in the save area */
} Registers;

static bool take_registers(Registers *r, Class class, uint32_t size,
                           uint32_t *ret_offset) {
  if (class == CLASS_GP && r->gp + size <= GP_BYTES) {
    *ret_offset = r->gp;
    r->gp += size;
    return true;
  }
  if (class == CLASS_SSE && r->sse + 16 <= SAVE_BYTES) {
    *ret_offset = r->sse;
    r->sse += 16;
    return true;
  }
  return false;
}

static Registers after_parameters(const Exec *exec, const Function *f) {
  Registers r = {.gp = 0, .sse = GP_BYTES};
  for (uint32_t i = 0; i < f->param_count; i++) {
    const Local *param = vec_at(&exec->program->locals, f->first_local + i);
    Passing passing = *vec_at(&exec->program->passings, f->first_passing + i);
    uint32_t unused;
    take_registers(&r, classify(param->sort, param->bits, passing),
                   (uint32_t)align_up(bits_to_bytes(param->bits), 8), &unused);
  }
  return r;
}

/* Lays the arguments out; with `save` NULL it only measures the overflow area. */
static uint64_t lay_out(const VaArgs *va, Registers r, uint8_t *save, uint8_t *overflow) {
  uint64_t top = 0;
  for (uint32_t i = 0; va && i < va->count; i++) {
    const VaArg *arg = &va->args[i];
    uint32_t offset;
    if (take_registers(&r, (Class)arg->class, arg->size, &offset)) {
      if (save) memcpy(save + offset, arg->bytes, arg->size);
      continue;
    }
    top = align_up(top, arg->align);
    if (overflow) memcpy(overflow + top, arg->bytes, arg->size);
    top = align_up(top + arg->size, 8);
  }
  return top;
}

static Outcome start(Exec *exec, ExecThread *t, uint64_t list) {
  Memory *m = &exec->memory;
  Frame *f = t->frame;
  const Function *function = vec_at(&exec->program->functions, f->code->function);
  if (!memory_may_write(m, list, LIST_BYTES))
    return memory_fault(exec, "store", list, LIST_BYTES);
  Registers used = after_parameters(exec, function);
  uint64_t overflow_size = lay_out(f->va, used, NULL, NULL);
  uint64_t save = memory_push(m, &t->zone, SAVE_BYTES, 16, 0);
  uint64_t overflow = save ? memory_push(m, &t->zone, overflow_size, 64, 0) : 0;
  if (!overflow) {
    exec_stop(exec, "stack overflow in va_start");
    return OUT_STOP;
  }
  memory_allow(m, save, SAVE_BYTES, false);
  memory_allow(m, overflow, overflow_size, false);
  memset(m->bytes + save, 0, SAVE_BYTES);
  memset(m->bytes + overflow, 0, overflow_size);
  lay_out(f->va, used, m->bytes + save, m->bytes + overflow);
  struct {
    uint32_t gp_offset, fp_offset;
    uint64_t overflow, save;
  } value = {used.gp, used.sse, overflow, save};
  memcpy(m->bytes + list, &value, LIST_BYTES);
  return OUT_NEXT;
}

Outcome va_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  Memory *m = &exec->memory;
  uint64_t list = r[site->a];
  if (program_edge(exec->program, site->edge)->op == OP_VA_START)
    return start(exec, t, list);
  uint64_t from = r[site->b];
  if (!memory_may_read(m, from, LIST_BYTES))
    return memory_fault(exec, "load", from, LIST_BYTES);
  if (!memory_may_write(m, list, LIST_BYTES))
    return memory_fault(exec, "store", list, LIST_BYTES);
  memmove(m->bytes + list, m->bytes + from, LIST_BYTES);
  return OUT_NEXT;
}
