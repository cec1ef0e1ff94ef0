/* Frames, calls and returns. See machine.h.
 *
 * Frames lie one after the other in chunks; a chunk is left when it is full and released
 * when its first frame is popped. Parameters are the first slots of the callee's frame.
 */
#include "model/exec/eval.h"
#include "model/exec/event.h"

#include <errno.h>

enum { CHUNK_BYTES = 1 << 16 };
static const uint64_t FRAMES_LIMIT = UINT64_C(1)
                                     << 30; /* bytes of frames of one thread */

/* ---- frames ---- */

static bool new_chunk(Exec *exec, ExecThread *t, size_t size) {
  if (t->frame_bytes > FRAMES_LIMIT) {
    exec_stop(exec, "stack overflow: too many calls inside of each other");
    return false;
  }
  Chunk *chunk = t->spare;
  size_t room = chunk ? (size_t)(chunk->end - chunk->bytes) : 0;
  t->spare = NULL;
  if (room < size) {
    mem_free(chunk);
    room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    chunk = mem_alloc_zero(sizeof *chunk + room);
  }
  chunk->up = t->chunk;
  chunk->up_next = t->chunk_next;
  chunk->end = chunk->bytes + room;
  t->chunk = chunk;
  t->chunk_next = chunk->bytes;
  t->frame_bytes += room;
  return true;
}

static void drop_chunk(ExecThread *t) {
  Chunk *chunk = t->chunk;
  t->frame_bytes -= (uint64_t)(chunk->end - chunk->bytes);
  t->chunk = chunk->up;
  t->chunk_next = chunk->up_next;
  /* one is kept: a call at the end of a chunk may be made again and again */
  mem_free(t->spare);
  t->spare = chunk;
}

Frame *frame_push(Exec *exec, ExecThread *t, Code *code) {
  size_t size = align_up(sizeof(Frame) + code->slot_count * sizeof(uint64_t), 16);
  if (!t->chunk || (size_t)(t->chunk->end - t->chunk_next) < size)
    if (!new_chunk(exec, t, size)) return NULL;
  Frame *f = (Frame *)(void *)t->chunk_next;
  f->stack_mark = t->zone.top;
  f->stack = 0;
  if (code->stack_size) {
    f->stack =
        memory_push(&exec->memory, &t->zone, code->stack_size, code->stack_align, 0);
    if (!f->stack) {
      exec_stop(exec, "stack overflow in %s",
                sym_text(exec->program,
                         vec_at(&exec->program->functions, code->function)->name));
      return NULL;
    }
    memcpy(exec->memory.shadow + f->stack / 8, code->stack_shadow, code->stack_size / 8);
    event_fresh(exec, t, f->stack, code->stack_size);
  }
  t->chunk_next += size;
  f->up = t->frame;
  f->code = code;
  f->pc = code->entry;
  f->site = NULL;
  f->va = NULL;
  f->native = NULL;
  f->serial = ++exec->frame_serial;
  f->on_return = RETURN_CALLER;
  f->slots[0] = 0;
  if (code->clear_count > code->param_slots)
    memset(f->slots + 1 + code->param_slots, 0,
           (code->clear_count - code->param_slots) * sizeof(uint64_t));
  t->frame = f;
  if (code->is_atomic) section_enter(exec, t);
  return f;
}

void frame_pop(Exec *exec, ExecThread *t) {
  Frame *f = t->frame;
  if (t->zone.top != f->stack_mark) {
    if (t->sync_high > f->stack_mark) {
      sync_forget(exec, f->stack_mark, t->zone.top);
      t->sync_high = f->stack_mark;
    }
    memory_pop(&exec->memory, &t->zone, f->stack_mark);
  }
  if (f->va) va_free(f->va);
  if (f->code->is_atomic) section_leave(exec, t);
  t->frame = f->up;
  t->chunk_next = (uint8_t *)f;
  if (t->chunk_next == t->chunk->bytes && t->chunk->up) drop_chunk(t);
}

void frames_unwind(Exec *exec, ExecThread *t, Frame *down_to) {
  while (t->frame && t->frame != down_to) {
    if (t->frame->on_return == RETURN_NATIVE) native_drop(exec, t->frame->native);
    if (t->frame->on_return == RETURN_ONCE) sync_once_left(exec, t->frame->once);
    frame_pop(exec, t);
  }
  if (!t->frame)
    while (t->chunk) drop_chunk(t);
  if (!t->frame) {
    mem_free(t->spare);
    t->spare = NULL;
  }
}

