/* What happens when a loc arrives at an address: loads, stores, copies, calls, escape.
 *
 * A copy of memory goes through a buffer of its own, an object without a type: words of every
 * source flow into the buffer at their distance from the source pointer, and from there to
 * every target. Sources and targets are so joined by links that are as many as there are of
 * both, not as many as there are pairs. A *watch* makes words follow that appear later.
 *
 * Doing anything here twice changes nothing: the solver relies on it. */
#include "analysis/pointsto_internal.h"

enum { SPREAD_LIMIT = 1024 };

/* ---- copies ---- */

AObject pt_copy_buffer(Solver *s, EdgeId edge, uint32_t k) {
  uint64_t *known = map_at(&s->copy_buffers, (uint64_t)edge * 16 + k);
  if (!*known) *known = pt_object_new(s, AOBJECT_BUFFER, 0, true, UINT32_MAX);
  return (AObject)*known;
}

static bool is_constant(const Solver *s, AObject object) {
  return s->objects.data[object].kind == AOBJECT_PROGRAM &&
         (vec_at(&s->p->objects, object)->flags & OBJECT_CONSTANT);
}

/* The source word lies `distance` bytes behind the beginning of the copy. */
static void put_word(Solver *s, NodeNo source, const Watch *w, int64_t distance) {
  if (distance <= -8 || (w->size != UINT32_MAX && distance >= (int64_t)w->size)) return;
  const PtObject *to = &s->objects.data[w->object];
  int64_t at = w->to + distance;
  if (to->dynamic || (at > -8 && at < to->size)) {
    pt_node_copy(s, source, pt_object_word(s, w->object, at));
    if (at & 7) pt_node_copy(s, source, pt_object_word(s, w->object, at + 7));
  }
}

/* From an object whose words repeat every `period` bytes. */
static void put_periodic(Solver *s, NodeNo source, const Watch *w, int64_t distance,
                         uint32_t period) {
  int64_t first = ((distance % period) + period) % period;
  if (w->size <= period) { /* at most once in the range */
    put_word(s, source, w, first);
    put_word(s, source, w, first - period);
    return;
  }
  PtObject *to = &s->objects.data[w->object];
  if (to->dynamic) {
    pt_object_set_period(s, w->object, period);
    pt_node_copy(s, source, pt_object_word(s, w->object, w->to + first));
    if ((w->to + first) & 7)
      pt_node_copy(s, source, pt_object_word(s, w->object, w->to + first + 7));
    return;
  }
  if (pt_object_stays(s, to, w->to + first, period, 0)) {
    put_word(s, source, w, first);
    return;
  }
  uint64_t room = to->size < w->size ? to->size : w->size;
  if (room / period > SPREAD_LIMIT) {
    pt_node_copy(s, source, pt_object_any(s, w->object));
    return;
  }
  for (int64_t d = first - period; d < (int64_t)room; d += period)
    put_word(s, source, w, d);
}

/* Distances of all places that a word of an object with a layout stands for. */
typedef struct {
  int64_t at[SPREAD_LIMIT];
  uint32_t count;
  uint32_t period; /* also every multiple of this further on or back; 0: none */
  bool any;
} Spread;

static void spread_region(Spread *d, const Region *r, bool common, const Watch *w) {
  bool inside = common && w->size != UINT32_MAX &&
                (uint64_t)w->at - r->start + w->size <= r->element;
  if (inside) return;
  if (common || r->end == UINT32_MAX) {
    d->period = pt_common_divisor(d->period, r->element);
    return;
  }
  uint32_t count = (r->end - r->start) / r->element, old = d->count;
  if ((uint64_t)count * old > SPREAD_LIMIT) {
    d->any = true;
    return;
  }
  for (uint32_t k = 1; k < count; k++)
    for (uint32_t i = 0; i < old; i++)
      d->at[d->count++] = d->at[i] + (int64_t)k * r->element;
}

static void put_from_layout(Solver *s, NodeNo source, AObject from, int32_t word,
                            const Watch *w) {
  const PtObject *o = &s->objects.data[from];
  const Region *around[LAYOUT_DEPTH], *start[LAYOUT_DEPTH];
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)word, around);
  uint32_t n = layout_around(s->layouts, o->layout, (uint32_t)w->at, start);
  Spread *d = mem_alloc(sizeof *d);
  d->count = 1;
  d->period = 0;
  d->any = false;
  d->at[0] = (int64_t)word - w->at;
  for (uint32_t i = depth; i-- > 0 && !d->any;)
    spread_region(d, around[i], i < n && start[i] == around[i], w);
  if (d->any) pt_node_copy(s, source, pt_object_any(s, w->object));
  for (uint32_t i = 0; i < d->count && !d->any; i++) {
    if (d->period)
      put_periodic(s, source, w, d->at[i], d->period);
    else
      put_word(s, source, w, d->at[i]);
  }
  mem_free(d);
}

