/* See machine.h. */
#include "machine.h"

uint64_t machine_number(const Machine *m, uint64_t value, uint32_t bits) {
  if (bits < 64) return value & ((UINT64_C(1) << bits) - 1);
  for (uint32_t n = 1; n <= m->exec->threads.len && n < MACHINE_THREADS; n++) {
    uint64_t id = m->kind[n] ? m->model->kinds.data[m->kind[n] - 1].id : 0;
    if (id && value == thread_id(exec_thread(m->exec, n))) return id;
  }
  return value;
}

/* ---- where things are ---- */

static uint64_t in_frame(const Frame *f, ObjectId object, uint32_t offset) {
  for (uint32_t i = 0; f && i < f->code->object_count; i++)
    if (f->code->objects[i] == object)
      return f->stack + f->code->object_offset[i] + offset;
  return 0;
}

/* The bytes of a single object: a global, or a variable of main. */
static uint64_t single_address(const Machine *m, ObjectId object, uint32_t offset) {
  const Object *o = &m->exec->program->objects.data[object];
  if (o->kind == OBJECT_GLOBAL) return m->exec->object_address[object] + offset;
  for (const Frame *f = exec_thread(m->exec, 1)->frame; f; f = f->up)
    if (f->code->function == m->exec->program->main) return in_frame(f, object, offset);
  return 0;
}

static Concrete memory_at(const Machine *m, uint64_t address, uint32_t bits) {
  uint64_t value = 0;
  if (!address || bits > 64 || !exec_peek_memory(m->exec, address, &value, bits / 8))
    return (Concrete){0};
  return (Concrete){true, machine_number(m, value, bits)};
}

/* ---- ghosts ---- */

static bool has_ended(const Machine *m, uint32_t kind) {
  for (uint32_t n = 1; n <= m->exec->threads.len && n < MACHINE_THREADS; n++)
    if (m->kind[n] == kind + 1) return exec_thread(m->exec, n)->state == THREAD_ENDED;
  return false;
}

static Concrete ghost_of(const Machine *m, ObjectId object, uint32_t offset,
                         uint8_t which, uint32_t thread) {
  uint64_t at = single_address(m, object, offset);
  uint32_t word = 0;
  if (!at) return (Concrete){0};
  SyncKind kind = which == GHOST_VALUE  ? SYNC_SEM
                  : which == GHOST_DONE ? SYNC_ONCE
                                        : SYNC_LOCK;
  const Sync *y = sync_find(m->exec, at, kind);
  if (!y && which == GHOST_OWNER) y = sync_find(m->exec, at, SYNC_ONCE);
  uint64_t value = 0;
  if (which == GHOST_OWNER) value = y && (thread ? y->owner == thread : y->owner != 0);
  if (which == GHOST_COUNT) value = y && y->owner == thread ? y->depth : 0;
  if (which == GHOST_READERS) value = y ? y->threads.len : 0;
  if (which == GHOST_READS)
    for (uint32_t i = 0; y && i < y->threads.len; i++)
      value += y->threads.data[i] == thread;
  if (which == GHOST_VALUE) {
    if (!y) return (Concrete){0};
    value = y->value;
  }
  if (which == GHOST_DONE) {
    exec_peek_memory(m->exec, at, &word, sizeof word);
    value = word == ONCE_DONE;
  }
  return (Concrete){true, value};
}

/* ---- locals ---- */

/* What does not matter for the question has other values in a slice. */
static bool matters(const Machine *m, ObjectId object, LocalId local) {
  if (!m->slice) return true;
  return object ? m->slice->objects[object] : m->slice->locals[local];
}

static Concrete local_at(const Machine *m, uint32_t thread, const Automaton *a,
                         uint32_t location, const AutoVariable *v) {
  const ExecThread *t = exec_thread(m->exec, thread);
  const Frame *f = t->frame;
  uint32_t frame = a->locations.data[location].frame;
  if (a->locations.data[location].inside || !matters(m, v->object, v->local))
    return (Concrete){0};
  if (v->object && !v->frame)
    return memory_at(m, t->tls + m->exec->object_address[v->object] + v->offset, v->bits);
  for (; frame && f && frame != v->frame; f = f->up) frame = a->frames.data[frame].up;
  if (!frame || !f) return (Concrete){0};
  if (v->object) return memory_at(m, in_frame(f, v->object, v->offset), v->bits);
  if (v->bits > 64) return (Concrete){0};
  const Function *fn = &m->exec->program->functions.data[f->code->function];
  uint64_t value = f->slots[f->code->slot_of[v->local - fn->first_local]];
  return (Concrete){true, machine_number(m, value, v->bits)};
}

/* There may be no such element. */
static Concrete cell_at(const Machine *m, const CircShared *v, uint32_t bits) {
  uint64_t offset = v->offset + (uint64_t)v->stride * m->element;
  if (offset + bits / 8 > m->exec->program->objects.data[v->object].size)
    return (Concrete){0};
  return memory_at(m, single_address(m, v->object, (uint32_t)offset), bits);
}

void machine_look(const Machine *m, uint32_t thread, uint32_t location, Snapshot *ret) {
  const CircKind *k = &m->model->kinds.data[m->kind[thread] - 1];
  const Automaton *a = &m->model->automata->kinds.data[k->automaton];
  vec_clear(&ret->shared);
  vec_clear(&ret->locals);
  for (uint32_t i = 0; i < m->model->shared.len; i++) {
    const CircShared *v = &m->model->shared.data[i];
    uint32_t bits = term_bits(m->model->terms, v->now);
    Concrete is;
    if (v->ghost && v->which == GHOST_ENDED)
      is = (Concrete){true, has_ended(m, v->offset)};
    else if (v->ghost && v->which == GHOST_KNOWN)
      is = (Concrete){true, m->model->kinds.data[v->offset].id};
    else if (v->ghost && v->which == CIRC_ELEMENT)
      is = (Concrete){true, m->element};
    else if (v->ghost)
      is = ghost_of(m, v->object, v->offset, v->which, 0);
    else if (matters(m, v->object, 0))
      is = cell_at(m, v, bits);
    else
      is = (Concrete){0};
    vec_push(&ret->shared, is);
  }
  for (uint32_t i = 0; location && i < k->locals.len; i++) {
    const CircLocal *l = &k->locals.data[i];
    Concrete is = {0};
    if (circ_is_live(m->model, m->kind[thread] - 1, location, i)) {
      if (l->variable)
        is = local_at(m, thread, a, location, &a->variables.data[l->variable]);
      else if (l->which == CIRC_COUNTS)
        is = (Concrete){0}; /* what a thread has added to something, no machine knows */
      else if (l->which == GHOST_ALL)
        is = (Concrete){true, m->half[thread]};
      else
        is = ghost_of(m, l->object, l->offset, l->which, thread);
    }
    vec_push(&ret->locals, is);
  }
}

void snapshot_free(Snapshot *s) {
  vec_free(&s->shared);
  vec_free(&s->locals);
}
