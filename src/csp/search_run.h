/* What the parts of the breadth-first search share: the run, its workers, and how a state
 * is expanded. Private to search*.c. */
#ifndef HEDDLE_CSP_SEARCH_RUN_H
#define HEDDLE_CSP_SEARCH_RUN_H

#include "csp/crew.h"
#include "csp/reduce.h"
#include "csp/search.h"
#include "csp/states.h"

/* Successors on their way into a shard: hash, then record, one after the other. In the
 * pool of the states. */
typedef struct CspOutbox {
  uint8_t *data;
  size_t len, cap;
} CspOutbox;

typedef struct CspRunFlaw {
  CspFlaw flaw;
  uint64_t position; /* in the level; the least one counts */
  uint32_t node, event;
} CspRunFlaw;

typedef struct CspWorker CspWorker;

/* What is done with a successor: `rule` leads to `start`, forced moves from there to
 * `state`, where the specification is at `node`. False: no more of them. */
typedef bool CspSink(CspWorker *w, uint32_t rule, const uint64_t *start,
                     const uint64_t *state, uint32_t node);

struct CspWorker {
  char before[64]; /* workers stand side by side: no cache line belongs to two of them */
  struct CspSearchState *run;
  CspMoves moves;
  CspReducer *reducer; /* or NULL */
  bool *keep;
  uint32_t keep_cap;
  CspRuleVec offered; /* scratch: events of the state */
  uint64_t *packed;   /* the state being expanded */
  uint64_t *start;    /* scratch: a successor before forced moves */
  uint8_t *record;    /* scratch */
  CspSink *sink;
  void *sink_user;
  CspOutbox out[CSP_SHARDS];
  uint64_t transitions;
  CspRunFlaw flaw; /* the one at the least position that this worker found */
  char between[64];
  /* Its own part of a batch, of which others may take as well. */
  _Atomic uint64_t piece_next, shard_next;
  uint64_t piece_end, shard_end;
  char after[64];
};

/* A piece of the level that one worker expanded, and where its successors end in the
 * worker's outboxes. They begin where those of the piece that it expanded before end. */
#define NO_PIECE UINT32_MAX
typedef struct CspPiece {
  uint32_t worker;
  uint32_t before; /* of the batch, or NO_PIECE */
  size_t end[CSP_SHARDS];
} CspPiece;

typedef struct CspSearchState {
  CspSearch *s;
  CspMachine *m;
  CspStates states;
  CspLevel level;        /* that is being expanded */
  const uint32_t *later; /* per shard: records from here on are of a later level */
  uint32_t depth;
  uint32_t state_bytes, node_bytes;
  bool growing_spec;          /* its normal form is made on the way, by one worker */
  struct CspDiverge *diverge; /* NULL: divergence is no question, or impossible */
  CspCrew *crew;
  CspWorker *workers;
  uint32_t worker_count;
  /* The batch: pieces [piece_first, piece_end) of the level. */
  CspPiece *pieces;
  uint32_t piece_size; /* records */
  uint64_t piece_first, piece_end;
  uint64_t batch_records;        /* that a batch should have */
  _Atomic uint64_t flawed_piece; /* the least; UINT64_MAX: none */
  bool flawed;
  bool full;       /* a limit was reached: successors are not kept any more */
  bool many_hands; /* this level is worth the whole crew */
} CspSearchState;

/* ---- search_expand.c --------------------------------------------------------------- */

void csp_worker_init(CspWorker *w, CspSearchState *run);
void csp_worker_free(CspWorker *w);
/* Reads a record into w->packed; the node is the result. */
uint32_t csp_worker_load(CspWorker *w, CspRecordId id);
void csp_worker_pack(CspWorker *w, const uint64_t *state, uint32_t node);
/* Looks for a flaw in the state and gives its successors to the sink; false when a flaw
 * was found, which is then in w->flaw except for its position. */
bool csp_worker_expand(CspWorker *w, CspRecordId id);

/* ---- search_batch.c ---------------------------------------------------------------- */

void csp_batches_init(CspSearchState *run);
void csp_level_begin(CspSearchState *run);
/* Expands a part of the level and puts its successors into the stores; false when nothing
 * is left, or a flaw was found. */
bool csp_level_batch(CspSearchState *run);
/* The sink that does it. */
bool csp_worker_send(CspWorker *w, uint32_t rule, const uint64_t *start,
                     const uint64_t *state, uint32_t node);

/* ---- search_path.c ----------------------------------------------------------------- */

/* Fills the path of the search with a run to the flawed record of the present level, the
 * forbidden event and the circle of a divergence included. */
void csp_search_path(CspSearchState *run, CspRecordId flawed);

/* ---- diverge.c --------------------------------------------------------------------- */

typedef struct CspDiverge CspDiverge;

/* False when a look at the components shows that no run takes internal rules for ever. */
bool csp_machine_may_diverge(const CspMachine *m);
CspDiverge *csp_diverge_new(const CspMachine *m);
void csp_diverge_free(CspDiverge *d); /* accepts NULL */
/* Whether internal steps for ever are possible from the state. Every state is visited
 * once in all calls together. With a path, the way into the circle and the circle are
 * appended to it, and *ret_loop is the number of the path's state where the circle
 * begins. */
bool csp_diverges(CspDiverge *d, const uint64_t *state, CspPath *path,
                  uint32_t *ret_loop);
uint64_t csp_diverge_memory(const CspDiverge *d);
/* Why nothing more is found out, where a limit was reached; NULL: it was not. */
const char *csp_diverge_gave_up(const CspDiverge *d);

#endif
