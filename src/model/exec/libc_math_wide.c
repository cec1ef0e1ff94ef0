/* math.h for long double, the x87 format of 80 bits; the functions themselves are in
 * libc_math_kind.inc. */
#include "model/exec/libc_math.h"

#define MATH_REAL long double
#define MATH_NAME(function) function##l
#define MATH_LGAMMA_R lgammal_r
#define MATH_ARG(v, i)                                                                   \
  long double v;                                                                         \
  if (!arg_long_double(call, i, &v)) return NATIVE_STOP
#define MATH_RET ret_long_double
#define MATH_BYTES 10
#include "model/exec/libc_math_kind.inc"

static const Native natives[] = {
    {"__finitel", native_finite, 1}, {"__fpclassifyl", native_fpclassify, 1},
    {"__isinfl", native_isinf, 1}, {"__isnanl", native_isnan, 1},
    {"__signbitl", native_signbit, 1}, {"acoshl", native_acosh, 1},
    {"acosl", native_acos, 1}, {"asinhl", native_asinh, 1}, {"asinl", native_asin, 1},
    {"atan2l", native_atan2, 2}, {"atanhl", native_atanh, 1}, {"atanl", native_atan, 1},
    {"cbrtl", native_cbrt, 1}, {"ceill", native_ceil, 1},
    {"copysignl", native_copysign, 2}, {"coshl", native_cosh, 1},
    {"cosl", native_cos, 1}, {"dreml", native_drem, 2}, {"erfcl", native_erfc, 1},
    {"erfl", native_erf, 1}, {"exp10l", native_exp10, 1}, {"exp2l", native_exp2, 1},
    {"expl", native_exp, 1}, {"expm1l", native_expm1, 1}, {"fabsl", native_fabs, 1},
    {"fdiml", native_fdim, 2}, {"finitel", native_finite, 1},
    {"floorl", native_floor, 1}, {"fmal", native_fma, 3}, {"fmaxl", native_fmax, 2},
    {"fminl", native_fmin, 2}, {"fmodl", native_fmod, 2}, {"frexpl", native_frexp, 2},
    {"gammal", native_lgamma, 1}, {"hypotl", native_hypot, 2},
    {"ilogbl", native_ilogb, 1}, {"isinfl", native_isinf, 1},
    {"isnanl", native_isnan, 1}, {"j0l", native_j0, 1}, {"j1l", native_j1, 1},
    {"jnl", native_jn, 2}, {"ldexpl", native_ldexp, 2}, {"lgammal", native_lgamma, 1},
    {"lgammal_r", native_lgamma_r, 2}, {"llrintl", native_llrint, 1},
    {"llroundl", native_llround, 1}, {"log10l", native_log10, 1},
    {"log1pl", native_log1p, 1}, {"log2l", native_log2, 1}, {"logbl", native_logb, 1},
    {"logl", native_log, 1}, {"lrintl", native_lrint, 1}, {"lroundl", native_lround, 1},
    {"modfl", native_modf, 2}, {"nanl", native_nan, 1},
    {"nearbyintl", native_nearbyint, 1}, {"nextafterl", native_nextafter, 2},
    {"nexttowardl", native_nextafter, 2}, {"pow10l", native_exp10, 1},
    {"powl", native_pow, 2}, {"remainderl", native_remainder, 2},
    {"remquol", native_remquo, 3}, {"rintl", native_rint, 1},
    {"roundevenl", native_roundeven, 1}, {"roundl", native_round, 1},
    {"scalblnl", native_scalbln, 2}, {"scalbnl", native_ldexp, 2},
    {"sincosl", native_sincos, 3}, {"sinhl", native_sinh, 1}, {"sinl", native_sin, 1},
    {"sqrtl", native_sqrt, 1}, {"tanhl", native_tanh, 1}, {"tanl", native_tan, 1},
    {"tgammal", native_tgamma, 1}, {"truncl", native_trunc, 1}, {"y0l", native_y0, 1},
    {"y1l", native_y1, 1}, {"ynl", native_yn, 2},
};
NATIVE_TABLE(math_wide, natives);
