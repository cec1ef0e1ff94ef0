/* What a verdict rests on, in terms of the net itself (not of anything the search made of
 * it), and its text form.
 *
 * `unsafe`: a run. How many tokens each place with "any number" gets, and the transitions
 * to fire one after another; in the end the target numbered `target` is covered.
 *
 * `safe`: a proof, perhaps about a smaller net that is made by leaving places out. A
 * siphon (places that are empty and stay empty), traps that are marked and stay marked,
 * invariants over them as in pool.h, some only *after* others, and a basis: minimal
 * markings of an upward-closed set that holds every target and every predecessor of its
 * own markings, except those that siphon and invariants exclude, and that lacks the
 * initial marking.
 * Or a cover instead: markings, with any number of tokens in some places, such that what
 * is reachable is below one of them: the initial marking is, what any transition makes of
 * one of them is below one of them, and no target is.
 *
 * The file holds the net, too, so that it can be checked alone. Lists of numbers lie in
 * one array each; `ends` of row i is where row i + 1 starts. */
#ifndef HEDDLE_NET_EVIDENCE_H
#define HEDDLE_NET_EVIDENCE_H

#include "base/err.h"
#include "base/outfile.h"
#include "net/net.h"

typedef struct {
  VEC(Tokens) items;
  Numbers ends;
} TokenRows;

typedef struct {
  Numbers items, ends;
} NumberRows;

typedef struct {
  bool unsafe;
  /* run */
  uint32_t target;
  Marking start; /* tokens of the omega places, sorted; others have none */
  Numbers firings;
  /* proof */
  Numbers fused; /* places that were left out, in this order; see fuse.h */
  Numbers siphon;
  NumberRows traps;
  TokenRows invariants; /* y */
  TokenRows uses;       /* per invariant: trap and multiple */
  Numbers after; /* per invariant: an earlier one that it comes after, or NET_NONE */
  TokenRows basis;
  /* or the other kind of proof, when `cover` has rows */
  Numbers loose;   /* places that hold any number in all rows, ascending */
  TokenRows cover; /* the other places; NET_OMEGA: any number */
} NetEvidence;

void evidence_free(NetEvidence *evidence);

static inline MarkingView token_row(const TokenRows *rows, uint32_t i) {
  uint32_t start = i ? rows->ends.data[i - 1] : 0;
  return (MarkingView){rows->items.data + start, rows->ends.data[i] - start};
}

/* The text form. */
void evidence_print(const Net *net, const NetEvidence *evidence, Str *out);
/* The file that --certificate names. */
void evidence_write(const Net *net, const NetEvidence *evidence, Outfile *out);

/* Reads such a file: the net that it is about, and the evidence. False after filling
 * `err`; release both in either case. */
bool evidence_read(const char *path, Net **ret_net, NetEvidence *ret_evidence, Err *err);

/* The same from memory; `file` is used for messages. */
bool evidence_read_text(const char *file, const char *text, size_t length, Net **ret_net,
                        NetEvidence *ret_evidence, Err *err);

/* Are these the same nets, but for the names of transitions? */
bool evidence_same_net(const Net *a, const Net *b);

#endif
