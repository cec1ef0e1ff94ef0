/* Random numbers: rand, random, and the 48-bit generators, with the sequences of glibc.
 *
 * The host's reentrant generators do the work; their state belongs to the interpreted
 * program, so that it starts as in a fresh process and nothing else disturbs it. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

static NativeStatus native_random(NativeCall *call) {
  int32_t value;
  random_r(&exec_libc(call->exec)->random, &value);
  return ret_u64(call, (uint32_t)value);
}

static NativeStatus native_srandom(NativeCall *call) {
  srandom_r((unsigned)arg_u64(call, 0), &exec_libc(call->exec)->random);
  return ret_void(call);
}

static NativeStatus native_rand_r(NativeCall *call) {
  unsigned seed;
  if (!exec_read(call->exec, arg_u64(call, 0), &seed, sizeof seed)) return NATIVE_STOP;
  int value = rand_r(&seed);
  if (!exec_write(call->exec, arg_u64(call, 0), &seed, sizeof seed)) return NATIVE_STOP;
  return ret_int(call, value);
}

/* ---- states of random -------------------------------------------------------------- */

/* The program's name for the present state: the library's own first one gets an address
 * when it is asked for. 0: memory is exhausted. */
static uint64_t present_state(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  if (state->random_at == 0)
    state->random_at = libc_static(call->exec, state, STATIC_RANDOM, NULL, 128);
  return state->random_at;
}

/* initstate: the state lives in heddle's own array, the program's array is only its
 * name. */
static NativeStatus native_initstate(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  uint64_t at = arg_u64(call, 1), n = arg_u64(call, 2), old = present_state(call);
  if (n < 8) return ret_errno(call, EINVAL, 0);
  if (!libc_bytes(call, at, n)) return NATIVE_STOP;
  if (n > 256) n = 256;
  RandomState fresh = {.address = at, .table = mem_alloc_zero(n)};
  vec_push(&state->random_states, fresh);
  initstate_r((unsigned)arg_u64(call, 0), fresh.table, n, &state->random);
  state->random_at = at;
  return ret_u64(call, old);
}

static NativeStatus native_setstate(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  uint64_t at = arg_u64(call, 0), old = present_state(call);
  char *table = at && at == state->statics[STATIC_RANDOM] ? state->random_table : NULL;
  for (uint32_t i = 0; i < state->random_states.len; i++)
    if (state->random_states.data[i].address == at)
      table = state->random_states.data[i].table;
  if (!table) {
    exec_stop(call->exec, "setstate of an array that initstate did not make");
    return NATIVE_STOP;
  }
  setstate_r(table, &state->random);
  state->random_at = at;
  return ret_u64(call, old);
}

/* ---- the 48-bit generators --------------------------------------------------------- */

/* The caller's own state of 48 bits (erand48 and its like), or NULL: the library's. */
static bool own_state(NativeCall *call, unsigned short state[3]) {
  return exec_read(call->exec, arg_u64(call, 0), state, 6);
}
static bool put_state(NativeCall *call, const unsigned short state[3]) {
  return exec_write(call->exec, arg_u64(call, 0), state, 6);
}

static NativeStatus native_drand48(NativeCall *call) {
  double value;
  drand48_r(&exec_libc(call->exec)->rand48, &value);
  return ret_double(call, value);
}
static NativeStatus native_lrand48(NativeCall *call) {
  long value;
  lrand48_r(&exec_libc(call->exec)->rand48, &value);
  return ret_u64(call, (uint64_t)value);
}
static NativeStatus native_mrand48(NativeCall *call) {
  long value;
  mrand48_r(&exec_libc(call->exec)->rand48, &value);
  return ret_u64(call, (uint64_t)value);
}

static NativeStatus native_erand48(NativeCall *call) {
  unsigned short state[3];
  double value;
  if (!own_state(call, state)) return NATIVE_STOP;
  erand48_r(state, &exec_libc(call->exec)->rand48, &value);
  return put_state(call, state) ? ret_double(call, value) : NATIVE_STOP;
}
static NativeStatus native_nrand48(NativeCall *call) {
  unsigned short state[3];
  long value;
  if (!own_state(call, state)) return NATIVE_STOP;
  nrand48_r(state, &exec_libc(call->exec)->rand48, &value);
  return put_state(call, state) ? ret_u64(call, (uint64_t)value) : NATIVE_STOP;
}
static NativeStatus native_jrand48(NativeCall *call) {
  unsigned short state[3];
  long value;
  if (!own_state(call, state)) return NATIVE_STOP;
  jrand48_r(state, &exec_libc(call->exec)->rand48, &value);
  return put_state(call, state) ? ret_u64(call, (uint64_t)value) : NATIVE_STOP;
}

static NativeStatus native_srand48(NativeCall *call) {
  srand48_r(arg_long(call, 0), &exec_libc(call->exec)->rand48);
  return ret_void(call);
}

static NativeStatus native_seed48(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  unsigned short seed[3];
  if (!own_state(call, seed)) return NATIVE_STOP;
  uint64_t old = libc_static(call->exec, state, STATIC_SEED48, NULL, 6);
  if (old == 0) {
    exec_stop(call->exec, "no memory left for the state of seed48");
    return NATIVE_STOP;
  }
  seed48_r(seed, &state->rand48);
  return libc_put(call, old, state->rand48.__old_x, 6) ? ret_u64(call, old) : NATIVE_STOP;
}

static NativeStatus native_lcong48(NativeCall *call) {
  unsigned short parameters[7];
  if (!exec_read(call->exec, arg_u64(call, 0), parameters, sizeof parameters))
    return NATIVE_STOP;
  lcong48_r(parameters, &exec_libc(call->exec)->rand48);
  return ret_void(call);
}

static const Native natives[] = {
    {"drand48", native_drand48, 0},     {"erand48", native_erand48, 1},
    {"initstate", native_initstate, 3}, {"jrand48", native_jrand48, 1},
    {"lcong48", native_lcong48, 1},     {"lrand48", native_lrand48, 0},
    {"mrand48", native_mrand48, 0},     {"nrand48", native_nrand48, 1},
    {"rand", native_random, 0},         {"rand_r", native_rand_r, 1},
    {"random", native_random, 0},       {"seed48", native_seed48, 1},
    {"setstate", native_setstate, 1},   {"srand", native_srandom, 1},
    {"srand48", native_srand48, 1},     {"srandom", native_srandom, 1},
};
NATIVE_TABLE(random, natives);
