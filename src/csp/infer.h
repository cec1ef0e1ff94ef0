/* Between the files of the type inference. */
#ifndef HEDDLE_CSP_INFER_H
#define HEDDLE_CSP_INFER_H

#include "csp/types.h"

/* The types of the variables of one frame, beside the frame of the resolver. */
typedef struct TypeFrame {
  CspType **types; /* per slot; NULL until known */
  CspDecl **decls; /* per slot: the definition of a let that it belongs to, or NULL */
  struct TypeFrame *up;
} TypeFrame;

typedef struct Infer {
  Csp *csp;
  TypeFrame *frame;
} Infer;

CspType *infer_node(Infer *in, CspNode *node);
/* Infers and unifies, or fails: "expected Int, found Bool". */
void infer_expect(Infer *in, CspNode *node, CspType *type);
/* The type of a pattern; binds its variables in the innermost frame. */
CspType *infer_pattern(Infer *in, CspNode *node);
_Noreturn void infer_mismatch(Infer *in, CspPlace place, CspType *expected,
                              CspType *found);

void infer_open(Infer *in, TypeFrame *frame, uint32_t slots);
void infer_close(Infer *in);

/* Makes sure that the declaration has a type (it may be one that is still being found).
 * */
void infer_decl(Infer *in, CspDecl *decl, TypeFrame *frame);
/* The type of decl->names[index - 1], or of the declaration itself for 0. */
CspType *infer_reference(Infer *in, CspDecl *decl, uint32_t index, TypeFrame *frame);
/* The fields of a type expression such as A.{0..3}. */
void infer_fields(Infer *in, CspNode *node, CspList *out);

static inline CspType *infer_set(Infer *in, CspType *of) {
  return csp_type(in->csp, TYPE_SET, 1, of);
}
static inline CspType *infer_kind(Infer *in, CspTypeKind kind) {
  return csp_type(in->csp, kind, 0);
}

#endif
