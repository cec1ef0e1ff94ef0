/* The local state of one thread, and how it is known again.
 *
 * A thread of the program is in one local state at a time: its calls, the values of its
 * locals and of the memory that it owns as far as they are known, the locks that it
 * holds. Two threads in equal local states are equal to the net: they are two tokens in
 * one place.
 *
 * Values are numbers, addresses (ABS_INSTANCE and ABS_WITHIN with an ObjectId),
 * functions, labels, thread ids (ABS_THREAD with the number of a template), or TOP. */
#ifndef HEDDLE_ENGINE_PETRI_LOCAL_H
#define HEDDLE_ENGINE_PETRI_LOCAL_H

#include "base/map.h"
#include "base/str.h"
#include "engine/abseval.h"
#include "engine/petri/world.h"

typedef enum { CALL_BOTTOM, CALL_PLAIN, CALL_STARTUP, CALL_ONCE } CallKind;

typedef struct {
  FuncId function;
  NodeId node;   /* of a caller: where its call edge begins */
  EdgeId call;   /* CALL_PLAIN, CALL_ONCE: the caller's edge */
  uint32_t kind; /* CallKind */
  uint32_t regs; /* index of the first register */
  uint32_t once; /* CALL_ONCE: 1 + the object of synchronisation, or 0 */
} LocalFrame;

/* Known contents of owned memory, sorted by object and offset, not overlapping. Without a
 * cell it is TOP on the stack and the initial value elsewhere. */
typedef struct {
  ObjectId object;
  uint32_t offset, size;
  uint32_t fill; /* 1: every byte is value.num */
  AbsValue value;
} LocalCell;

typedef struct {
  uint32_t sync; /* number of the object of synchronisation */
  uint16_t shared;
  uint16_t depth;
} LocalHold;

/* Where in an operation of several steps. */
typedef enum {
  STAGE_START,
  STAGE_STORE,    /* CREATE, JOIN: done, but for what is stored */
  STAGE_RELOCK,   /* WAIT: the lock was given back */
  STAGE_ARRIVED,  /* BARRIER_WAIT: waits for the others */
  STAGE_RELEASED, /* BARRIER_WAIT: may go on */
} LocalStage;

typedef struct {
  uint32_t template;
  uint32_t stage;
  uint32_t update;  /* how many variables this operation has written already */
  uint32_t section; /* depth of atomic sections */
  uint32_t child;   /* CREATE, in STAGE_STORE: 1 + the template that was created */
  VEC(LocalFrame) frames;
  VEC(AbsValue) regs;
  VEC(LocalCell) cells;
  VEC(LocalHold) holds; /* sorted by sync */
} LocalState;

void local_free(LocalState *s);
void local_copy(LocalState *to, const LocalState *from);
void local_pack(const LocalState *s, Str *out);
void local_unpack(LocalState *s, const char *bytes, size_t len);

static inline LocalFrame *local_top(LocalState *s) {
  return vec_last(&s->frames);
}

/* The operation is done; the next one begins with its first stage. */
static inline void local_go(LocalState *s, NodeId node) {
  local_top(s)->node = node;
  s->stage = STAGE_START;
  s->update = 0;
  s->child = 0;
}

/* Registers of the top frame. */
AbsValue *local_register(const World *w, LocalState *s, LocalId local);
void local_set(const World *w, LocalState *s, LocalId local, AbsValue v);

/* What an expression is worth in the top frame. */
AbsValue local_eval(const World *w, LocalState *s, ExprId expr);
/* 0 false, 1 true, -1 either. */
int local_equal(const World *w, AbsValue a, AbsValue b);
/* What holds behind a branch whose condition was not known. */
void local_learn(const World *w, LocalState *s, ExprId condition);

/* ---- owned memory ---- */
AbsValue local_read(const World *w, LocalState *s, ObjectId object, uint64_t offset,
                    uint64_t size);
void local_write(const World *w, LocalState *s, ObjectId object, uint64_t offset,
                 uint64_t size, AbsValue value, bool fill);
/* Nothing is known about it any more. */
void local_lose(const World *w, LocalState *s, ObjectId object);
/* Keeps, or forgets, a value that is known to the holder of a lock. */
void local_keep(LocalState *s, ObjectId object, uint32_t offset, uint32_t size,
                AbsValue value);
void local_forget(LocalState *s, ObjectId object, uint32_t offset, uint32_t size);
/* Drops the variables of a function that is left. */
void local_drop_frame(const World *w, LocalState *s, FuncId function);

LocalHold *local_hold(LocalState *s, uint32_t sync); /* or NULL */
void local_take(LocalState *s, uint32_t sync, bool shared);
/* One level less; gone at 0. */
void local_release(LocalState *s, uint32_t sync);

#endif
