/* A harness for one program: names became functions, types and objects, and exclusions
 * became locks. Only the C files of this folder include it.
 *
 * plan.c fills calls and objects, apart.c the locks, types.c knows how types of the
 * program look in C, write.c puts the text together. */
#ifndef HEDDLE_HARNESS_PLAN_H
#define HEDDLE_HARNESS_PLAN_H

#include "base/map.h"
#include "harness/harness.h"

/* ---- what a harness says of this program ---- */

typedef struct {
  const char *name;
  TypeId type; /* 0: so many bytes */
  uint64_t bytes;
  HarnessSharing sharing;
  bool any;
  const HarnessObject *declared; /* NULL: made for parameters without arguments */
  int line;
} PlanObject;

typedef struct {
  HarnessValueKind kind;     /* never VALUE_OWN */
  uint32_t object;           /* VALUE_OBJECT: index in Plan.objects */
  const HarnessValue *value; /* where the file gives one */
  const char *c_type;        /* `int`, `struct s *` */
  const char *name;          /* of the parameter, unique among them */
} PlanArg;

/* How a call holds a lock of the harness. */
typedef enum {
  HOLD_ALONE,  /* a mutex, or the read-write lock for writing */
  HOLD_SHARED, /* the read-write lock for reading */
  HOLD_LEFT,   /* a room for the calls on the left */
  HOLD_RIGHT,
} HoldKind;

typedef struct {
  uint32_t lock; /* index in Plan.locks */
  HoldKind kind;
} Hold;

typedef struct {
  const HarnessCall *call;
  const HarnessEvent *event; /* NULL: a call of a caller */
  bool alone;                /* a handler for which tasks wait, never beside itself */
  FuncId function;
  const char *name;     /* of its C function */
  const char *c_result; /* NULL: void */
  PlanArg *args;
  uint32_t arg_count;
  VEC(Hold) holds; /* ascending */
} PlanCall;

/* APART_MUTEX: its calls exclude each other. APART_RW: the writers exclude each other and
 * the readers. APART_ROOM: the left side excludes the right one, nothing else. */
typedef enum { APART_MUTEX, APART_RW, APART_ROOM } PlanLock;

/* A global variable of the program that the harness looks at. */
typedef struct {
  const char *name;
  const char *c_type;
  bool atomic;
} PlanVariable;

/* A function that the harness defines, since the program only calls it. */
typedef struct {
  const char *name;
  const char *c_result; /* NULL: void */
  const char **c_args;
  uint32_t arg_count;
} PlanHook;

typedef struct {
  const Harness *harness;
  const Program *program;
  Arena *arena;
  VEC(PlanObject) objects;
  VEC(PlanCall) calls; /* as in the harness */
  VEC(PlanLock) locks;
  VEC(PlanVariable) variables;
  VEC(PlanHook) hooks; /* each function once */
  bool tasks_wait;     /* there are tasks, and handlers that they must not interrupt */
  bool open;
  VEC(HarnessNote) notes;
} Plan;

typedef struct {
  Plan *plan;
  Err *err;
} Planner;

bool plan_make(const Harness *harness, const Program *program, Plan *ret, Err *err);
void plan_free(Plan *plan);
/* An assumption of the harness, from line `line` of its file. */
void plan_note(Plan *plan, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An error at a place of the harness file. */
bool plan_fail(Planner *m, HarnessPlace place, const char *remedy, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
/* Is this the symbol of the source's `name`? The linker numbers those of one name that
 * several files keep for themselves. */
bool plan_is_called(const char *symbol, const char *name);
/* The C type of a value that a compiled function takes, which need not be what the source
 * says; `type` tells its sign, as far as it is known. NULL: no C type of one value. */
const char *plan_value_type(const Program *p, Sort sort, uint32_t bits, TypeId type);

/* ---- plan_events.c ---- */

/* Variables and functions that enable, disable and post interrupts and tasks. */
bool plan_events(Planner *m);

/* ---- apart.c ---- */

/* Finds locks such that exactly the calls that the harness excludes are kept apart. Calls
 * that are `alone` have a mutex already, for the tasks. */
void plan_keep_apart(Plan *plan);

/* ---- types.c ---- */

/* Definitions of structures, written once each, before what uses them. */
typedef struct {
  const Program *program;
  Arena *arena;
  Str definitions;
  Map known;   /* TypeId → index + 1 in names */
  StrMap tags; /* those given away */
  VEC(const char *) names;
} CTypes;

void ctypes_free(CTypes *types);
/* What stands behind typedefs. */
TypeId type_behind(const Program *program, TypeId type);
/* `struct s`, `int`, as messages and C have it; of an unnamed type: its typedef. */
const char *type_text(const Program *program, TypeId type, Arena *arena);
/* The type with this C name; 0: there is none. */
TypeId type_named(const Program *program, const char *name, Arena *arena);
/* Adds `TYPE name` to `out`, after defining what it needs. */
void ctypes_declare(CTypes *types, TypeId type, const char *name, Str *out);
/* The C type of a scalar: NULL for anything else. */
const char *ctypes_scalar(const Program *program, TypeId type);
/* A structure, union or scalar of known size, of which there can be an object. */
bool type_is_object(const Program *program, TypeId type);
/* The member at `path` (a.b.c); 0 if there is none. */
TypeId type_member(const Program *program, TypeId type, const char *path);
/* The names of all members, for messages: NULL at the end. */
const char *const *type_members(const Program *program, TypeId type, Arena *arena);

/* Calls `each` for every scalar inside an object that may hold anything: pointers, locks,
 * bit-fields and what has no name are left as they are. Elements of arrays come as one
 * lvalue with indices that the text `loops`, put before a statement, lets run. */
typedef void ScalarFn(void *data, const char *loops, const char *lvalue,
                      const char *c_type);
void type_each_scalar(const Program *program, TypeId type, const char *lvalue,
                      ScalarFn *each, void *data);

/* A word that C takes for a name. */
bool is_identifier(const char *text);

#endif