/* ---- calls ---- */

/* A value of `from` bits as one of `to` bits: cut or widened with zeros. */
static void fit_value(uint64_t *d, uint32_t to, const uint64_t *a, uint32_t from) {
  uint32_t words = value_words(to), have = value_words(from);
  memset(d, 0, words * sizeof *d);
  memcpy(d, a, (words < have ? words : have) * sizeof *d);
  if (to % 64) d[words - 1] &= value_mask(to % 64);
}

typedef enum { TRAVELS_INTEGER, TRAVELS_FLOAT, TRAVELS_MEMORY } Travel;

static Travel travel_of(uint8_t sort, uint32_t bits, Passing passing) {
  if (passing.byval_size || (sort == SORT_FLOAT && bits == 80)) return TRAVELS_MEMORY;
  bool vector = passing.byval_align != 0;
  return vector || sort == SORT_FLOAT || sort == SORT_BFLOAT ? TRAVELS_FLOAT
                                                             : TRAVELS_INTEGER;
}

/* How well the arguments of a call fit a function: a value that is passed in one kind of
 * register and expected in another is undefined; other widths are cut or widened. */
typedef enum { FIT_EXACT, FIT_LOOSE, FIT_NOT } Fit;

static Fit fit_call(const Exec *exec, const CallSite *site, const Code *from,
                    const Function *callee) {
  const Program *p = exec->program;
  Fit fit = callee->param_count == site->arg_count &&
                    !(callee->flags & FUNCTION_VARARGS) &&
                    (!site->dst || site->dst_bits == callee->return_bits)
                ? FIT_EXACT
                : FIT_LOOSE;
  for (uint32_t i = 0; i < callee->param_count && i < site->arg_count; i++) {
    const Local *param = vec_at(&p->locals, callee->first_local + i);
    const CallArg *arg = vec_at(&from->args, site->first_arg + i);
    Passing passing = *vec_at(&p->passings, callee->first_passing + i);
    if (travel_of(param->sort, param->bits, passing) !=
        travel_of(arg->sort, arg->bits, arg->passing))
      return FIT_NOT;
    if (param->bits != arg->bits) fit = FIT_LOOSE;
  }
  return fit;
}

static void pass_arguments(const Exec *exec, const CallSite *site, const Frame *caller,
                           const Function *callee, uint64_t *to) {
  for (uint32_t i = 0; i < callee->param_count; i++) {
    uint32_t bits = vec_at(&exec->program->locals, callee->first_local + i)->bits;
    uint32_t words = value_words(bits);
    if (i < site->arg_count) {
      const CallArg *arg = vec_at(&caller->code->args, site->first_arg + i);
      fit_value(to, bits, &caller->slots[arg->slot], arg->bits);
    } else {
      memset(to, 0, words * sizeof *to);
    }
    to += words;
  }
}

static Outcome enter_function(Exec *exec, ExecThread *t, CallSite *site, FuncId id) {
  Frame *caller = t->frame;
  const Function *callee = vec_at(&exec->program->functions, id);
  Fit fit = fit_call(exec, site, caller->code, callee);
  if (fit == FIT_NOT) {
    exec_stop(exec, "calls %s with arguments of another kind than it takes",
              sym_text(exec->program, callee->name));
    return OUT_STOP;
  }
  Code *code = eval_code(exec, id);
  if (!code) return OUT_STOP;
  if (fit == FIT_EXACT) {
    site->code = code;
    site->address = exec_function_address(exec, id);
  }
  VaArgs *va = NULL;
  if (code->is_varargs) va = va_capture(exec, code, site, caller->code, caller->slots);
  Frame *f = frame_push(exec, t, code);
  if (!f) {
    va_free(va);
    return OUT_STOP;
  }
  caller->pc++;
  f->site = site;
  f->va = va;
  pass_arguments(exec, site, caller, callee, f->slots + 1);
  return OUT_FRAME;
}

/* In the place of a function that gives nothing this time. */
static NativeStatus refuse(NativeCall *call) {
  exec_set_errno(call->exec, call->thread, ENOMEM);
  call->result = 0;
  return NATIVE_DONE;
}

