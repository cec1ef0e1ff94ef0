/* The coverability set from the front, after Karp and Miller: a tree of markings in which
 * a place may hold any number of tokens, because what was fired since an earlier marking
 * can be repeated and leaves more there each time.
 *
 * It decides where few tokens move among many (threads that share a little state): runs
 * that need many threads, and safety that no linear invariant shows. It may also grow
 * beyond all bounds; so it takes its turn beside the other searches. */
#ifndef HEDDLE_NET_COVER_H
#define HEDDLE_NET_COVER_H

#include "net/evidence.h"
#include "net/limits.h"
#include "net/net.h"

typedef struct Cover Cover;

/* NULL when there is nothing to search. */
Cover *cover_new(const Net *net, const NetLimits *limits);
void cover_free(Cover *c); /* accepts NULL */

/* Goes on for about `work` units. Deterministic, except for the deadline.
 * SEARCH_STOPPED: memory, or numbers or a run that are too large. */
SearchStatus cover_run(Cover *c, uint64_t work);

/* After SEARCH_UNSAFE: the transitions in order, what they need in places with any number
 * of tokens, which lives as long as `c`, and the number of the target. */
uint32_t cover_path(const Cover *c, Numbers *out, MarkingView *ret_first);

/* After SEARCH_SAFE: the greatest of its markings, NET_OMEGA for any number. Whatever is
 * reachable is below one of them. */
void cover_rows(Cover *c, TokenRows *out);

/* Markings in the tree. */
uint64_t cover_count(const Cover *c);

#endif