static void link_word(Solver *s, AObject from, int32_t word, const Watch *w) {
  const PtObject *o = &s->objects.data[from];
  NodeNo source = pt_object_word(s, from, word);
  if (!o->dynamic) {
    put_from_layout(s, source, from, word, w);
    return;
  }
  if (!o->period)
    put_word(s, source, w, (int64_t)word - w->at);
  else if (o->period % 8)
    pt_node_copy(s, source, pt_object_any(s, w->object));
  else
    put_periodic(s, source, w, (int64_t)word - w->at, o->period);
}

static void link_new(Solver *s, AObject from, int32_t word, const Watch *w) {
  if (is_constant(s, w->object)) return;
  if (word == WORD_ANY)
    pt_node_copy(s, s->objects.data[from].any, pt_object_any(s, w->object));
  else
    link_word(s, from, word, w);
}

void pt_copy_watch(Solver *s, AObject from, int32_t at, uint32_t size, AObject to,
                   int32_t to_at) {
  Watch w = {.object = to, .at = at, .to = to_at, .size = size};
  struct {
    AObject from;
    Watch w;
  } key = {from, w};
  uint64_t *known = strmap_at(&s->watches, (const char *)&key, sizeof key);
  if (*known) return;
  *known = 1;
  vec_push(&s->objects.data[from].watches, w);
  if (s->objects.data[from].any) link_new(s, from, WORD_ANY, &w);
  uint32_t count = s->objects.data[from].words.len;
  for (uint32_t i = 0; i < count && i < s->objects.data[from].words.len; i++)
    link_new(s, from, s->objects.data[from].words.data[i].at, &w);
}

void pt_copy_pending_words(Solver *s) {
  for (uint32_t i = 0; i < s->new_words.len && !pt_poll_stop(s); i++) {
    NewWord n = s->new_words.data[i];
    pt_object_widen(s, n.object);
    for (uint32_t k = 0; k < s->objects.data[n.object].watches.len && !pt_poll_stop(s);
         k++) {
      Watch w = s->objects.data[n.object].watches.data[k];
      link_new(s, n.object, n.at, &w);
    }
  }
  vec_clear(&s->new_words);
}

/* ---- uses ---- */

static void outside_use(Solver *s, const Use *use) {
  uint32_t slots = slots_of(use->size * 8);
  switch ((UseKind)use->kind) {
  case USE_LOAD:
    for (uint32_t i = 0; i < slots; i++) pt_node_add(s, use->node + i, LOC_UNKNOWN);
    return;
  case USE_STORE:
    for (uint32_t i = 0; i < slots; i++) pt_node_copy(s, use->node + i, s->escaped);
    return;
  case USE_LOAD_ALL: pt_node_add(s, use->node, LOC_UNKNOWN); return;
  case USE_STORE_ANY: pt_node_copy(s, use->node, s->escaped); return;
  case USE_COPY_FROM: pt_node_add(s, pt_object_any(s, use->object), LOC_UNKNOWN); return;
  case USE_COPY_TO: pt_node_copy(s, pt_object_all(s, use->object), s->escaped); return;
  case USE_CALL: pt_call_bind_unknown(s, use->edge, 0); return;
  case USE_CALLBACK: pt_call_bind_unknown(s, use->edge, use->node + 1); return;
  case USE_GIVE:
    pt_node_copy(s, use->node, pt_given_node(s, use->size, 0));
    pt_node_copy(s, use->node, s->escaped);
    return;
  case USE_ESCAPE:
  case USE_SORT: return;
  }
}

static void function_use(Solver *s, const Use *use, FuncId function) {
  if (use->kind == USE_CALL && pt_call_fits(s, program_edge(s->p, use->edge), function))
    pt_call_bind(s, use->edge, function);
  else if (use->kind == USE_CALLBACK)
    pt_callback_bind(s, use->edge, use->node, function);
  else if (use->kind == USE_GIVE)
    pt_node_copy(s, use->node, pt_given_node(s, use->size, function));
  else if (use->kind == USE_ESCAPE)
    pt_function_escape(s, function);
}

/* Loads and stores: each 8 bytes of the value with the words that they lie in. */
static void access_words(Solver *s, const Use *use, AObject object, int32_t offset) {
  bool load = use->kind == USE_LOAD;
  for (uint32_t i = 0; i * 8 < use->size; i++) {
    int64_t first = (int64_t)offset + i * 8;
    int64_t last = (int64_t)offset + use->size - 1;
    last = last < first + 7 ? last : first + 7;
    NodeNo node = use->node + i;
    NodeNo words[2] = {pt_object_word(s, object, first), 0};
    words[1] = first >> 3 != last >> 3 ? pt_object_word(s, object, last) : 0;
    for (int k = 0; k < 2; k++)
      pt_node_copy(s, load ? words[k] : node, load ? node : words[k]);
  }
}

static void access_anywhere(Solver *s, const Use *use, AObject object) {
  uint32_t slots = slots_of(use->size * 8);
  for (uint32_t i = 0; i < slots; i++) {
    if (use->kind == USE_LOAD)
      pt_node_copy(s, pt_object_all(s, object), use->node + i);
    else
      pt_node_copy(s, use->node + i, pt_object_any(s, object));
  }
}

