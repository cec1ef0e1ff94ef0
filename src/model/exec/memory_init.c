/* The program's static memory: addresses of globals, functions and labels, initial
 * contents, thread-local blocks. In: the object table. Out: object_address of every
 * object that has one.
 *
 * External objects are those of the C library when the library side knows them; any other
 * one has an address but no bytes, so that touching it is a clear stop. */
#include "model/exec/eval.h"
#include "model/exec/event.h"

uint64_t exec_function_address(Exec *exec, FuncId id) {
  return id ? exec->memory.functions + (uint64_t)id * FUNCTION_STRIDE : 0;
}

FuncId exec_function_at(Exec *exec, uint64_t address) {
  uint64_t id = (address - exec->memory.functions) / FUNCTION_STRIDE;
  if (address < exec->memory.functions || address % FUNCTION_STRIDE ||
      id >= exec->program->functions.len)
    return 0;
  return (FuncId)id;
}

uint64_t exec_label_address(const Exec *exec, uint32_t label) {
  return exec->memory.labels + (uint64_t)label * FUNCTION_STRIDE;
}

uint64_t exec_object_address(Exec *exec, ObjectId id) {
  if (!id || id >= exec->program->objects.len) return 0;
  ObjectKind kind = (ObjectKind)vec_at(&exec->program->objects, id)->kind;
  if (kind == OBJECT_TLS)
    return exec->current ? exec->current->tls + exec->object_address[id] : 0;
  return kind == OBJECT_GLOBAL || kind == OBJECT_LIBRARY ? exec->object_address[id] : 0;
}

/* ---- places ---- */

static bool place_static(Exec *exec, ObjectId id, const Object *object) {
  uint64_t address = memory_new_static(&exec->memory, id, object->size, object->align);
  if (!address) {
    exec_stop(exec, "the program's global objects do not fit its memory");
    return false;
  }
  exec->object_address[id] = address;
  return true;
}

static void place_tls(Exec *exec, ObjectId id, const Object *object) {
  uint64_t align = object->align < 16 ? 16 : object->align;
  uint64_t offset = align_up(exec->tls_size, align);
  exec->object_address[id] = offset;
  exec->tls_size = offset + align_up(object->size, 16) + STACK_GAP;
  if (align > exec->tls_align) exec->tls_align = align;
  vec_push(&exec->tls_objects, id);
}

/* ---- contents ---- */

static bool write_relocations(Exec *exec, const Object *object, uint8_t *bytes) {
  for (uint32_t i = 0; i < object->reloc_count; i++) {
    const Reloc *reloc = vec_at(&exec->program->relocs, object->first_reloc + i);
    const Expr *target = vec_at(&exec->program->exprs, reloc->target);
    uint64_t *words = mem_alloc_zero(value_words(target->bits) * sizeof *words + 8);
    bool good = eval_peek(exec, NULL, reloc->target, words);
    if (good)
      memcpy(bytes + reloc->offset, words,
             reloc->size < bits_to_bytes(target->bits) ? reloc->size
                                                       : bits_to_bytes(target->bits));
    mem_free(words);
    if (!good) {
      exec_stop(exec, "the initial value of %s is undefined",
                sym_text(exec->program, object->name));
      return false;
    }
  }
  return true;
}

/* State inside of the C library: the library side may know what it starts with. */
static bool is_library(const Object *object) {
  return object->kind == OBJECT_LIBRARY || (object->kind == OBJECT_TLS && !object->loc);
}

static bool write_initial(Exec *exec, const Object *object, uint8_t *bytes) {
  if (is_library(object) && object->size)
    libc_init_object(exec, exec->libc, sym_text(exec->program, object->name), bytes,
                     object->size);
  if (object->init_size)
    memcpy(bytes, &exec->program->bytes.data[object->init], object->init_size);
  return write_relocations(exec, object, bytes);
}

static bool fill_static(Exec *exec, ObjectId id, const Object *object) {
  Memory *memory = &exec->memory;
  uint64_t address = exec->object_address[id];
  if (object->flags & OBJECT_EXTERNAL) {
    if (object->size &&
        libc_init_object(exec, exec->libc, sym_text(exec->program, object->name),
                         memory->bytes + address, object->size))
      memory_allow(memory, address, object->size, false);
    return true;
  }
  if (!write_initial(exec, object, memory->bytes + address)) return false;
  memory_allow(memory, address, object->size, object->flags & OBJECT_CONSTANT);
  return true;
}

bool memory_load(Exec *exec) {
  const Program *p = exec->program;
  exec->tls_align = 16;
  for (ObjectId id = 1; id < p->objects.len; id++) {
    const Object *object = &p->objects.data[id];
    if (object->kind == OBJECT_TLS)
      place_tls(exec, id, object);
    else if ((object->kind == OBJECT_GLOBAL || object->kind == OBJECT_LIBRARY) &&
             !place_static(exec, id, object))
      return false;
  }
  for (ObjectId id = 1; id < p->objects.len; id++) {
    const Object *object = &p->objects.data[id];
    if ((object->kind == OBJECT_GLOBAL || object->kind == OBJECT_LIBRARY) &&
        !fill_static(exec, id, object))
      return false;
  }
  return exec->result.end == EXEC_RUNNING;
}

bool memory_load_tls(Exec *exec, ExecThread *t) {
  if (!exec->tls_size) return true;
  t->tls = memory_push(&exec->memory, &t->zone, exec->tls_size, exec->tls_align, 0);
  if (!t->tls) {
    exec_stop(exec, "the program's thread-local objects are larger than a stack");
    return false;
  }
  for (uint32_t i = 0; i < exec->tls_objects.len; i++) {
    ObjectId id = exec->tls_objects.data[i];
    const Object *object = vec_at(&exec->program->objects, id);
    uint64_t address = t->tls + exec->object_address[id];
    if (object->flags & OBJECT_EXTERNAL) continue;
    if (!write_initial(exec, object, exec->memory.bytes + address)) return false;
    memory_allow(&exec->memory, address, object->size, false);
  }
  event_fresh(exec, t, t->tls, exec->tls_size);
  return true;
}

/* ---- errno ---- */

uint64_t exec_errno_address(Exec *exec, ExecThread *t) {
  ObjectId id = exec->program->errno_object;
  if (id) {
    ObjectKind kind = (ObjectKind)vec_at(&exec->program->objects, id)->kind;
    uint64_t address = exec->object_address[id] + (kind == OBJECT_TLS ? t->tls : 0);
    if (memory_may_write(&exec->memory, address, 4)) return address;
  }
  if (!t->errno_address) {
    t->errno_address = memory_new_static(&exec->memory, 0, 4, 16);
    if (!t->errno_address) return 0;
    memory_allow(&exec->memory, t->errno_address, 4, false);
  }
  return t->errno_address;
}

void exec_set_errno(Exec *exec, ExecThread *t, int value) {
  uint64_t address = exec_errno_address(exec, t);
  if (address) memcpy(exec->memory.bytes + address, &value, sizeof value);
}

int exec_get_errno(Exec *exec, ExecThread *t) {
  int value = 0;
  uint64_t address = exec_errno_address(exec, t);
  if (address) memcpy(&value, exec->memory.bytes + address, sizeof value);
  return value;
}
