/* Values of the functional language, lazily evaluated.
 *
 * A value is immutable once it is evaluated. A thunk is replaced in place by a link to
 * its result. "Weak" means that the outermost constructor is known; elements of tuples
 * and sequences may still be thunks. Elements of sets, keys of maps and fields of dots
 * are always fully evaluated. Everything lives in the arena. */
#ifndef HEDDLE_CSP_VALUE_H
#define HEDDLE_CSP_VALUE_H

#include "csp/ast.h"

typedef enum {
  VALUE_THUNK,  /* node, env */
  VALUE_APPEND, /* a delayed ^: first, second */
  VALUE_RANGE,  /* a delayed <n..>: number */
  VALUE_REST,   /* a delayed comprehension: node, env, home with what is left */
  VALUE_LINK,   /* target */
  VALUE_INT,
  VALUE_BOOL,
  VALUE_CHAR,
  VALUE_TUPLE, /* items */
  VALUE_NIL,
  VALUE_CONS,     /* head, tail */
  VALUE_SET,      /* items, sorted, without repetition */
  VALUE_MAP,      /* items: key, value, …; sorted by key */
  VALUE_TAG,      /* a channel or constructor on its own: tag */
  VALUE_DOT,      /* items: a tag and its fields, or several units without a tag */
  VALUE_CLOSURE,  /* decl, env, arguments so far in items */
  VALUE_LAMBDA,   /* node, env */
  VALUE_LIBRARY,  /* entry, arguments so far in args */
  VALUE_PROCESS,  /* term */
  VALUE_SYMBOLIC, /* a set that is not written out: number says which, first its base */
} CspValueKind;

/* Sets without a list of elements. */
typedef enum {
  SYMBOLIC_INT,
  SYMBOLIC_FROM,
  SYMBOLIC_SEQ,
  SYMBOLIC_POWER,
  SYMBOLIC_PROC,
  SYMBOLIC_DATATYPE, /* one without an end */
  SYMBOLIC_EVENTS,   /* all events but those of the set `second`: a channel has no end */
  SYMBOLIC_TUPLES,   /* second: the tuple of the sets, one of them without an end */
} CspSymbolic;

typedef struct CspValue CspValue;
typedef struct CspEnv CspEnv;
typedef struct CspTerm CspTerm;

/* A channel or a constructor. */
typedef struct CspTag {
  const CspName *name;
  CspDecl *decl;
  uint32_t index; /* in decl->names */
  bool is_channel;
  bool ready;        /* fields are known */
  CspNode *type;     /* of the fields, or NULL */
  CspValue **groups; /* one set per group of fields */
  uint32_t *widths;  /* how many fields an element of the group has */
  uint32_t group_count;
  uint32_t arity;        /* sum of the widths */
  uint32_t order;        /* among all tags: the order of declaration */
  CspList wholes, added; /* what csp_extend gives for the tag alone, once asked for */
} CspTag;

struct CspValue {
  uint8_t kind;
  bool whole;     /* known to be fully evaluated */
  uint32_t count; /* of items; of a thunk the task that evaluates it, 0: none */
  uint32_t id;    /* canonical id + 1 once asked for */
  union {
    int64_t number;
    CspValue **items;
    CspValue *first; /* CONS head, APPEND first, LINK target, SYMBOLIC base */
    CspNode *node;
    CspDecl *decl;
    CspTag *tag;
    CspTerm *term;
    const void *entry;
  };
  union {
    CspValue *second; /* CONS tail */
    CspEnv *env;
    CspValue **args;   /* CLOSURE */
    int64_t from;      /* SYMBOLIC_FROM */
    CspDecl *datatype; /* SYMBOLIC_DATATYPE */
  };
  CspEnv *home; /* CLOSURE: where the definition lives */
};

struct CspEnv {
  CspEnv *up;
  CspNode *let; /* of a let: its node */
  uint32_t id;  /* of a let: canonical id + 1 */
  uint32_t slots;
  CspValue *slot[];
};

/* ---- making ------------------------------------------------------------------------ */

CspValue *csp_value(Csp *csp, CspValueKind kind);
CspValue *csp_int(Csp *csp, int64_t number);
CspValue *csp_bool(Csp *csp, bool b);
CspValue *csp_items(Csp *csp, CspValueKind kind, CspValue **items, uint32_t count);
CspValue *csp_cons(Csp *csp, CspValue *head, CspValue *tail);
CspValue *csp_nil(Csp *csp);
CspValue *csp_process(Csp *csp, CspTerm *term);
/* A set of fully evaluated values: sorts, drops repetitions; takes over the array. */
CspValue *csp_set(Csp *csp, CspValue **items, uint32_t count);
CspEnv *csp_env(Csp *csp, CspEnv *up, uint32_t slots);

/* Whether `second` of a symbolic set is what the set is made of. */
static inline bool csp_has_base(const CspValue *set) {
  return set->number == SYMBOLIC_SEQ || set->number == SYMBOLIC_POWER ||
         set->number == SYMBOLIC_TUPLES || set->number == SYMBOLIC_EVENTS;
}

/* ---- asking ------------------------------------------------------------------------ */

/* Total order on fully evaluated data; fails for functions. */
int csp_compare(Csp *csp, const CspValue *a, const CspValue *b);
/* A number that is equal for equal values and different for different ones; evaluates
 * fully. Functions are equal when they are the same text with equal surroundings. */
uint32_t csp_value_id(Csp *csp, CspValue *value);
uint32_t csp_env_id(Csp *csp, CspEnv *env);
bool csp_set_has(Csp *csp, CspValue *set, CspValue *value);

/* As a script would write it. */
void csp_value_print(Csp *csp, CspValue *value, Str *out);
const char *csp_value_text(Csp *csp, CspValue *value);

#endif
