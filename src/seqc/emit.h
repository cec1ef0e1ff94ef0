/* Shared by the parts of the translation to sequential C; nobody else includes it.
 *
 * A Seqc borrows the program. The first thing that cannot be translated fills `err`; from then on
 * the text is of no use, and the callers go on until the end of what they do. */
#ifndef HEDDLE_SEQC_EMIT_H
#define HEDDLE_SEQC_EMIT_H

#include "analysis/liveness.h"
#include "analysis/pointsto.h"
#include "base/map.h"
#include "seqc/seqc.h"

/* The distinguished location: bytes of one object. */
typedef struct {
  ObjectId object; /* 0: none, assertions are asked about */
  uint64_t offset, size;
} SeqcPlace;

/* A kind of edge for which one function is generated from the rows. */
typedef struct {
  EdgeId edge; /* the first of the kind */
  char name[40];
} SeqcShape;

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  Liveness *liveness;
  const SeqcOptions *options;
  Err *err;
  SeqcPlace place;

  StrMap global_names, local_names; /* names that are taken */
  char **functions, **objects,
      **locals; /* C names by id; locals: of the function at hand */
  uint8_t *object_used, *object_shared;
  VEC(FuncId) entries; /* functions that threads start with */
  VEC(SeqcShape) shapes;
  StrMap headers; /* of the library, beside those of the prelude */
  StrMap sources; /* by file name: the text (char *), 0 if it cannot be read */

  FuncId function; /* at hand */
  EdgeId edge;     /* at hand: where an error is placed */
  LocId last_loc;  /* whose line stands in the last comment */
  Str *out;
  int indent;
} Seqc;

/* ---- seqc.c ---- */

/* Something at the edge at hand cannot be translated. */
void seqc_refuse(Seqc *s, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line with its indentation. */
void seqc_line(Seqc *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
const Function *seqc_function(const Seqc *s, FuncId id);
/* "return 0;" or "return;" of the function at hand. */
const char *seqc_leave(const Seqc *s);

/* ---- names.c ---- */

void seqc_name_all(Seqc *s);
void seqc_name_locals(Seqc *s, FuncId function);
void seqc_free_names(Seqc *s);
/* A comment with the place and the line of the source, if it is another one than the last. */
void seqc_place_comment(Seqc *s, LocId loc);

/* ---- expr.c ---- */

/* The C type of values of this sort and width. */
const char *seqc_type(Seqc *s, uint8_t sort, uint32_t bits);
/* The value as C; `seqc_value` is text to be released, without outer parentheses. */
void seqc_expr(Seqc *s, ExprId expr, Str *out);
char *seqc_value(Seqc *s, ExprId expr);
/* The value cast to another sort or width: cut, or widened by zeros. */
void seqc_fit(Seqc *s, const char *text, uint8_t from_sort, uint32_t from_bits,
              uint8_t sort, uint32_t bits, Str *out);

/* ---- memory.c ---- */

/* The object is a variable of a basic type: then the C type of its storage, else NULL. */
const char *seqc_scalar(Seqc *s, const Object *object);
void seqc_declare_objects(Seqc *s);
/* The function that stores addresses in initial values. */
void seqc_initial(Seqc *s);
/* Declares a stack object of the function at hand. */
void seqc_declare_frame(Seqc *s, ObjectId object);
void seqc_load(Seqc *s, const char *to, uint8_t sort, uint32_t bits, ExprId address,
               uint32_t size);
void seqc_store(Seqc *s, ExprId address, uint32_t size, uint8_t sort, uint32_t bits,
                const char *value);

/* ---- notice.c ---- */

/* Which objects more than one thread can reach. */
void seqc_find_shared(Seqc *s);
/* Another thread can notice that the edge was taken, or it depends on what others do. */
bool seqc_is_noticed(Seqc *s, EdgeId edge);
/* The switch before an edge that is noticed: with --race, the checks of its accesses. */
void seqc_switch(Seqc *s, EdgeId edge);
/* Finds the distinguished location that the user named. */
bool seqc_find_place(Seqc *s);

/* ---- sync.c ---- */

/* The edge is an operation of threads or synchronisation. */
void seqc_sync_edge(Seqc *s, EdgeId edge);
/* The generated functions, one for each shape, and the one that starts threads. */
void seqc_sync_functions(Seqc *s);
void seqc_find_shapes(Seqc *s, EdgeId edge);

/* ---- call.c, library.c ---- */

void seqc_call(Seqc *s, EdgeId edge);
/* A call of a library function, as an expression of the function's own type in C. False: it is
 * not known how; the error is set. */
bool seqc_library_call(Seqc *s, EdgeId edge, FuncId callee, Str *out);
/* Where the function is declared, NULL if it is not known. */
const char *seqc_library_header(const char *name);

/* The function does nothing but let time pass. */
bool seqc_library_idles(const Seqc *s, FuncId function);

/* ---- idle.c ---- */

/* The edge goes back to the head of a loop that has changed nothing. `ret_looks`: others can notice
 * some edge of the loop, so that there is a switch in it. */
bool seqc_is_idle_back(Seqc *s, EdgeId edge, bool *ret_looks);

/* ---- body.c ---- */

void seqc_body(Seqc *s, FuncId function);

#endif