static void sort_use(Solver *s, const Use *use, AObject object, bool any,
                     int32_t offset) {
  const PtObject *o = &s->objects.data[object];
  if (!any && use->size && o->dynamic)
    pt_object_set_period(s, object, use->size);
  else if (any || !use->size ||
           !pt_object_stays(s, o, offset, use->size, ptradd_by_elements(use->size)))
    pt_node_copy(s, pt_object_all(s, object), pt_object_any(s, object));
}

/* How many bytes from the place on a copy touches. */
static uint32_t copied_bytes(const Solver *s, const Use *use, AObject object,
                             int32_t offset) {
  const PtObject *o = &s->objects.data[object];
  const Region *around[LAYOUT_DEPTH];
  if (use->size != STRING_BYTES || o->dynamic || !pt_object_has(o, offset))
    return use->size;
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  const Region *r = depth ? around[depth - 1] : NULL;
  return r && r->element == 1 && r->end != UINT32_MAX ? r->end - r->start : use->size;
}

enum { BEHIND_LIMIT = 64 }; /* words that are put together one by one */

/* A part of an array, from some element on, and what lies behind the array: only as much is put
 * together here as does not follow when the copy begins with the first element. A long part stands
 * for the whole object, so that a large structure costs no more than a small one. */
static void copy_behind(Solver *s, const Use *use, AObject object, int32_t offset) {
  const PtObject *o = &s->objects.data[object];
  const Region *around[LAYOUT_DEPTH];
  LayoutExtent e;
  if (o->dynamic || use->size == UINT32_MAX || use->size == STRING_BYTES ||
      !pt_object_extent(s, o, offset, use->size, &e) || !e.crosses)
    return;
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  const Region *r = around[depth - 1];
  if (r->end == UINT32_MAX || use->size >= r->end - r->start || e.to <= r->end) return;
  uint64_t to = e.to < o->size ? e.to : o->size;
  if (to > r->end + 8 * BEHIND_LIMIT) {
    AObject from = use->kind == USE_COPY_FROM ? object : use->object;
    AObject into = use->kind == USE_COPY_FROM ? use->object : object;
    pt_node_copy(s, pt_object_all(s, from), pt_object_any(s, into));
    return;
  }
  for (uint64_t at = r->end & ~UINT64_C(7); at < to; at += 8) {
    NodeNo word = pt_object_word(s, object, (int64_t)at);
    if (use->kind == USE_COPY_FROM)
      pt_node_copy(s, word, pt_object_any(s, use->object));
    else
      pt_node_copy(s, pt_object_all(s, use->object), word);
  }
}

static void object_use(Solver *s, const Use *use, LocNo loc) {
  AObject object = loc_object(loc);
  if (use->kind == USE_ESCAPE) {
    pt_object_escape(s, object);
    return;
  }
  bool any = loc_is_any(loc);
  Place place = any ? (Place){0} : *loc_place(s, loc);
  if (s->objects.data[object].barren || (!any && place.outside)) return;
  bool writes = use->kind == USE_STORE || use->kind == USE_STORE_ANY ||
                use->kind == USE_COPY_TO || use->kind == USE_SORT;
  if (writes && is_constant(s, object)) return;
  switch ((UseKind)use->kind) {
  case USE_LOAD:
  case USE_STORE:
    if (any)
      access_anywhere(s, use, object);
    else
      access_words(s, use, object, place.offset);
    return;
  case USE_LOAD_ALL: pt_node_copy(s, pt_object_all(s, object), use->node); return;
  case USE_STORE_ANY: pt_node_copy(s, use->node, pt_object_any(s, object)); return;
  case USE_COPY_FROM:
    if (any)
      pt_node_copy(s, pt_object_all(s, object), pt_object_any(s, use->object));
    else
      pt_copy_watch(s, object, place.offset, copied_bytes(s, use, object, place.offset),
                    use->object, 0);
    if (!any) copy_behind(s, use, object, place.offset);
    return;
  case USE_COPY_TO:
    if (any)
      pt_node_copy(s, pt_object_all(s, use->object), pt_object_any(s, object));
    else
      pt_copy_watch(s, use->object, 0, copied_bytes(s, use, object, place.offset), object,
                    place.offset);
    if (!any) copy_behind(s, use, object, place.offset);
    return;
  case USE_SORT: sort_use(s, use, object, any, place.offset); return;
  case USE_CALL:
  case USE_CALLBACK:
  case USE_GIVE:
  case USE_ESCAPE: return;
  }
}

void pt_use_apply(Solver *s, const Use *use, LocNo loc) {
  if (loc == LOC_UNKNOWN)
    outside_use(s, use);
  else if (loc == LOC_NUMBER)
    return; /* see pt_numbers_resolve */
  else if (loc_is_function(loc))
    function_use(s, use, loc & ~LOC_FUNCTION);
  else
    object_use(s, use, loc);
}
