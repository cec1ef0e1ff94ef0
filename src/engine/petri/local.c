/* See local.h. The packed form is the fields one after another; states are normalised by
 * whoever packs them (explore.c), so equal states have equal bytes. */
#include "engine/petri/local.h"

#include "model/exec/value.h"

void local_free(LocalState *s) {
  vec_free(&s->frames);
  vec_free(&s->regs);
  vec_free(&s->cells);
  vec_free(&s->holds);
}

#define COPY_VEC(to, from)                                                               \
  do {                                                                                   \
    vec_clear(to);                                                                       \
    if ((from)->len)                                                                     \
      memcpy(vec_extend((to), (from)->len), (from)->data,                                \
             (from)->len * sizeof *(from)->data);                                        \
  } while (0)

void local_copy(LocalState *to, const LocalState *from) {
  to->template = from->template;
  to->stage = from->stage;
  to->update = from->update;
  to->section = from->section;
  to->child = from->child;
  COPY_VEC(&to->frames, &from->frames);
  COPY_VEC(&to->regs, &from->regs);
  COPY_VEC(&to->cells, &from->cells);
  COPY_VEC(&to->holds, &from->holds);
}

enum { HEAD_NUMBERS = 10 };

void local_pack(const LocalState *s, Str *out) {
  uint32_t head[HEAD_NUMBERS] = {
      s->template,   s->stage,    s->update,    s->section,   s->child,
      s->frames.len, s->regs.len, s->cells.len, s->holds.len, 0};
  str_clear(out);
  str_add_bytes(out, head, sizeof head);
  str_add_bytes(out, s->frames.data, s->frames.len * sizeof *s->frames.data);
  str_add_bytes(out, s->regs.data, s->regs.len * sizeof *s->regs.data);
  str_add_bytes(out, s->cells.data, s->cells.len * sizeof *s->cells.data);
  str_add_bytes(out, s->holds.data, s->holds.len * sizeof *s->holds.data);
}

#define TAKE_VEC(v, n, bytes)                                                            \
  do {                                                                                   \
    vec_clear(v);                                                                        \
    if (n) memcpy(vec_extend((v), (n)), (bytes), (n) * sizeof *(v)->data);               \
    (bytes) += (n) * sizeof *(v)->data;                                                  \
  } while (0)

void local_unpack(LocalState *s, const char *bytes, size_t len) {
  uint32_t head[HEAD_NUMBERS];
  const char *at = bytes + sizeof head;
  memcpy(head, bytes, sizeof head);
  s->template = head[0];
  s->stage = head[1];
  s->update = head[2];
  s->section = head[3];
  s->child = head[4];
  TAKE_VEC(&s->frames, head[5], at);
  TAKE_VEC(&s->regs, head[6], at);
  TAKE_VEC(&s->cells, head[7], at);
  TAKE_VEC(&s->holds, head[8], at);
  assert(at == bytes + len);
  (void)len;
}

AbsValue *local_register(const World *w, LocalState *s, LocalId local) {
  const LocalFrame *f = local_top(s);
  const Function *function = vec_at(&w->program->functions, f->function);
  return vec_at(&s->regs, f->regs + (local - function->first_local));
}

void local_set(const World *w, LocalState *s, LocalId local, AbsValue v) {
  if (!local) return;
  const Local *l = vec_at(&w->program->locals, local);
  if (l->bits > 64) v = abs_top();
  if (abs_is_number(v)) v.num &= value_mask(l->bits);
  *local_register(w, s, local) = v;
}

/* ---- owned memory ---- */

static AbsValue fill_pattern(uint64_t byte, uint64_t size) {
  uint64_t v = (byte & 0xff) * UINT64_C(0x0101010101010101);
  return abs_number(v & value_mask((uint32_t)(8 * size)));
}

static AbsValue initial_value(const World *w, ObjectId object, uint64_t offset,
                              uint64_t size) {
  if (w->owned[object] != OWNED_MAIN || size > 8) return abs_top();
  AbsValue v = facts_initial(w->facts, object, offset, (uint32_t)size);
  if (abs_tag(v) == ABS_INSTANCE)
    v = abs_make(ABS_INSTANCE, w->facts->static_object[abs_id(v)], v.num);
  return v;
}

AbsValue local_read(const World *w, LocalState *s, ObjectId object, uint64_t offset,
                    uint64_t size) {
  if (size > 8) return abs_top();
  for (uint32_t i = 0; i < s->cells.len; i++) {
    const LocalCell *c = &s->cells.data[i];
    if (c->object != object || c->offset >= offset + size ||
        offset >= c->offset + c->size)
      continue;
    bool inside = c->offset <= offset && offset + size <= c->offset + c->size;
    if (inside && c->fill) return fill_pattern(c->value.num, size);
    return c->offset == offset && c->size == size ? c->value : abs_top();
  }
  return initial_value(w, object, offset, size);
}

