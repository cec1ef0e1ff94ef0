/* math.h for double: the host's libm computes, bit for bit what a native program would
 * get from the same library. The functions themselves are in libc_math_kind.inc. */
#include "model/exec/libc_math.h"

#define MATH_REAL           double
#define MATH_NAME(function) function
#define MATH_LGAMMA_R       lgamma_r
#define MATH_ARG(v, i)      double v = arg_double(call, i)
#define MATH_RET            ret_double
#define MATH_BYTES          8
#include "model/exec/libc_math_kind.inc"

static NativeStatus native_nexttoward(NativeCall *call) {
  MATH_ARG(x, 0);
  long double towards;
  if (!arg_long_double(call, 1, &towards)) return NATIVE_STOP;
  math_begin();
  double value = nexttoward(x, towards);
  math_end(call);
  return MATH_RET(call, value);
}

static const Native natives[] = {
    {"__finite", native_finite, 1},
    {"__fpclassify", native_fpclassify, 1},
    {"__isinf", native_isinf, 1},
    {"__isnan", native_isnan, 1},
    {"__signbit", native_signbit, 1},
    {"acos", native_acos, 1},
    {"acosh", native_acosh, 1},
    {"asin", native_asin, 1},
    {"asinh", native_asinh, 1},
    {"atan", native_atan, 1},
    {"atan2", native_atan2, 2},
    {"atanh", native_atanh, 1},
    {"cbrt", native_cbrt, 1},
    {"ceil", native_ceil, 1},
    {"copysign", native_copysign, 2},
    {"cos", native_cos, 1},
    {"cosh", native_cosh, 1},
    {"drem", native_drem, 2},
    {"erf", native_erf, 1},
    {"erfc", native_erfc, 1},
    {"exp", native_exp, 1},
    {"exp10", native_exp10, 1},
    {"exp2", native_exp2, 1},
    {"expm1", native_expm1, 1},
    {"fabs", native_fabs, 1},
    {"fdim", native_fdim, 2},
    {"finite", native_finite, 1},
    {"floor", native_floor, 1},
    {"fma", native_fma, 3},
    {"fmax", native_fmax, 2},
    {"fmin", native_fmin, 2},
    {"fmod", native_fmod, 2},
    {"frexp", native_frexp, 2},
    {"gamma", native_lgamma, 1},
    {"hypot", native_hypot, 2},
    {"ilogb", native_ilogb, 1},
    {"isinf", native_isinf, 1},
    {"isnan", native_isnan, 1},
    {"j0", native_j0, 1},
    {"j1", native_j1, 1},
    {"jn", native_jn, 2},
    {"ldexp", native_ldexp, 2},
    {"lgamma", native_lgamma, 1},
    {"lgamma_r", native_lgamma_r, 2},
    {"llrint", native_llrint, 1},
    {"llround", native_llround, 1},
    {"log", native_log, 1},
    {"log10", native_log10, 1},
    {"log1p", native_log1p, 1},
    {"log2", native_log2, 1},
    {"logb", native_logb, 1},
    {"lrint", native_lrint, 1},
    {"lround", native_lround, 1},
    {"modf", native_modf, 2},
    {"nan", native_nan, 1},
    {"nearbyint", native_nearbyint, 1},
    {"nextafter", native_nextafter, 2},
    {"nexttoward", native_nexttoward, 2},
    {"pow", native_pow, 2},
    {"pow10", native_exp10, 1},
    {"remainder", native_remainder, 2},
    {"remquo", native_remquo, 3},
    {"rint", native_rint, 1},
    {"round", native_round, 1},
    {"roundeven", native_roundeven, 1},
    {"scalbln", native_scalbln, 2},
    {"scalbn", native_ldexp, 2},
    {"sin", native_sin, 1},
    {"sincos", native_sincos, 3},
    {"sinh", native_sinh, 1},
    {"sqrt", native_sqrt, 1},
    {"tan", native_tan, 1},
    {"tanh", native_tanh, 1},
    {"tgamma", native_tgamma, 1},
    {"trunc", native_trunc, 1},
    {"y0", native_y0, 1},
    {"y1", native_y1, 1},
    {"yn", native_yn, 2},
};
NATIVE_TABLE(math, natives);
