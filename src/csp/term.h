/* Events, sets of events and process terms.
 *
 * A term is a closed process expression: an operator, its operands, and its sets of
 * events. Terms are interned, so that equal terms are one object with one id; this is the
 * state space of a component. A call names a definition with evaluated arguments and is
 * unfolded only when its steps are asked for. */
#ifndef HEDDLE_CSP_TERM_H
#define HEDDLE_CSP_TERM_H

#include "csp/eval.h"

enum { EVENT_TAU, EVENT_TICK, EVENT_FIRST };

/* An interned, sorted set of event ids, or all events but these. */
typedef struct CspEvents {
  uint32_t id;
  bool but;
  uint32_t count;
  uint32_t ids[];
} CspEvents;

/* An interned relation on events: pairs sorted by `from`, then `to`. */
typedef struct CspRelation {
  uint32_t id;
  uint32_t count;
  uint32_t pairs[][2];
} CspRelation;

typedef enum {
  TERM_STOP,
  TERM_SKIP,
  TERM_OMEGA, /* after termination */
  TERM_DIV,
  TERM_CHAOS,      /* set */
  TERM_RUN,        /* set */
  TERM_PREFIX,     /* node, env */
  TERM_MENU,       /* one choice of the $ fields of a prefix: `origin` and `menu` */
  TERM_DELAY,      /* kid, after `number` times the event of the set */
  TERM_CALL,       /* decl, env, args */
  TERM_EXTCHOICE,  /* kids */
  TERM_INTCHOICE,  /* kids, at least one */
  TERM_INTERLEAVE, /* kids */
  TERM_SHARE,      /* kids, set */
  TERM_ALPHA,      /* kids, one set each */
  TERM_LINK,       /* two kids, relation */
  TERM_SEQ,
  TERM_INTERRUPT,
  TERM_SLIDING,
  TERM_EXCEPTION,  /* two kids, set */
  TERM_SYNCEXT,    /* kids, set */
  TERM_SYNCINT,    /* two kids, set */
  TERM_HIDE,       /* kid, set */
  TERM_RENAME,     /* kid, relation */
  TERM_PRIORITISE, /* kid; sets from high to low */
  TERM_COMPRESS,   /* kid; op of CspCompression */
} CspTermOp;

typedef enum {
  COMPRESS_NONE, /* explicit states only */
  COMPRESS_SBISIM,
  COMPRESS_NORMAL,
  COMPRESS_DIAMOND,
  COMPRESS_TAU_LOOP,
  COMPRESS_CHASE,
} CspCompression;

typedef struct CspStep {
  uint32_t event;
  CspTerm *to;
} CspStep;

struct CspTerm {
  CspTermOp op;
  uint32_t id;
  uint32_t count; /* of kids */
  uint32_t set_count;
  uint32_t state; /* scratch of the compiler: number in a component + 1 */
  uint32_t stamp; /* of the component that `state` belongs to */
  int number;     /* COMPRESS */
  CspTerm **kids;
  CspEvents **sets;
  CspRelation *relation;
  /* PREFIX and CALL */
  CspNode *node;
  CspDecl *decl;
  CspEnv *env;
  CspValue **args;
  uint32_t arg_count;
  CspTerm *body;      /* of a CALL once unfolded */
  uint32_t unfolding; /* the task that does it: guards against unguarded recursion */
  uint8_t parallel;   /* scratch: whether a parallel operator is inside; 0 not known */
  uint32_t asked;     /* the task that is finding that out */
  CspStep *steps;     /* once computed */
  uint32_t step_count;
  bool has_steps;
  CspPlace place;
};

struct CspTerms {
  CspList events;  /* CspValue *, by event id; the first two are NULL */
  Map event_ids;   /* canonical value id → event id */
  CspList all;     /* CspTerm * by id */
  StrMap interned; /* key bytes → CspTerm * */
  StrMap sets;     /* key bytes → CspEvents * */
  StrMap but_sets; /* the same of all events but those */
  StrMap relations;
  CspTerm *stop, *skip, *omega, *div;
  CspEvents *all_events;
  uint32_t set_count, relation_count;
  uint32_t stamp;
  Map components;   /* term id → CspLts * of components made before */
  CspList machines; /* CspMachine *, freed at the end */
};

void csp_terms_start(Csp *csp);
void csp_terms_end(Csp *csp);

/* ---- events ------------------------------------------------------------------------ */

uint32_t csp_event_count(const Csp *csp);
const char *csp_event_text(Csp *csp, uint32_t event); /* "tau", "tick", "c.0.1" */
CspEvents *csp_events(Csp *csp, uint32_t *ids, uint32_t count);    /* sorts in place */
CspEvents *csp_events_of(Csp *csp, CspValue *set, CspPlace place); /* never `but` */
/* Also of a set without an end: whoever calls asks csp_events_has only. */
CspEvents *csp_events_any(Csp *csp, CspValue *set, CspPlace place);
/* All events that are not in the set. */
CspEvents *csp_events_but_these(Csp *csp, const CspEvents *set);
bool csp_events_has(const CspEvents *set, uint32_t event);
CspEvents *csp_events_union(Csp *csp, const CspEvents *a, const CspEvents *b);
CspRelation *csp_relation(Csp *csp, uint32_t (*pairs)[2], uint32_t count); /* sorts */
/* The targets of an event: *ret_first is the place of the first pair; returns how many.
 * */
uint32_t csp_relation_find(const CspRelation *relation, uint32_t from,
                           uint32_t *ret_first);

/* ---- terms ------------------------------------------------------------------------- */

CspTerm *csp_term_stop(Csp *csp);
CspTerm *csp_term_skip(Csp *csp);
CspTerm *csp_term_omega(Csp *csp);
CspTerm *csp_term_div(Csp *csp);
CspTerm *csp_term_call(Csp *csp, CspDecl *decl, CspEnv *env, CspValue **args,
                       uint32_t count);
CspTerm *csp_term_prefix(Csp *csp, CspNode *node, CspEnv *env);
/* Any other operator. `number` is the compression of COMPRESS. */
CspTerm *csp_term(Csp *csp, CspTermOp op, CspTerm **kids, uint32_t count,
                  CspEvents **sets, uint32_t set_count, CspRelation *relation, int number,
                  CspPlace place);
uint32_t csp_term_id(const CspTerm *term);
/* What a call stands for; other terms are themselves. Fails on unguarded recursion. */
CspTerm *csp_term_unfold(Csp *csp, CspTerm *term);
void csp_term_print(Csp *csp, CspTerm *term, Str *out);

/* The transitions of a term by the operational semantics; kept in the term. */
void csp_term_steps(Csp *csp, CspTerm *term);
/* The class of an event in a PRIORITISE, 0 the highest; UINT32_MAX: not compared. */
uint32_t csp_priority_of(const CspTerm *term, uint32_t event);

#endif