static void insert_cell(LocalState *s, LocalCell cell) {
  uint32_t at = 0;
  while (at < s->cells.len && (s->cells.data[at].object < cell.object ||
                               (s->cells.data[at].object == cell.object &&
                                s->cells.data[at].offset < cell.offset)))
    at++;
  vec_push(&s->cells, cell);
  memmove(&s->cells.data[at + 1], &s->cells.data[at],
          (s->cells.len - 1 - at) * sizeof cell);
  s->cells.data[at] = cell;
}

/* Removes the range; what is left of cells that are cut is a fill, or TOP. */
static void cut_range(LocalState *s, ObjectId object, uint64_t from, uint64_t to) {
  for (uint32_t i = 0; i < s->cells.len;) {
    LocalCell c = s->cells.data[i];
    uint64_t end = (uint64_t)c.offset + c.size;
    if (c.object != object || c.offset >= to || from >= end) {
      i++;
      continue;
    }
    memmove(&s->cells.data[i], &s->cells.data[i + 1], (s->cells.len - 1 - i) * sizeof c);
    s->cells.len--;
    AbsValue rest = c.fill ? c.value : abs_top();
    LocalCell left = {object, c.offset, (uint32_t)(from - c.offset), c.fill, rest};
    LocalCell right = {object, (uint32_t)to, (uint32_t)(end - to), c.fill, rest};
    if (c.offset < from) insert_cell(s, left);
    if (end > to) insert_cell(s, right);
    i = 0;
  }
}

void local_write(const World *w, LocalState *s, ObjectId object, uint64_t offset,
                 uint64_t size, AbsValue value, bool fill) {
  uint64_t whole = vec_at(&w->program->objects, object)->size;
  if (!size) return;
  if (offset >= whole || size > whole - offset || whole > UINT32_MAX) {
    local_lose(w, s, object);
    return;
  }
  if (!fill && size > 8) value = abs_top();
  cut_range(s, object, offset, offset + size);
  if (abs_is_top(value) && w->owned[object] == OWNED_FRAME) return;
  insert_cell(s, (LocalCell){object, (uint32_t)offset, (uint32_t)size,
                             fill && abs_is_number(value), value});
}

void local_lose(const World *w, LocalState *s, ObjectId object) {
  uint64_t whole = vec_at(&w->program->objects, object)->size;
  cut_range(s, object, 0, UINT32_MAX);
  if (w->owned[object] != OWNED_FRAME && whole)
    insert_cell(s,
                (LocalCell){object, 0, whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole,
                            0, abs_top()});
}

void local_keep(LocalState *s, ObjectId object, uint32_t offset, uint32_t size,
                AbsValue value) {
  cut_range(s, object, offset, (uint64_t)offset + size);
  insert_cell(s, (LocalCell){object, offset, size, 0, value});
}

void local_forget(LocalState *s, ObjectId object, uint32_t offset, uint32_t size) {
  cut_range(s, object, offset, (uint64_t)offset + size);
}

void local_drop_frame(const World *w, LocalState *s, FuncId function) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->cells.len; i++) {
    const Object *o = vec_at(&w->program->objects, s->cells.data[i].object);
    bool gone = w->owned[s->cells.data[i].object] == OWNED_FRAME && o->owner == function;
    if (!gone) s->cells.data[kept++] = s->cells.data[i];
  }
  s->cells.len = kept;
}

/* ---- locks ---- */

LocalHold *local_hold(LocalState *s, uint32_t sync) {
  for (uint32_t i = 0; i < s->holds.len; i++)
    if (s->holds.data[i].sync == sync) return &s->holds.data[i];
  return NULL;
}

void local_take(LocalState *s, uint32_t sync, bool shared) {
  LocalHold *held = local_hold(s, sync);
  if (held) {
    held->depth++;
    return;
  }
  LocalHold taken = {.sync = sync, .shared = shared, .depth = 1};
  uint32_t at = 0;
  while (at < s->holds.len && s->holds.data[at].sync < sync) at++;
  vec_push(&s->holds, taken);
  memmove(&s->holds.data[at + 1], &s->holds.data[at],
          (s->holds.len - 1 - at) * sizeof taken);
  s->holds.data[at] = taken;
}

void local_release(LocalState *s, uint32_t sync) {
  LocalHold *held = local_hold(s, sync);
  if (!held || --held->depth) return;
  uint32_t at = (uint32_t)(held - s->holds.data);
  memmove(held, held + 1, (s->holds.len - 1 - at) * sizeof *held);
  s->holds.len--;
}
