/* complex.h for double and float.
 *
 * On x86-64 a double complex is passed as two doubles and returned in two registers; a
 * float complex travels both ways as one pair of floats in 64 bits. A long double complex
 * comes back on the x87 stack, which the model does not have: those functions are not
 * performed. The helpers at the end are what compilers call for products and quotients of
 * complex numbers. */
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

static const Native natives[] = {
    {"__divdc3", native_divdc3, 4}, {"__divsc3", native_divsc3, 4},
    {"__muldc3", native_muldc3, 4}, {"__mulsc3", native_mulsc3, 4},
    {"cabs", native_cabs, 2},       {"cabsf", native_cabsf, 1},
    {"cacos", native_cacos, 2},     {"cacosf", native_cacosf, 1},
    {"cacosh", native_cacosh, 2},   {"cacoshf", native_cacoshf, 1},
    {"carg", native_carg, 2},       {"cargf", native_cargf, 1},
    {"casin", native_casin, 2},     {"casinf", native_casinf, 1},
    {"casinh", native_casinh, 2},   {"casinhf", native_casinhf, 1},
    {"catan", native_catan, 2},     {"catanf", native_catanf, 1},
    {"catanh", native_catanh, 2},   {"catanhf", native_catanhf, 1},
    {"ccos", native_ccos, 2},       {"ccosf", native_ccosf, 1},
    {"ccosh", native_ccosh, 2},     {"ccoshf", native_ccoshf, 1},
    {"cexp", native_cexp, 2},       {"cexpf", native_cexpf, 1},
    {"cimag", native_cimag, 2},     {"cimagf", native_cimagf, 1},
    {"clog", native_clog, 2},       {"clog10", native_clog10, 2},
    {"clog10f", native_clog10f, 1}, {"clogf", native_clogf, 1},
    {"conj", native_conj, 2},       {"conjf", native_conjf, 1},
    {"cpow", native_cpow, 4},       {"cpowf", native_cpowf, 2},
    {"cproj", native_cproj, 2},     {"cprojf", native_cprojf, 1},
    {"creal", native_creal, 2},     {"crealf", native_crealf, 1},
    {"csin", native_csin, 2},       {"csinf", native_csinf, 1},
    {"csinh", native_csinh, 2},     {"csinhf", native_csinhf, 1},
    {"csqrt", native_csqrt, 2},     {"csqrtf", native_csqrtf, 1},
    {"ctan", native_ctan, 2},       {"ctanf", native_ctanf, 1},
    {"ctanh", native_ctanh, 2},     {"ctanhf", native_ctanhf, 1},
};
NATIVE_TABLE(complex, natives);
