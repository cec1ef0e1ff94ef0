/* Types of CSP_M and their inference.
 *
 * A type is a term over Int, Bool, Char, Proc, Event, the datatypes, sets, sequences,
 * maps, tuples and functions. Dots have two forms: `a.b` is a value of several fields,
 * and `a=>b` ("dotable") is a channel or constructor that still wants an `a` and then is
 * a `b`; a channel c : A.B has type A=>B=>Event. Where the fields of dotted values cannot
 * be told apart statically, the type is `any` and the evaluator checks instead. */
#ifndef HEDDLE_CSP_TYPES_H
#define HEDDLE_CSP_TYPES_H

#include "csp/ast.h"

typedef enum {
  TYPE_VAR,
  TYPE_ANY, /* unifies with everything */
  TYPE_INT,
  TYPE_BOOL,
  TYPE_CHAR,
  TYPE_PROC,
  TYPE_EVENT,
  TYPE_DATA,    /* decl */
  TYPE_SET,     /* kids[0] */
  TYPE_SEQ,     /* kids[0] */
  TYPE_MAP,     /* key, value */
  TYPE_TUPLE,   /* kids */
  TYPE_FUN,     /* kids: arguments, result last */
  TYPE_DOT,     /* kids: two or more fields */
  TYPE_DOTABLE, /* field, result */
} CspTypeKind;

struct CspType {
  CspTypeKind kind;
  uint32_t count;
  CspType **kids;
  CspType *link;  /* VAR: what it was unified with, or NULL */
  uint32_t level; /* VAR: depth of the definition that made it; UINT32_MAX: generalised */
  uint32_t id;    /* VAR: for messages */
  CspDecl *decl;
};

CspType *csp_type(Csp *csp, CspTypeKind kind, uint32_t count, ...);
CspType *csp_type_var(Csp *csp);
CspType *csp_type_resolve(CspType *type); /* follows links */
const char *csp_type_text(Csp *csp, CspType *type);

/* Makes the two types equal. False when they cannot be; some variables may be bound then.
 * */
bool csp_type_unify(Csp *csp, CspType *a, CspType *b);
/* The type of fields joined by dots; with `absorb` the last one takes all fields that the
 * first still wants (the x of c?x). */
CspType *csp_type_join(Csp *csp, CspType **fields, uint32_t count, bool absorb);

/* Polymorphism: variables deeper than `level` become parameters of the scheme. */
void csp_type_generalise(CspType *type, uint32_t level);
CspType *csp_type_instance(Csp *csp, CspType *scheme);
/* A scheme from a text such as "({a}, a) -> Bool". */
CspType *csp_type_parse(Csp *csp, const char *text);

/* State of the checker: the current level, for fresh variables. */
struct CspTypes {
  uint32_t level, next_id;
  uint32_t index;
  CspList open; /* CspDecl being inferred */
};

/* Checks the whole script and fills the checker's fields of its declarations. */
void csp_infer(Csp *csp, CspScript *script);

#endif
