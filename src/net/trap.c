/* See trap.h. The greatest trap within a set is what is left when every place is removed
 * from which some transition takes without putting into the set; removing one place after
 * another, and taking it back when the rest has no token, makes it minimal. `outputs`
 * counts for each transition the places of the set that it puts into, so that removing
 * and taking back cost no more than the part that changes. */
#include "net/trap.h"

#include "base/mem.h"

struct TrapFinder {
  const Net *net;
  Numbers into_start, into; /* per place: the transitions that put into it */
  Numbers outputs;          /* per transition */
  VEC(uint8_t) inside;      /* per place */
  Numbers removed;          /* places in the order they left */
  uint32_t marked;          /* places inside with a token in the initial marking */
  uint64_t work;
};

TrapFinder *trap_finder_new(const Net *net) {
  TrapFinder *f = mem_alloc_zero(sizeof *f);
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  f->net = net;
  (void)vec_extend(&f->into_start, places + 2);
  for (uint32_t t = 0; t < transitions; t++) {
    MarkingView post = net_post(net, t);
    for (uint32_t i = 0; i < post.len; i++) f->into_start.data[post.at[i].place + 2]++;
  }
  for (uint32_t p = 1; p < places + 2; p++)
    f->into_start.data[p] += f->into_start.data[p - 1];
  if (f->into_start.data[places + 1])
    (void)vec_extend(&f->into, f->into_start.data[places + 1]);
  for (uint32_t t = 0; t < transitions; t++) {
    MarkingView post = net_post(net, t);
    for (uint32_t i = 0; i < post.len; i++)
      f->into.data[f->into_start.data[post.at[i].place + 1]++] = t;
  }
  if (transitions) (void)vec_extend(&f->outputs, transitions);
  if (places) (void)vec_extend(&f->inside, places);
  return f;
}

void trap_finder_free(TrapFinder *f) {
  if (!f) return;
  vec_free(&f->into_start), vec_free(&f->into), vec_free(&f->outputs);
  vec_free(&f->inside), vec_free(&f->removed);
  mem_free(f);
}

static void take_out(TrapFinder *f, uint32_t place) {
  if (!f->inside.data[place]) return;
  f->inside.data[place] = 0;
  if (f->net->initial.data[place]) f->marked--;
  for (uint32_t i = f->into_start.data[place]; i < f->into_start.data[place + 1]; i++)
    f->outputs.data[f->into.data[i]]--;
  f->work += f->into_start.data[place + 1] - f->into_start.data[place] + 1;
  vec_push(&f->removed, place);
}

static void put_back(TrapFinder *f, uint32_t place) {
  f->inside.data[place] = 1;
  if (f->net->initial.data[place]) f->marked++;
  for (uint32_t i = f->into_start.data[place]; i < f->into_start.data[place + 1]; i++)
    f->outputs.data[f->into.data[i]]++;
}

/* Removes the places that t takes from, if it puts nothing into the set; tokens that t
 * moves from one place of the set to another do not leave it. */
static void check_transition(TrapFinder *f, uint32_t t) {
  const NetTransition *x = &f->net->transitions.data[t];
  MarkingView pre = net_pre(f->net, t);
  f->work += pre.len + 1;
  if (f->outputs.data[t] > 0) return;
  for (uint32_t i = 0; i < pre.len; i++) take_out(f, pre.at[i].place);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = f->net->transfers.data[x->transfer + i];
    if (move.to == NET_NOWHERE || !f->inside.data[move.to]) take_out(f, move.from);
  }
}

/* Goes on until nothing has to leave any more, or no token is left. */
static void close_under(TrapFinder *f) {
  const Net *net = f->net;
  for (uint32_t from = 0; from < f->removed.len && f->marked > 0; from++) {
    uint32_t p = f->removed.data[from];
    for (uint32_t i = f->into_start.data[p]; i < f->into_start.data[p + 1]; i++)
      check_transition(f, f->into.data[i]);
    /* transfers into p are outputs no longer */
    if (!net->has_transfers) continue;
    for (uint32_t i = net->gain_start.data[p]; i < net->gain_start.data[p + 1]; i++)
      check_transition(f, net->gain.data[i]);
  }
}

static void shrink(TrapFinder *f) {
  uint64_t end = f->work + 400 * ((uint64_t)f->net->arcs.len + 1000);
  for (uint32_t p = 0; p < f->net->place_names.len && f->work < end; p++) {
    if (!f->inside.data[p]) continue;
    vec_clear(&f->removed);
    take_out(f, p);
    close_under(f);
    if (f->marked == 0)
      for (uint32_t i = f->removed.len; i > 0; i--) put_back(f, f->removed.data[i - 1]);
  }
}

bool trap_find(TrapFinder *f, const uint8_t *allowed, Numbers *ret_places) {
  const Net *net = f->net;
  uint32_t places = net->place_names.len;
  f->marked = 0;
  vec_clear(&f->removed);
  for (uint32_t t = 0; t < net->transitions.len; t++) f->outputs.data[t] = 0;
  for (uint32_t p = 0; p < places; p++) {
    f->inside.data[p] = 0;
    if (allowed[p] && net->initial.data[p] != NET_OMEGA) put_back(f, p);
  }
  for (uint32_t t = 0; t < net->transitions.len; t++) check_transition(f, t);
  close_under(f);
  f->work += net->arcs.len;
  if (f->marked == 0) return false;
  shrink(f);
  vec_clear(ret_places);
  for (uint32_t p = 0; p < places; p++)
    if (f->inside.data[p]) vec_push(ret_places, p);
  return true;
}

uint64_t trap_finder_work(const TrapFinder *f) {
  return f->work / 4; /* measured: small steps */
}
