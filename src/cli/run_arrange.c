/* Every race once: predictions are made for places in the machine code, of which a line of
 * the source has several (x++ reads and writes), in every thread that comes by. The reader
 * gets each pair of source places once, with the best evidence there is, and those about one
 * object next to each other. */
#include "cli/run_report.h"

#include <string.h>

static void add_line(const RunReport *r, uint64_t pc, Str *out) {
  Place place = places_find(r->places, pc);
  if (place.file && place.line > 0)
    str_addf(out, "%s:%d", place.file, place.line);
  else
    str_addf(out, "0x%llx", (unsigned long long)pc);
}

/* The two places in one order, whichever thread came first. */
static void add_places(const RunReport *r, const Prediction *x, Str *out) {
  Str a = {0}, b = {0};
  add_line(r, x->pair.a.pc, &a);
  add_line(r, x->pair.b.pc, &b);
  bool swap = strcmp(str_text(&a), str_text(&b)) > 0;
  str_addf(out, "%s %s", str_text(swap ? &b : &a), str_text(swap ? &a : &b));
  str_free(&a);
  str_free(&b);
}

static int rank_of(PredictState state) {
  switch (state) {
  case PREDICT_REPLAYED: return 3;
  case PREDICT_OBSERVED: return 2;
  case PREDICT_OPEN: return 1;
  case PREDICT_DROPPED: break;
  }
  return 0;
}

/* What tells a finding from others: of a race its places, of a deadlock where the threads
 * are stuck. */
static void add_key(const RunReport *r, const Prediction *x, Str *out) {
  if (x->property == PROPERTY_RACE) {
    add_places(r, x, out);
  } else if (x->property == PROPERTY_RULE) {
    str_addf(out, "rule %s:%u", x->rule_file, x->rule_line);
  } else {
    str_add(out, "stuck");
    for (uint32_t i = 0; x->shown && i < x->shown->stuck_count; i++)
      str_addf(out, " %llx", (unsigned long long)x->shown->stuck[i].pc);
  }
}

/* Without those that an earlier run has shown; returns how many are left. */
static uint32_t leave_earlier(const RunReport *r, StrMap *earlier, Prediction *all,
                              uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    Str key = {0};
    add_key(r, &all[i], &key);
    uint64_t *known = strmap_at(earlier, str_text(&key), key.len);
    str_free(&key);
    bool error = rank_of(all[i].state) > 1;
    if (*known) {
      prediction_free(&all[i]);
      continue;
    }
    if (error) *known = 1;
    if (kept != i) all[kept] = all[i];
    kept++;
  }
  return kept;
}

/* Of those with the same places, `seen` has the first; the best takes its place. Returns
 * how many are left. */
static uint32_t unite(const RunReport *r, Prediction *all, uint32_t count) {
  StrMap seen = {0}; /* the two places → index + 1 */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    Prediction x = all[i];
    if (x.property != PROPERTY_RACE) {
      all[kept++] = x;
      continue;
    }
    Str key = {0};
    add_places(r, &x, &key);
    uint64_t *known = strmap_at(&seen, str_text(&key), key.len);
    str_free(&key);
    if (!*known) {
      all[kept++] = x;
      *known = kept;
      continue;
    }
    Prediction *other = &all[*known - 1];
    bool better = rank_of(x.state) > rank_of(other->state);
    prediction_free(better ? other : &x);
    if (better) *other = x;
  }
  strmap_free(&seen);
  return kept;
}

/* A block of the heap is one object, whichever of its bytes is meant. */
static char *object_of(const RunReport *r, const Prediction *x) {
  Str name = {0};
  run_add_name(r, run_raced_address(x), &name);
  const char *block = strstr(str_text(&name), " of a block of ");
  char *object = str_dup(block ? block : str_text(&name));
  str_free(&name);
  return object;
}

/* Behind the first race of an object its others. */
static void group(const RunReport *r, Prediction *all, uint32_t count) {
  char **objects = mem_alloc_zero((count + 1) * sizeof *objects);
  for (uint32_t i = 0; i < count; i++)
    if (all[i].property == PROPERTY_RACE && all[i].state != PREDICT_DROPPED)
      objects[i] = object_of(r, &all[i]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t end = i + 1;
    for (uint32_t k = i + 1; objects[i] && k < count; k++) {
      if (!objects[k] || !str_eq(objects[k], objects[i])) continue;
      Prediction x = all[k];
      char *object = objects[k];
      memmove(&all[end + 1], &all[end], (k - end) * sizeof *all);
      memmove(&objects[end + 1], &objects[end], (k - end) * sizeof *objects);
      all[end] = x;
      objects[end++] = object;
    }
    i = end - 1;
  }
  for (uint32_t i = 0; i < count; i++) mem_free(objects[i]);
  mem_free(objects);
}

void run_arrange(const RunReport *r, StrMap *earlier, Predictions *all) {
  all->predictions.len = unite(r, all->predictions.data, all->predictions.len);
  all->predictions.len =
      leave_earlier(r, earlier, all->predictions.data, all->predictions.len);
  group(r, all->predictions.data, all->predictions.len);
}
