/* Petri nets: places, transitions with weighted and transfer arcs, an initial marking
 * that may hold any number of tokens in a place, and a target given by its minimal
 * markings.
 *
 * A transition t is enabled when every place has at least pre(t) tokens. Firing removes
 * them, then moves all the tokens that are left in the source of each transfer arc to its
 * destination (or away, for a reset), all at once, and then adds post(t). Every firing is
 * monotone: more tokens before never mean fewer after.
 *
 * A net is built once, then indexed by net_index and not changed any more. Places and
 * transitions are numbers from 0. Arcs lie in flat arrays, sorted by place, without zeros
 * and without repetition. Names are owned by the net. */
#ifndef HEDDLE_NET_NET_H
#define HEDDLE_NET_NET_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The initial marking of a place with any number of tokens. */
#define NET_OMEGA UINT32_MAX
/* The largest number of tokens or weight that a net may name. */
#define NET_MOST 0x7fffffffu
/* Destination of a transfer that throws the tokens away. */
#define NET_NOWHERE UINT32_MAX
#define NET_NONE    UINT32_MAX

typedef struct {
  uint32_t place, count; /* count > 0 */
} Tokens;

/* Sorted by place. */
typedef VEC(Tokens) Marking;

typedef VEC(uint32_t) Numbers;

/* A marking inside somebody's array. */
typedef struct {
  const Tokens *at;
  uint32_t len;
} MarkingView;

typedef struct {
  uint32_t from, to; /* `to` may be NET_NOWHERE */
} Transfer;

typedef struct {
  const char *name;  /* or NULL: "t" and its number from 1 */
  uint32_t line;     /* in the file it was read from; 0 when there is none */
  uint32_t spawns;   /* threads that it starts, for counting them */
  uint32_t from, to; /* the thread that moves goes from this place to that; or NET_NONE */
  uint32_t pre, pre_len, post, post_len; /* in `arcs` */
  uint32_t transfer, transfer_len;       /* in `transfers`, sorted by `from` */
} NetTransition;

typedef struct {
  uint32_t start, len; /* in `target_tokens` */
  const char *what;    /* what it means to cover it ("race on counter"), or NULL */
} NetTarget;

typedef struct {
  Arena *arena; /* owns the names */
  char *file;   /* that it was read from, or NULL */
  VEC(const char *) place_names;
  StrMap place_index;
  VEC(uint32_t) initial; /* per place; NET_OMEGA: any number */
  VEC(NetTransition) transitions;
  VEC(Tokens) arcs;
  VEC(Transfer) transfers;
  VEC(Tokens) target_tokens;
  VEC(NetTarget) targets;
  uint32_t
      running;   /* threads that run from the beginning, beside those of omega places */
  bool programs; /* the tokens of omega places are threads */
  /* Made by net_index. The transitions that may add to place p (more out than in, or a
   * transfer into it) are gain[gain_start[p] .. gain_start[p + 1]); those that need or
   * take from it are in take. Both in ascending order. */
  VEC(uint32_t) gain_start, gain, take_start, take;
  bool has_transfers;
} Net;

Net *net_new(const char *file); /* `file` may be NULL */
void net_free(Net *net);        /* accepts NULL */

/* ---- building --------------------------------------------------------------------- */

/* The new place's number. Names must be fresh (see net_find_place). */
uint32_t net_add_place(Net *net, const char *name, uint32_t initial);
uint32_t net_find_place(const Net *net, const char *name,
                        size_t length); /* or NET_NONE */

/* Between begin and end the arcs of one transition are added in any order; weights of
 * equal places add up, and a sum above NET_MOST makes net_end_transition false. */
uint32_t net_begin_transition(Net *net, const char *name, uint32_t line);
void net_add_pre(Net *net, uint32_t place, uint32_t weight);
void net_add_post(Net *net, uint32_t place, uint32_t weight);
void net_add_transfer(Net *net, uint32_t from, uint32_t to);
bool net_end_transition(Net *net);

/* Adds one minimal marking of the target; `tokens` are sorted and merged. */
void net_add_target(Net *net, Tokens *tokens, uint32_t len, const char *what);

void net_index(Net *net);

/* ---- asking ----------------------------------------------------------------------- */

static inline MarkingView net_pre(const Net *net, uint32_t t) {
  const NetTransition *x = &net->transitions.data[t];
  return (MarkingView){net->arcs.data + x->pre, x->pre_len};
}

static inline MarkingView net_post(const Net *net, uint32_t t) {
  const NetTransition *x = &net->transitions.data[t];
  return (MarkingView){net->arcs.data + x->post, x->post_len};
}

static inline MarkingView net_target(const Net *net, uint32_t i) {
  const NetTarget *x = &net->targets.data[i];
  return (MarkingView){net->target_tokens.data + x->start, x->len};
}

/* Appends the name of a transition, made up when it has none. */
void net_transition_name(const Net *net, uint32_t t, Str *out);
/* Appends "p >= 1, q >= 2"; "true" for the empty marking. */
void net_marking_text(const Net *net, MarkingView marking, Str *out);

/* Sorts by place, adds up equal places, drops zeros. False when a sum passes NET_MOST. */
bool net_tidy(Tokens *tokens, uint32_t *len);

#endif
