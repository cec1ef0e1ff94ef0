/* Character classes: the functions of ctype.h and the tables behind its macros.
 *
 * Compiled C mostly does not call isalpha: it reads the table that __ctype_b_loc returns.
 * So the tables exist as objects in the program's memory, byte for byte those of the C
 * locale. An entry exists for each of -128..255; other arguments are undefined and stop
 * the run. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <ctype.h>

enum { ENTRIES = 384, BEFORE_ZERO = 128 };

uint64_t libc_ctype_table(Exec *exec, LibcState *state, LibcStatic which) {
  uint64_t width = which == STATIC_CTYPE_B ? 2 : 4;
  const void *table;
  if (which == STATIC_CTYPE_B)
    table = *__ctype_b_loc() - BEFORE_ZERO;
  else if (which == STATIC_CTYPE_LOWER)
    table = *__ctype_tolower_loc() - BEFORE_ZERO;
  else
    table = *__ctype_toupper_loc() - BEFORE_ZERO;
  uint64_t address = libc_static(exec, state, which, table, ENTRIES * width);
  return address ? address + BEFORE_ZERO * width : 0;
}

uint64_t libc_ctype_pointer(Exec *exec, LibcState *state, LibcStatic which) {
  uint64_t table = libc_ctype_table(exec, state, which);
  LibcStatic pointer = which == STATIC_CTYPE_B       ? STATIC_CTYPE_B_POINTER
                       : which == STATIC_CTYPE_LOWER ? STATIC_CTYPE_LOWER_POINTER
                                                     : STATIC_CTYPE_UPPER_POINTER;
  return table ? libc_static(exec, state, pointer, &table, sizeof table) : 0;
}

static NativeStatus ret_table(NativeCall *call, LibcStatic which) {
  uint64_t address = libc_ctype_pointer(call->exec, exec_libc(call->exec), which);
  if (address) return ret_u64(call, address);
  exec_stop(call->exec, "no memory left for the character tables");
  return NATIVE_STOP;
}

static NativeStatus native_b_loc(NativeCall *call) {
  return ret_table(call, STATIC_CTYPE_B);
}
static NativeStatus native_tolower_loc(NativeCall *call) {
  return ret_table(call, STATIC_CTYPE_LOWER);
}
static NativeStatus native_toupper_loc(NativeCall *call) {
  return ret_table(call, STATIC_CTYPE_UPPER);
}

static NativeStatus classify(NativeCall *call, int mask) {
  int c = arg_int(call, 0);
  if (c < -BEFORE_ZERO || c > 255) {
    exec_stop(call->exec,
              "character %d has no class: it is neither EOF nor an unsigned char", c);
    return NATIVE_STOP;
  }
  return ret_int(call, (*__ctype_b_loc())[c] & mask);
}

#define CLASS(name, mask)                                                                \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    return classify(call, mask);                                                         \
  }
CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

static NativeStatus native_tolower(NativeCall *call) {
  int c = arg_int(call, 0);
  return ret_int(call, c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}
static NativeStatus native_toupper(NativeCall *call) {
  int c = arg_int(call, 0);
  return ret_int(call, c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}
static NativeStatus native_isascii(NativeCall *call) {
  return ret_int(call, (arg_int(call, 0) & ~0x7f) == 0);
}
static NativeStatus native_toascii(NativeCall *call) {
  return ret_int(call, arg_int(call, 0) & 0x7f);
}

static const Native natives[] = {
    {"__ctype_b_loc", native_b_loc, 0},
    {"__ctype_tolower_loc", native_tolower_loc, 0},
    {"__ctype_toupper_loc", native_toupper_loc, 0},
    {"_tolower", native_tolower, 1},
    {"_toupper", native_toupper, 1},
    {"isalnum", native_isalnum, 1},
    {"isalpha", native_isalpha, 1},
    {"isascii", native_isascii, 1},
    {"isblank", native_isblank, 1},
    {"iscntrl", native_iscntrl, 1},
    {"isdigit", native_isdigit, 1},
    {"isgraph", native_isgraph, 1},
    {"islower", native_islower, 1},
    {"isprint", native_isprint, 1},
    {"ispunct", native_ispunct, 1},
    {"isspace", native_isspace, 1},
    {"isupper", native_isupper, 1},
    {"isxdigit", native_isxdigit, 1},
    {"toascii", native_toascii, 1},
    {"tolower", native_tolower, 1},
    {"toupper", native_toupper, 1},
};
NATIVE_TABLE(ctype, natives);
