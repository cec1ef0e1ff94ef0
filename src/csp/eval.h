/* The evaluator: nodes and environments to values. */
#ifndef HEDDLE_CSP_EVAL_H
#define HEDDLE_CSP_EVAL_H

#include "csp/value.h"

enum { CSP_SMALL_MIN = -256, CSP_SMALL_MAX = 4096 };

/* What the evaluator keeps for a script. */
struct CspGlobals {
  CspScript *script;
  CspValue *small[CSP_SMALL_MAX - CSP_SMALL_MIN + 1];
  CspValue *bools[2], *nil;
  StrMap ids; /* canonical ids of values */
  uint32_t id_count;
  Map tags;         /* CspName * → CspValue * of VALUE_TAG */
  CspList channels; /* CspValue * of VALUE_TAG, in order of declaration */
  CspValue *events; /* the set Events once asked for */
};

/* Prepares channels and constructors; nothing is evaluated yet. */
void csp_eval_start(Csp *csp, CspScript *script);
void csp_eval_end(Csp *csp); /* releases the maps; accepts a context without globals */
/* A fresh allowance of steps. */
void csp_eval_refill(Csp *csp);
/* One step of it; fails when none is left. */
void csp_count_step(Csp *csp, CspPlace place);

CspValue *csp_eval(Csp *csp, CspNode *node, CspEnv *env);  /* weak */
CspValue *csp_delay(Csp *csp, CspNode *node, CspEnv *env); /* perhaps a thunk */
CspValue *csp_force(Csp *csp, CspValue *value);            /* weak, follows links */
CspValue *csp_force_deep(Csp *csp, CspValue *value);
/* Weak and of this kind, which the types guarantee except for `any`. */
CspValue *csp_eval_kind(Csp *csp, CspNode *node, CspEnv *env, CspValueKind kind,
                        const char *what);
CspValue *csp_apply(Csp *csp, CspValue *function, CspValue **args, uint32_t count,
                    CspPlace place);
/* The body of a definition that yields a process. */
CspValue *csp_unfold(Csp *csp, CspDecl *decl, CspEnv *home, CspValue **args);
CspValue *csp_env_value(Csp *csp, CspEnv *env, CspVar var);
/* The value of a global; `index` as in CspNode.global_index. */
CspValue *csp_global(Csp *csp, CspDecl *decl, uint32_t index, CspPlace place);

/* Matches a pattern and binds its variables in `env`. */
bool csp_match(Csp *csp, CspNode *pattern, CspValue *value, CspEnv *env);
/* The pattern as a list of the fields that it separates by dots. */
void csp_pattern_fields(Csp *csp, CspNode *pattern, CspList *out);

/* ---- collections (eval_set.c) ------------------------------------------------------ */

/* Runs the statements; for each solution calls `each` with an environment of its own. */
typedef void CspEach(Csp *csp, CspEnv *env, void *user);
void csp_solve(Csp *csp, CspNode **stmts, uint32_t count, uint32_t slots, CspEnv *env,
               CspEach *each, void *user);
/* The next elements of a delayed comprehension. */
CspValue *csp_force_rest(Csp *csp, CspValue *rest);
CspValue *csp_eval_collection(Csp *csp, CspNode *node, CspEnv *env);
/* A set with a list of elements, or an error that names its place. */
CspValue *csp_finite(Csp *csp, CspValue *set, CspPlace place);
/* All elements of a finite sequence, fully evaluated. */
void csp_sequence_items(Csp *csp, CspValue *sequence, CspList *out);
CspValue *csp_sequence_of(Csp *csp, CspValue **items, uint32_t count);
/* Pairs of key and value in any order; a later key replaces an earlier one. */
CspValue *csp_map_of(Csp *csp, CspValue **pairs, uint32_t count);
CspValue *csp_append(Csp *csp, CspValue *first, CspValue *second);

/* ---- dots (eval_dot.c) ------------------------------------------------------------- */

CspValue *csp_dot(Csp *csp, CspValue *left, CspValue *right);
void csp_tag_ready(Csp *csp, CspTag *tag);
/* A tag with fields of its own, not a list of units. */
bool csp_is_tagged(Csp *csp, const CspValue *value);
/* Fields that the value still wants before it is complete. */
uint32_t csp_missing(Csp *csp, CspValue *value);
/* What may stand as the next field of an incomplete value, as a list of units. */
void csp_next_fields(Csp *csp, CspValue *value, CspPlace place, CspList *out);
/* All complete values that begin with `value`. */
void csp_completions(Csp *csp, CspValue *value, CspPlace place, CspList *out);
/* Every way to go on from `value` by `units` fields (UINT32_MAX: until complete): the
 * completed values in `wholes`, what was added in `added`. */
void csp_extend(Csp *csp, CspValue *value, uint32_t units, CspPlace place,
                CspList *wholes, CspList *added);
/* ---- types (eval_type.c) ----------------------------------------------------------- */

CspValue *csp_datatype_set(Csp *csp, CspDecl *decl);
/* Membership in the symbolic set of a datatype without an end. */
bool csp_datatype_has(Csp *csp, CspDecl *decl, CspValue *value);
/* Whether the value is a channel with all of its fields, each of its type. */
bool csp_is_event(Csp *csp, CspValue *value);
CspValue *csp_events_set(Csp *csp);
/* All events but those of a finite set, where a channel has no end. */
CspValue *csp_events_but(Csp *csp, CspValue *without);
/* The set that a type expression stands for. */
CspValue *csp_type_set(Csp *csp, CspNode *node, CspEnv *env);

/* ---- processes (eval_process.c) ---------------------------------------------------- */

CspValue *csp_eval_process(Csp *csp, CspNode *node, CspEnv *env);
/* Identifier of the event; fails if it is incomplete or not in the channel's type. */
uint32_t csp_event_of(Csp *csp, CspValue *value, CspPlace place);

#endif
