/* complex.h.
 *
 * On x86-64 a double complex is passed as two doubles and returned in two registers; a
 * float complex travels both ways as one pair of floats in 64 bits; a long double complex
 * is passed in memory and comes back as two values of 16 bytes each. The helpers at the
 * end are what compilers call for products and quotients of complex numbers. */
#include "model/exec/libc_math.h"

#include <complex.h>

static double complex take_double(const NativeCall *call, unsigned i) {
  return __builtin_complex(arg_double(call, i), arg_double(call, i + 1));
}

static NativeStatus give_double(NativeCall *call, double complex value) {
  double parts[2] = {creal(value), cimag(value)};
  uint64_t bits[2];
  memcpy(bits, parts, sizeof bits);
  return ret_pair(call, bits[0], bits[1]);
}

static float complex take_float(const NativeCall *call, unsigned i) {
  uint64_t bits = arg_u64(call, i);
  float parts[2];
  memcpy(parts, &bits, sizeof parts);
  return __builtin_complex(parts[0], parts[1]);
}

static NativeStatus give_float(NativeCall *call, float complex value) {
  float parts[2] = {crealf(value), cimagf(value)};
  uint64_t bits;
  memcpy(&bits, parts, sizeof bits);
  return ret_u64(call, bits);
}

/* Argument i is the address of a copy; false: stop. */
static bool take_wide(NativeCall *call, unsigned i, long double complex *ret_value) {
  uint8_t bytes[32];
  long double parts[2] = {0, 0};
  if (!call->arg_passing || i >= call->argc ||
      call->arg_passing[i].byval_size < sizeof bytes) {
    exec_stop(call->exec, "argument %u of the call is no long double complex", i + 1);
    return false;
  }
  if (!exec_read(call->exec, arg_u64(call, i), bytes, sizeof bytes)) return false;
  memcpy(&parts[0], bytes, 10);
  memcpy(&parts[1], bytes + 16, 10);
  *ret_value = __builtin_complex(parts[0], parts[1]);
  return true;
}

static NativeStatus give_wide(NativeCall *call, long double complex value) {
  long double parts[2] = {creall(value), cimagl(value)};
  memset(call->result_wide, 0, sizeof call->result_wide);
  memcpy(call->result_wide, &parts[0], 10);
  memcpy(call->result_wide + 16, &parts[1], 10);
  return NATIVE_DONE;
}

#define COMPLEX(name)                                                                    \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    math_begin();                                                                        \
    double complex value = name(take_double(call, 0));                                   \
    math_end(call);                                                                      \
    return give_double(call, value);                                                     \
  }                                                                                      \
  static NativeStatus native_##name##f(NativeCall *call) {                               \
    math_begin();                                                                        \
    float complex value = name##f(take_float(call, 0));                                  \
    math_end(call);                                                                      \
    return give_float(call, value);                                                      \
  }                                                                                      \
  static NativeStatus native_##name##l(NativeCall *call) {                               \
    long double complex z;                                                               \
    if (!take_wide(call, 0, &z)) return NATIVE_STOP;                                     \
    math_begin();                                                                        \
    long double complex value = name##l(z);                                              \
    math_end(call);                                                                      \
    return give_wide(call, value);                                                       \
  }
#define REAL(name)                                                                       \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    math_begin();                                                                        \
    double value = name(take_double(call, 0));                                           \
    math_end(call);                                                                      \
    return ret_double(call, value);                                                      \
  }                                                                                      \
  static NativeStatus native_##name##f(NativeCall *call) {                               \
    math_begin();                                                                        \
    float value = name##f(take_float(call, 0));                                          \
    math_end(call);                                                                      \
    return ret_float(call, value);                                                       \
  }                                                                                      \
  static NativeStatus native_##name##l(NativeCall *call) {                               \
    long double complex z;                                                               \
    if (!take_wide(call, 0, &z)) return NATIVE_STOP;                                     \
    math_begin();                                                                        \
    long double value = name##l(z);                                                      \
    math_end(call);                                                                      \
    return ret_long_double(call, value);                                                 \
  }

COMPLEX(cacos)
COMPLEX(cacosh)
COMPLEX(casin)
COMPLEX(casinh)
COMPLEX(catan)
COMPLEX(catanh)
COMPLEX(ccos)
COMPLEX(ccosh)
COMPLEX(cexp)
COMPLEX(clog)
COMPLEX(clog10)
COMPLEX(conj)
COMPLEX(cproj)
COMPLEX(csin)
COMPLEX(csinh)
COMPLEX(csqrt)
COMPLEX(ctan)
COMPLEX(ctanh)
REAL(cabs)
REAL(carg)
REAL(cimag)
REAL(creal)

static NativeStatus native_cpow(NativeCall *call) {
  math_begin();
  double complex value = cpow(take_double(call, 0), take_double(call, 2));
  math_end(call);
  return give_double(call, value);
}
static NativeStatus native_cpowf(NativeCall *call) {
  math_begin();
  float complex value = cpowf(take_float(call, 0), take_float(call, 1));
  math_end(call);
  return give_float(call, value);
}

