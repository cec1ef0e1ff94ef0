/* A local state as a store of expressions (engine/abseval.h). An object stands for all its
 * instances, so that only addresses in one that exists once can be compared. */
#include "engine/petri/local.h"

/* An address that lies inside of the only instance of an object that is nobody else's. */
static bool is_distinct(const World *w, AbsValue v) {
  if (abs_tag(v) == ABS_FUNCTION || abs_tag(v) == ABS_LABEL) return true;
  if (abs_tag(v) != ABS_INSTANCE) return false;
  const Object *o = vec_at(&w->program->objects, abs_id(v));
  return o->kind == OBJECT_GLOBAL && !(o->flags & (OBJECT_LITERAL | OBJECT_EXTERNAL)) &&
         v.num < o->size;
}

int local_equal(const World *w, AbsValue a, AbsValue b) {
  if (abs_is_top(a) || abs_is_top(b)) return -1;
  if (abs_is_number(a) && abs_is_number(b)) return a.num == b.num;
  if (abs_is_number(a) || abs_is_number(b)) {
    AbsValue address = abs_is_number(a) ? b : a;
    uint64_t number = abs_is_number(a) ? a.num : b.num;
    if (abs_tag(address) == ABS_THREAD) return -1;
    bool far = abs_tag(address) != ABS_INSTANCE || (int64_t)address.num >= 0;
    return number == 0 && far ? 0 : -1;
  }
  if (a.base != b.base) return is_distinct(w, a) && is_distinct(w, b) ? 0 : -1;
  if (abs_tag(a) == ABS_FUNCTION || abs_tag(a) == ABS_LABEL) return 1;
  return abs_tag(a) == ABS_INSTANCE && w->single[abs_id(a)] ? a.num == b.num : -1;
}

typedef struct {
  const World *w;
  LocalState *s;
} Store;

static AbsValue get_local(void *store, LocalId local) {
  const Store *x = store;
  return *local_register(x->w, x->s, local);
}

static AbsValue get_object(void *store, ObjectId object) {
  (void)store;
  return abs_make(ABS_INSTANCE, object, 0);
}

static int are_equal(const void *store, AbsValue a, AbsValue b) {
  return local_equal(((const Store *)store)->w, a, b);
}

static bool is_single(const void *store, uint32_t id) {
  return ((const Store *)store)->w->single[id];
}

AbsValue local_eval(const World *w, LocalState *s, ExprId expr) {
  static const AbsStore STORE = {.local = get_local,
                                 .object = get_object,
                                 .equal = are_equal,
                                 .is_single = is_single};
  Store store = {w, s};
  return abs_eval(w->program, expr, &STORE, &store, NULL);
}

void local_learn(const World *w, LocalState *s, ExprId condition) {
  LocalId local;
  AbsValue value;
  if (abs_learn(w->program, condition, &local, &value) &&
      vec_at(&w->program->locals, local)->sort == SORT_INT)
    local_set(w, s, local, value);
}
