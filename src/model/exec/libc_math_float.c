/* math.h for float; the functions themselves are in libc_math_kind.inc. A float argument
 * arrives as its 32 bits. */
#include "model/exec/libc_math.h"

#define MATH_REAL           float
#define MATH_NAME(function) function##f
#define MATH_LGAMMA_R       lgammaf_r
#define MATH_ARG(v, i)      float v = arg_float(call, i)
#define MATH_RET            ret_float
#define MATH_BYTES          4
#include "model/exec/libc_math_kind.inc"

static NativeStatus native_nexttoward(NativeCall *call) {
  MATH_ARG(x, 0);
  long double towards;
  if (!arg_long_double(call, 1, &towards)) return NATIVE_STOP;
  math_begin();
  float value = nexttowardf(x, towards);
  math_end(call);
  return MATH_RET(call, value);
}

static const Native natives[] = {
    {"__finitef", native_finite, 1},
    {"__fpclassifyf", native_fpclassify, 1},
    {"__isinff", native_isinf, 1},
    {"__isnanf", native_isnan, 1},
    {"__signbitf", native_signbit, 1},
    {"acosf", native_acos, 1},
    {"acoshf", native_acosh, 1},
    {"asinf", native_asin, 1},
    {"asinhf", native_asinh, 1},
    {"atan2f", native_atan2, 2},
    {"atanf", native_atan, 1},
    {"atanhf", native_atanh, 1},
    {"cbrtf", native_cbrt, 1},
    {"ceilf", native_ceil, 1},
    {"copysignf", native_copysign, 2},
    {"cosf", native_cos, 1},
    {"coshf", native_cosh, 1},
    {"dremf", native_drem, 2},
    {"erfcf", native_erfc, 1},
    {"erff", native_erf, 1},
    {"exp10f", native_exp10, 1},
    {"exp2f", native_exp2, 1},
    {"expf", native_exp, 1},
    {"expm1f", native_expm1, 1},
    {"fabsf", native_fabs, 1},
    {"fdimf", native_fdim, 2},
    {"finitef", native_finite, 1},
    {"floorf", native_floor, 1},
    {"fmaf", native_fma, 3},
    {"fmaxf", native_fmax, 2},
    {"fminf", native_fmin, 2},
    {"fmodf", native_fmod, 2},
    {"frexpf", native_frexp, 2},
    {"gammaf", native_lgamma, 1},
    {"hypotf", native_hypot, 2},
    {"ilogbf", native_ilogb, 1},
    {"isinff", native_isinf, 1},
    {"isnanf", native_isnan, 1},
    {"j0f", native_j0, 1},
    {"j1f", native_j1, 1},
    {"jnf", native_jn, 2},
    {"ldexpf", native_ldexp, 2},
    {"lgammaf", native_lgamma, 1},
    {"lgammaf_r", native_lgamma_r, 2},
    {"llrintf", native_llrint, 1},
    {"llroundf", native_llround, 1},
    {"log10f", native_log10, 1},
    {"log1pf", native_log1p, 1},
    {"log2f", native_log2, 1},
    {"logbf", native_logb, 1},
    {"logf", native_log, 1},
    {"lrintf", native_lrint, 1},
    {"lroundf", native_lround, 1},
    {"modff", native_modf, 2},
    {"nanf", native_nan, 1},
    {"nearbyintf", native_nearbyint, 1},
    {"nextafterf", native_nextafter, 2},
    {"nexttowardf", native_nexttoward, 2},
    {"pow10f", native_exp10, 1},
    {"powf", native_pow, 2},
    {"remainderf", native_remainder, 2},
    {"remquof", native_remquo, 3},
    {"rintf", native_rint, 1},
    {"roundevenf", native_roundeven, 1},
    {"roundf", native_round, 1},
    {"scalblnf", native_scalbln, 2},
    {"scalbnf", native_ldexp, 2},
    {"sincosf", native_sincos, 3},
    {"sinf", native_sin, 1},
    {"sinhf", native_sinh, 1},
    {"sqrtf", native_sqrt, 1},
    {"tanf", native_tan, 1},
    {"tanhf", native_tanh, 1},
    {"tgammaf", native_tgamma, 1},
    {"truncf", native_trunc, 1},
    {"y0f", native_y0, 1},
    {"y1f", native_y1, 1},
    {"ynf", native_yn, 2},
};
NATIVE_TABLE(math_float, natives);
