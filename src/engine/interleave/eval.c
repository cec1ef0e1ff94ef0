/* The machine's state as a store of expressions (engine/abseval.h): registers, instances, and which
 * addresses differ. A TOP that may hide an address is noted in the state (`lost`). */
#include "engine/interleave/machine.h"
#include "model/exec/value.h"

ThreadFrame *il_frame_top(Machine *m) {
  AbsThread *t = &m->s.threads[m->t];
  return vec_last(&t->frames);
}

void il_local_set(Machine *m, LocalId local, AbsValue v) {
  if (!local) return;
  AbsThread *t = &m->s.threads[m->t];
  const ThreadFrame *f = vec_last(&t->frames);
  const Function *function = vec_at(&m->p->functions, f->function);
  const Local *l = vec_at(&m->p->locals, local);
  if (l->bits > 64) v = abs_top();
  if (abs_is_number(v)) v.num &= value_mask(l->bits);
  *vec_at(&t->regs, f->regs + (local - function->first_local)) = v;
}

uint32_t il_instance_new(Machine *m, ObjectId object, uint32_t size, Default contents) {
  if (facts_is_havocked(m->facts, object)) contents = DEFAULT_TOP;
  Instance i = {.object = object, .size = size, .contents = (uint8_t)contents};
  vec_push(&m->s.instances, i);
  return m->s.instances.len - 1;
}

/* Stack and thread-local objects come to life when their address is first needed: before
 * that nobody can have touched them. */
uint32_t il_instance_of(Machine *m, ObjectId object) {
  if (m->facts->static_instance[object]) return m->facts->static_instance[object] - 1;
  const Object *o = vec_at(&m->p->objects, object);
  bool tls = o->kind == OBJECT_TLS;
  uint32_t frame = tls ? 0 : m->s.threads[m->t].frames.len - 1;
  for (uint32_t i = m->facts->static_count; i < m->s.instances.len; i++) {
    const Instance *x = &m->s.instances.data[i];
    if (x->object == object && !x->dead && x->owner == m->t + 1 && x->frame == frame)
      return i;
  }
  uint32_t size = o->size && o->size < SIZE_UNKNOWN ? (uint32_t)o->size : SIZE_UNKNOWN;
  /* what the library keeps (without a place in the source) it fills itself */
  bool known = tls && o->loc && !(o->flags & OBJECT_EXTERNAL);
  uint32_t made = il_instance_new(m, object, size, known ? DEFAULT_INITIAL : DEFAULT_TOP);
  m->s.instances.data[made].owner = (uint8_t)(m->t + 1);
  m->s.instances.data[made].frame = frame;
  return made;
}

static bool is_inside(const Machine *m, AbsValue v) {
  if (abs_tag(v) == ABS_FUNCTION || abs_tag(v) == ABS_LABEL) return true;
  if (abs_tag(v) == ABS_THREAD)
    return m->s.threads[abs_id(v)].status == THREAD_LIVE ||
           m->s.threads[abs_id(v)].status == THREAD_STOPPED ||
           m->s.threads[abs_id(v)].status == THREAD_ENDED;
  if (abs_tag(v) != ABS_INSTANCE) return false;
  const Instance *i = &m->s.instances.data[abs_id(v)];
  bool merged = vec_at(&m->p->objects, i->object)->flags & OBJECT_LITERAL;
  return !i->dead && !merged && i->size != SIZE_UNKNOWN && v.num < i->size;
}

int il_equal(const void *machine, AbsValue a, AbsValue b) {
  const Machine *m = machine;
  if (abs_is_top(a) || abs_is_top(b)) return -1;
  if (abs_is_number(a) && abs_is_number(b)) return a.num == b.num;
  if (abs_is_number(a) || abs_is_number(b)) {
    /* the origin of an address is not NULL; what other numbers mean is not known */
    AbsValue address = abs_is_number(a) ? b : a;
    uint64_t number = abs_is_number(a) ? a.num : b.num;
    bool far = abs_tag(address) != ABS_INSTANCE || (int64_t)address.num >= 0;
    return number == 0 && far ? 0 : -1;
  }
  if (abs_tag(a) == ABS_WITHIN || abs_tag(b) == ABS_WITHIN) {
    bool apart = abs_id(a) != abs_id(b) && abs_is_address(a) != abs_is_address(b);
    return apart ? 0 : -1;
  }
  if (a.base == b.base) return a.num == b.num;
  return is_inside(m, a) && is_inside(m, b) ? 0 : -1;
}

static AbsValue get_local(void *store, LocalId local) {
  const Machine *m = store;
  const AbsThread *t = &m->s.threads[m->t];
  const ThreadFrame *f = vec_last(&t->frames);
  const Function *function = vec_at(&m->p->functions, f->function);
  return *vec_at(&t->regs, f->regs + (local - function->first_local));
}

static AbsValue get_object(void *store, ObjectId object) {
  return abs_make(ABS_INSTANCE, il_instance_of(store, object), 0);
}

static void note_lost(void *store) {
  ((Machine *)store)->s.lost = true;
}

static void note_stray(void *store) {
  ((Machine *)store)->strange = true;
}

AbsValue il_eval(Machine *m, ExprId e) {
  static const AbsStore STORE = {.local = get_local,
                                 .object = get_object,
                                 .equal = il_equal,
                                 .lose = note_lost,
                                 .stray = note_stray};
  return abs_eval(m->p, e, &STORE, m, &m->memo);
}
