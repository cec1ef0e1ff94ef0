/* Memory outside of the loop: block operations, dynamic stack objects, the heap, and the
 * services that native functions use. Also who lives where, and what a bad access is
 * called. */
#include "model/exec/eval.h"
#include "model/exec/event.h"
#include "model/exec/libc_state.h"

/* ---- objects ---- */

static ExecThread *zone_owner(const Exec *exec, uint64_t address) {
  for (uint32_t i = 0; i < exec->active.len; i++) {
    ExecThread *t = exec->active.data[i];
    if (address >= t->zone.base && address < t->zone.top) return t;
  }
  return NULL;
}

static bool inside(uint64_t address, uint64_t start, uint64_t size) {
  return address >= start && address - start <= size;
}

/* Dynamic stack objects are not listed anywhere: the gaps of the shadow delimit them, and the gap
 * behind one, which the program cannot touch, keeps the edge that made it (0: va_start). */
static bool find_by_shadow(const Exec *exec, uint64_t address, ExecObject *ret) {
  const uint8_t *shadow = exec->memory.shadow;
  uint64_t g = address / 8;
  if (!(shadow[g] & 15)) {
    if (address % 8 || !(shadow[g - 1] & 15)) return false;
    g--;
  }
  uint64_t first = g, last = g;
  while (shadow[first - 1] & 15) first--;
  while (shadow[last + 1] & 15) last++;
  *ret = (ExecObject){.kind = OBJECT_STACK,
                      .address = first * 8,
                      .size = (last - first) * 8 + (shadow[last] & 15)};
  return address <= ret->address + ret->size;
}

static bool find_on_stack(const Exec *exec, const ExecThread *t, uint64_t address,
                          ExecObject *ret) {
  const Program *p = exec->program;
  for (uint32_t i = 0; i < exec->tls_objects.len; i++) {
    ObjectId id = exec->tls_objects.data[i];
    const Object *object = vec_at(&p->objects, id);
    uint64_t start = t->tls + exec->object_address[id];
    if (t->tls && inside(address, start, object->size)) {
      *ret = (ExecObject){
          .kind = OBJECT_TLS, .id = id, .address = start, .size = object->size};
      return true;
    }
  }
  const Frame *f = t->frame;
  while (f && f->stack_mark > address) f = f->up;
  if (f && f->stack && inside(address, f->stack, f->code->stack_size)) {
    for (uint32_t i = 0; i < f->code->object_count; i++) {
      const Object *object = vec_at(&p->objects, f->code->objects[i]);
      uint64_t start = f->stack + f->code->object_offset[i];
      if (inside(address, start, object->size)) {
        *ret = (ExecObject){.kind = OBJECT_STACK,
                            .id = f->code->objects[i],
                            .address = start,
                            .size = object->size};
        return true;
      }
    }
    return false;
  }
  if (!find_by_shadow(exec, address, ret)) return false;
  if (ret->address < t->tls + exec->tls_size) return true; /* errno */
  ret->site = memory_maker(&exec->memory, ret->address, ret->size);
  if (ret->site) ret->id = program_edge(exec->program, ret->site)->aux;
  return true;
}

bool exec_find_object(Exec *exec, uint64_t address, ExecObject *ret) {
  Memory *m = &exec->memory;
  if (address >= m->stacks && address < m->span) {
    ExecThread *t = zone_owner(exec, address);
    if (!t || !find_on_stack(exec, t, address, ret)) return false;
    ret->thread = t->number;
    return true;
  }
  HeapBlock *block = memory_heap_find(m, address);
  if (block) {
    *ret = (ExecObject){.kind = OBJECT_HEAP,
                        .site = block->site,
                        .address = block->address,
                        .size = block->size};
    if (block->site) ret->id = program_edge(exec->program, block->site)->aux;
    ObjectId lent = libc_lent_object(exec->libc, block->address);
    if (lent) {
      ret->id = lent;
      ret->kind = (ObjectKind)vec_at(&exec->program->objects, lent)->kind;
    }
    return block->live;
  }
  const StaticObject *object = memory_static_find(m, address);
  if (!object || !inside(address, object->address, object->size)) return false;
  *ret = (ExecObject){.kind = OBJECT_GLOBAL,
                      .id = object->id,
                      .address = object->address,
                      .size = object->size};
  if (object->id)
    ret->kind = (ObjectKind)vec_at(&exec->program->objects, object->id)->kind;
  return true;
}