static NativeStatus native_cpowl(NativeCall *call) {
  long double complex x, y;
  if (!take_wide(call, 0, &x) || !take_wide(call, 1, &y)) return NATIVE_STOP;
  math_begin();
  long double complex value = cpowl(x, y);
  math_end(call);
  return give_wide(call, value);
}

/* ---- the compilers' helpers: real and imaginary parts as separate arguments -------- */

static NativeStatus native_muldc3(NativeCall *call) {
  return give_double(call, take_double(call, 0) * take_double(call, 2));
}
static NativeStatus native_divdc3(NativeCall *call) {
  return give_double(call, take_double(call, 0) / take_double(call, 2));
}
static float complex take_parts(const NativeCall *call, unsigned i) {
  return __builtin_complex(arg_float(call, i), arg_float(call, i + 1));
}
static NativeStatus native_mulsc3(NativeCall *call) {
  return give_float(call, take_parts(call, 0) * take_parts(call, 2));
}
static NativeStatus native_divsc3(NativeCall *call) {
  return give_float(call, take_parts(call, 0) / take_parts(call, 2));
}

/* Four long doubles. */
static bool take_wide_parts(NativeCall *call, long double complex ret[2]) {
  long double parts[4];
  for (unsigned i = 0; i < 4; i++)
    if (!arg_long_double(call, i, &parts[i])) return false;
  ret[0] = __builtin_complex(parts[0], parts[1]);
  ret[1] = __builtin_complex(parts[2], parts[3]);
  return true;
}
static NativeStatus native_mulxc3(NativeCall *call) {
  long double complex z[2];
  return take_wide_parts(call, z) ? give_wide(call, z[0] * z[1]) : NATIVE_STOP;
}
static NativeStatus native_divxc3(NativeCall *call) {
  long double complex z[2];
  return take_wide_parts(call, z) ? give_wide(call, z[0] / z[1]) : NATIVE_STOP;
}

static const Native natives[] = {
    {"__divdc3", native_divdc3, 4}, {"__divsc3", native_divsc3, 4},
    {"__divxc3", native_divxc3, 4}, {"__muldc3", native_muldc3, 4},
    {"__mulsc3", native_mulsc3, 4}, {"__mulxc3", native_mulxc3, 4},
    {"cabs", native_cabs, 2},       {"cabsf", native_cabsf, 1},
    {"cabsl", native_cabsl, 1},     {"cacos", native_cacos, 2},
    {"cacosf", native_cacosf, 1},   {"cacosh", native_cacosh, 2},
    {"cacoshf", native_cacoshf, 1}, {"cacoshl", native_cacoshl, 1},
    {"cacosl", native_cacosl, 1},   {"carg", native_carg, 2},
    {"cargf", native_cargf, 1},     {"cargl", native_cargl, 1},
    {"casin", native_casin, 2},     {"casinf", native_casinf, 1},
    {"casinh", native_casinh, 2},   {"casinhf", native_casinhf, 1},
    {"casinhl", native_casinhl, 1}, {"casinl", native_casinl, 1},
    {"catan", native_catan, 2},     {"catanf", native_catanf, 1},
    {"catanh", native_catanh, 2},   {"catanhf", native_catanhf, 1},
    {"catanhl", native_catanhl, 1}, {"catanl", native_catanl, 1},
    {"ccos", native_ccos, 2},       {"ccosf", native_ccosf, 1},
    {"ccosh", native_ccosh, 2},     {"ccoshf", native_ccoshf, 1},
    {"ccoshl", native_ccoshl, 1},   {"ccosl", native_ccosl, 1},
    {"cexp", native_cexp, 2},       {"cexpf", native_cexpf, 1},
    {"cexpl", native_cexpl, 1},     {"cimag", native_cimag, 2},
    {"cimagf", native_cimagf, 1},   {"cimagl", native_cimagl, 1},
    {"clog", native_clog, 2},       {"clog10", native_clog10, 2},
    {"clog10f", native_clog10f, 1}, {"clog10l", native_clog10l, 1},
    {"clogf", native_clogf, 1},     {"clogl", native_clogl, 1},
    {"conj", native_conj, 2},       {"conjf", native_conjf, 1},
    {"conjl", native_conjl, 1},     {"cpow", native_cpow, 4},
    {"cpowf", native_cpowf, 2},     {"cpowl", native_cpowl, 2},
    {"cproj", native_cproj, 2},     {"cprojf", native_cprojf, 1},
    {"cprojl", native_cprojl, 1},   {"creal", native_creal, 2},
    {"crealf", native_crealf, 1},   {"creall", native_creall, 1},
    {"csin", native_csin, 2},       {"csinf", native_csinf, 1},
    {"csinh", native_csinh, 2},     {"csinhf", native_csinhf, 1},
    {"csinhl", native_csinhl, 1},   {"csinl", native_csinl, 1},
    {"csqrt", native_csqrt, 2},     {"csqrtf", native_csqrtf, 1},
    {"csqrtl", native_csqrtl, 1},   {"ctan", native_ctan, 2},
    {"ctanf", native_ctanf, 1},     {"ctanh", native_ctanh, 2},
    {"ctanhf", native_ctanhf, 1},   {"ctanhl", native_ctanhl, 1},
    {"ctanl", native_ctanl, 1},
};
NATIVE_TABLE(complex, natives);