static const Native refusal = {.name = "refusal", .run = refuse};

/* The result is something that is asked for, and the table says that there may be none. */
static bool may_be_refused(const Exec *exec, FuncId id) {
  const Function *f = vec_at(&exec->program->functions, id);
  for (uint32_t i = 0; i < f->effect_count && exec->options.refusals; i++) {
    const Effect *x = vec_at(&exec->program->effects, f->first_effect + i);
    if (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE && (x->flags & EFFECT_MAY_NULL))
      return true;
  }
  return false;
}

Outcome call_execute(Exec *exec, ExecThread *t, CallSite *site) {
  if (t->pending && t->pending->site == site) {
    NativeFrame *native = t->pending;
    t->pending = NULL;
    return native_resume(exec, t, native, 0);
  }
  FuncId id = site->callee;
  if (!id) {
    uint64_t address = t->frame->slots[site->pointer];
    id = exec_function_at(exec, address);
    if (!id) {
      Str what = {0};
      exec_describe(exec, address, &what);
      exec_stop(exec, "call through a pointer to no function (%s)", str_text(&what));
      str_free(&what);
      return OUT_STOP;
    }
  }
  if (vec_at(&exec->program->functions, id)->flags & FUNCTION_DEFINED)
    return enter_function(exec, t, site, id);
  bool refused = may_be_refused(exec, id) && exec_refuses(exec, site->edge);
  const Native *native = refused ? &refusal : native_lookup(exec, id);
  if (!native) {
    exec_stop(exec, "calls %s, which heddle exec does not model",
              sym_text(exec->program, vec_at(&exec->program->functions, id)->name));
    return OUT_STOP;
  }
  return native_execute(exec, t, site, native, id);
}

Frame *call_simple(Exec *exec, ExecThread *t, uint64_t address, const uint64_t *args,
                   uint32_t argc, ReturnKind on_return) {
  FuncId id = exec_function_at(exec, address);
  const Function *callee = id ? vec_at(&exec->program->functions, id) : NULL;
  if (!callee || !(callee->flags & FUNCTION_DEFINED)) {
    Str what = {0};
    exec_describe(exec, address, &what);
    exec_stop(exec, "calls back something that is no function of the program (%s)",
              str_text(&what));
    str_free(&what);
    return NULL;
  }
  Code *code = eval_code(exec, id);
  Frame *f = code ? frame_push(exec, t, code) : NULL;
  if (!f) return NULL;
  f->on_return = (uint8_t)on_return;
  uint64_t *to = f->slots + 1;
  for (uint32_t i = 0; i < callee->param_count; i++) {
    uint32_t bits = vec_at(&exec->program->locals, callee->first_local + i)->bits;
    uint64_t value = i < argc ? args[i] : 0;
    fit_value(to, bits, &value, 64);
    to += value_words(bits);
  }
  return f;
}

/* ---- returns ---- */

Outcome call_return(Exec *exec, ExecThread *t, const uint64_t *words) {
  Frame *f = t->frame;
  uint64_t first = words ? words[0] : 0;
  switch ((ReturnKind)f->on_return) {
  case RETURN_CALLER: {
    const CallSite *site = f->site;
    if (site->dst) {
      uint64_t *dst = &f->up->slots[site->dst];
      uint32_t bits = vec_at(&exec->program->functions, f->code->function)->return_bits;
      if (words)
        fit_value(dst, site->dst_bits, words, bits);
      else
        memset(dst, 0, value_words(site->dst_bits) * sizeof *dst);
    }
    frame_pop(exec, t);
    return OUT_FRAME;
  }
  case RETURN_NATIVE: {
    NativeFrame *native = f->native;
    frame_pop(exec, t);
    Outcome out = native_resume(exec, t, native, first);
    if (out != OUT_NEXT) return out;
    t->frame->pc++;
    return OUT_FRAME;
  }
  case RETURN_ONCE: {
    uint64_t flag = f->once;
    frame_pop(exec, t);
    sync_once_done(exec, t, flag);
    t->frame->pc++;
    return OUT_FRAME;
  }
  case RETURN_STARTUP: frame_pop(exec, t); return start_next(exec, t, first);
  case RETURN_THREAD:
    frame_pop(exec, t);
    if (!t->ending) t->result = first;
    return thread_finish(exec, t);
  }
  return OUT_STOP;
}