static void describe_object(Exec *exec, const ExecObject *object, uint64_t offset,
                            Str *out) {
  const Program *p = exec->program;
  const Object *known = object->id ? vec_at(&p->objects, object->id) : NULL;
  const char *name = known ? sym_text(p, known->name) : "";
  if (offset) str_addf(out, "%llu bytes into ", (unsigned long long)offset);
  if (object->kind == OBJECT_HEAP)
    str_addf(out, "a heap block of %llu bytes", (unsigned long long)object->size);
  else if (known && (known->flags & OBJECT_LITERAL) && !*name)
    str_add(out, "a string literal");
  else if (*name)
    str_add(out, name);
  else
    str_addf(out, "an object of %llu bytes", (unsigned long long)object->size);
  Str place = {0};
  if (object->site) exec_place(exec, object->site, &place);
  if (place.len > 2)
    str_addf(out, " (allocated at %.*s)", (int)place.len - 2, place.data);
  str_free(&place);
}

void exec_describe(Exec *exec, uint64_t address, Str *out) {
  ExecObject object;
  FuncId function = exec_function_at(exec, address);
  if (address < 4096) {
    str_add(out, "null");
    if (address) str_addf(out, " + %llu", (unsigned long long)address);
  } else if (function) {
    str_addf(out, "the function %s",
             sym_text(exec->program, vec_at(&exec->program->functions, function)->name));
  } else if (exec_find_object(exec, address, &object)) {
    describe_object(exec, &object, address - object.address, out);
  } else {
    const HeapBlock *block = memory_heap_find(&exec->memory, address);
    if (block && !block->live)
      str_addf(out, "a freed block of %llu bytes", (unsigned long long)block->size);
    else
      str_addf(out, "0x%llx, in no live object", (unsigned long long)address);
  }
}

Outcome memory_fault(Exec *exec, const char *what, uint64_t address, uint64_t size) {
  Str where = {0};
  exec_describe(exec, address, &where);
  const char *why = "";
  ExecObject object;
  if (exec_find_object(exec, address, &object)) {
    const Object *known = object.id && object.kind != OBJECT_HEAP
                              ? vec_at(&exec->program->objects, object.id)
                              : NULL;
    if (known && (known->flags & OBJECT_EXTERNAL))
      why = ", an external object that is not modelled";
    else if (address - object.address + size > object.size)
      why = ", past its end";
    else
      why = ", which is read-only";
  }
  exec_stop(exec, "%s of %llu byte%s at %s%s", what, (unsigned long long)size,
            size == 1 ? "" : "s", str_text(&where), why);
  str_free(&where);
  return OUT_STOP;
}

/* ---- services for native functions ---- */

bool exec_read(Exec *exec, uint64_t address, void *to, size_t n) {
  event_library(exec, address, n, ACCESS_READ);
  if (!memory_may_read(&exec->memory, address, n)) {
    memory_fault(exec, "read", address, n);
    return false;
  }
  memcpy(to, exec->memory.bytes + address, n);
  return true;
}

bool exec_write(Exec *exec, uint64_t address, const void *from, size_t n) {
  event_library(exec, address, n, ACCESS_WRITE);
  if (!memory_may_write(&exec->memory, address, n)) {
    memory_fault(exec, "write", address, n);
    return false;
  }
  memcpy(exec->memory.bytes + address, from, n);
  return true;
}

uint8_t *exec_view(Exec *exec, uint64_t address, size_t *ret_left) {
  ExecObject object;
  if (!exec_find_object(exec, address, &object) ||
      !memory_may_read(&exec->memory, address, address < object.address + object.size)) {
    memory_fault(exec, "access", address, 1);
    return NULL;
  }
  *ret_left = object.address + object.size - address;
  /* who looks at a place reads what is there, and how much more it says itself */
  event_library(exec, address, *ret_left > 0, ACCESS_READ);
  return exec->memory.bytes + address;
}

void exec_note_read(Exec *exec, uint64_t address, size_t n) {
  event_library(exec, address, n, ACCESS_READ);
}

bool exec_strlen(Exec *exec, uint64_t address, size_t limit, size_t *ret_length) {
  size_t left;
  if (limit == 0) {
    *ret_length = 0;
    return true;
  }
  const uint8_t *bytes = exec_view(exec, address, &left);
  if (!bytes) return false;
  size_t most = left < limit ? left : limit;
  const uint8_t *end = memchr(bytes, 0, most);
  if (!end && left < limit) {
    memory_fault(exec, "read", address + left, 1);
    return false;
  }
  *ret_length = end ? (size_t)(end - bytes) : limit;
  return true;
}

uint64_t exec_heap_alloc(Exec *exec, uint64_t size, uint64_t align, bool zero) {
  (void)zero; /* fresh memory always is */
  return memory_heap_alloc(&exec->memory, size, align, thread_edge(exec->current));
}

bool exec_heap_alloc_at(Exec *exec, uint64_t address, uint64_t size) {
  return memory_fixed_alloc(&exec->memory, address, size, thread_edge(exec->current));
}

bool exec_heap_covers(Exec *exec, uint64_t address, uint64_t size) {
  const HeapBlock *block = memory_heap_find(&exec->memory, address);
  return block && block->live && address + size <= block->address + block->size;
}

bool exec_heap_free(Exec *exec, uint64_t address) {
  HeapBlock *block = memory_heap_find(&exec->memory, address);
  if (block && block->address == address)
    event_library(exec, address, block->size, ACCESS_WRITE | ACCESS_FREE);
  if (!block || block->address != address || !block->live) {
    Str what = {0};
    exec_describe(exec, address, &what);
    exec_stop(exec, "free of %s, which is not the start of a live block",
              str_text(&what));
    str_free(&what);
    return false;
  }
  sync_forget(exec, address, address + block->size);
  memory_heap_free(&exec->memory, block);
  return true;
}

bool exec_heap_size(Exec *exec, uint64_t address, uint64_t *ret_size) {
  const HeapBlock *block = memory_heap_find(&exec->memory, address);
  if (!block || block->address != address || !block->live) return false;
  *ret_size = block->size;
  return true;
}

/* ---- edges ---- */

static Outcome copy(Exec *exec, const Site *site, const uint64_t *r) {
  Memory *m = &exec->memory;
  uint64_t to = r[site->a], from = r[site->b], n = r[site->c];
  if (!memory_may_read(m, from, n)) return memory_fault(exec, "load", from, n);
  if (!memory_may_write(m, to, n)) return memory_fault(exec, "store", to, n);
  if (n) memmove(m->bytes + to, m->bytes + from, n);
  if (n && exec->options.glibc) sync_forget(exec, to, to + n);
  return OUT_NEXT;
}

static Outcome fill(Exec *exec, const Site *site, const uint64_t *r) {
  uint64_t to = r[site->a], n = r[site->c];
  if (!memory_may_write(&exec->memory, to, n)) return memory_fault(exec, "store", to, n);
  if (n) memset(exec->memory.bytes + to, (int)(r[site->b] & 0xff), n);
  if (n && exec->options.glibc) sync_forget(exec, to, to + n);
  return OUT_NEXT;
}

static Outcome allocate(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  uint64_t size = r[site->a], align = vec_at(&exec->program->objects, e->aux)->align;
  uint64_t address = memory_push(&exec->memory, &t->zone, size, align, site->edge);
  if (!address) {
    exec_stop(exec, "stack overflow: %llu bytes for a variable of variable size",
              (unsigned long long)size);
    return OUT_STOP;
  }
  memory_allow(&exec->memory, address, size, false);
  event_fresh(exec, t, address, size);
  if (site->dst) r[site->dst] = address;
  return OUT_NEXT;
}

static Outcome restore(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  uint64_t top = r[site->a];
  if (top < t->frame->stack_mark || top > t->zone.top) {
    exec_stop(exec, "the stack is restored to a place that it did not have");
    return OUT_STOP;
  }
  if (t->sync_high > top) {
    sync_forget(exec, top, t->zone.top);
    t->sync_high = top;
  }
  memory_pop(&exec->memory, &t->zone, top);
  return OUT_NEXT;
}

Outcome memory_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  switch ((OpKind)program_edge(exec->program, site->edge)->op) {
  case OP_COPY: return copy(exec, site, r);
  case OP_FILL: return fill(exec, site, r);
  case OP_ALLOCA: return allocate(exec, t, site, r);
  case OP_STACK_SAVE:
    if (site->dst) r[site->dst] = t->zone.top;
    return OUT_NEXT;
  case OP_STACK_RESTORE: return restore(exec, t, site, r);
  case OPS_CONTROL:
  case OPS_ACCESS:
  case OP_FENCE:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return slow_not_here(exec, site);
}
