/* Library functions that the sequential program calls as they are.
 *
 * A function is in the table if what it does depends on its arguments and on memory alone, or on
 * state of the library that all threads share: then a call in the one real thread means the same.
 * Functions that wait or sleep take no time and do nothing. What is not in the table cannot be
 * translated: nothing is dropped silently. */
#include "seqc/emit.h"

#include "base/mem.h"

#include <string.h>

typedef struct {
  const char *header, *names; /* with a space before and behind each */
} Known;

static const Known known[] = {
    {"stdlib.h",
     " malloc calloc realloc free aligned_alloc posix_memalign abs labs llabs atoi atol atoll "
     "atof strtol strtoll strtoul strtoull strtod rand srand rand_r random srandom getenv "
     "reallocarray setenv putenv unsetenv clearenv drand48 lrand48 mrand48 srand48 erand48 "
     "nrand48 jrand48 initstate setstate mblen mbtowc wctomb "},
    {"string.h",
     " memcpy memmove memset memcmp memchr strlen strnlen strcpy strncpy strcat strncat strcmp "
     "strncmp strcasecmp strncasecmp strchr strrchr strstr strspn strcspn strpbrk strdup "
     "strndup strtok strtok_r strerror strerror_r stpcpy memccpy strcoll strsep "
     "strxfrm memrchr strchrnul strsignal "},
    {"stdio.h",
     " printf fprintf sprintf snprintf puts putchar fputs fputc putc fflush perror sscanf "
     "fwrite fread fopen fclose fgets fgetc getc getchar ungetc feof ferror fileno setvbuf "
     "setbuf rewind fseek ftell clearerr dprintf remove fputs_unlocked fputc_unlocked "
     "putc_unlocked putchar_unlocked scanf fscanf tmpnam tmpfile fmemopen "},
    {"ctype.h",
     " isalpha isdigit isalnum isspace isupper islower isprint ispunct isxdigit iscntrl isgraph "
     "toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "},
    {"math.h",
     " sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 log log2 log10 pow sqrt cbrt "
     "fabs floor ceil round trunc fmod hypot fmin fmax sinf cosf sqrtf fabsf floorf ceilf powf "
     "expf logf lround llround lrint rint nearbyint ldexp frexp modf "},
    {"time.h",
     " time clock clock_gettime gettimeofday difftime mktime localtime localtime_r gmtime "
     "gmtime_r strftime ctime timespec_get asctime asctime_r ctime_r tzset "},
    {"locale.h", " setlocale localeconv "},
    {"search.h", " insque remque "},
    {"sys/mman.h", " mmap munmap mprotect "},
    {"wchar.h", " mbrtowc wcrtomb mbrlen mbsrtowcs wcslen wcscpy wcscmp wprintf "},
    {"errno.h", " __errno_location "},
    {"pthread.h",
     " pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize "
     "pthread_attr_setdetachstate pthread_attr_getdetachstate pthread_attr_setschedpolicy "
     "pthread_attr_setinheritsched "
     "pthread_attr_getstacksize pthread_attr_setscope pthread_attr_setguardsize "
     "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype "
     "pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_mutexattr_setprotocol "
     "pthread_mutexattr_setrobust pthread_condattr_init pthread_condattr_destroy "
     "pthread_condattr_setclock pthread_condattr_setpshared pthread_rwlockattr_init "
     "pthread_rwlockattr_destroy pthread_rwlockattr_setkind_np pthread_barrierattr_init "
     "pthread_barrierattr_destroy "},
};

/* Time passes when it likes to. */
static const char idle[] =
    " sleep usleep nanosleep clock_nanosleep thrd_sleep thrd_yield sched_yield pthread_yield "
    "pthread_setname_np pthread_setconcurrency pthread_setaffinity_np sched_setaffinity ";

static bool is_among(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
    if (at > names && at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

/* glibc's names for functions of a later standard. */
static const char *plain_name(const char *name) {
  return str_starts(name, "__isoc99_") || str_starts(name, "__isoc23_") ? name + 9 : name;
}

const char *seqc_library_header(const char *name) {
  name = plain_name(name);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (is_among(known[i].names, name)) return known[i].header;
  return NULL;
}

bool seqc_library_idles(const Seqc *s, FuncId function) {
  return is_among(idle, sym_text(s->program, seqc_function(s, function)->name));
}

static const Arg *arguments(const Seqc *s, const Edge *e) {
  return e->arg_count ? &s->program->args.data[e->first_arg] : NULL;
}

static void put_arguments(Seqc *s, const Edge *e, Str *out) {
  const Arg *args = arguments(s, e);
  str_add(out, "(");
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Expr *value = program_expr(s->program, args[i].value);
    if (i) str_add(out, ", ");
    if (args[i].passing.byval_size)
      seqc_refuse(s, "pass its members", "a library function gets a structure by value");
    if (value->sort == SORT_PTR) str_add(out, "(void *)");
    if (value->sort == SORT_INT && value->kind == EXPR_CONST)
      str_addf(out, "(%s)", seqc_type(s, value->sort, value->bits));
    seqc_expr(s, args[i].value, out);
  }
  str_add(out, ")");
}

/* Allocation: through NEW, so that a driver can take all of it back. */
static bool allocation(Seqc *s, const Edge *e, const char *name, Str *out) {
  const Arg *args = arguments(s, e);
  bool one = str_eq(name, "malloc") && e->arg_count == 1;
  bool two = str_eq(name, "calloc") && e->arg_count == 2;
  if (!one && !two) return false;
  char *a = seqc_value(s, args[0].value),
       *b = two ? seqc_value(s, args[1].value) : str_dup("1");
  if (two)
    str_addf(out, "frame_new((uint64_t)(%s) * (%s))", a, b);
  else
    str_addf(out, "frame_new(%s)", a);
  mem_free(a);
  mem_free(b);
  return true;
}

/* Functions that need no call. */
static bool small(Seqc *s, const Edge *e, const char *name, Str *out) {
  const Arg *args = arguments(s, e);
  if (is_among(idle, name)) {
    str_add(out, "0");
    return true;
  }
  if ((str_eq(name, "pthread_equal") || str_eq(name, "thrd_equal")) &&
      e->arg_count == 2) {
    char *a = seqc_value(s, args[0].value), *b = seqc_value(s, args[1].value);
    str_addf(out, "((%s) == (%s))", a, b);
    mem_free(a);
    mem_free(b);
    return true;
  }
  if (str_eq(name, "free") && e->arg_count == 1) {
    char *a = seqc_value(s, args[0].value);
    str_addf(out, s->place.object ? "RELEASE(gone(%s))" : "RELEASE(%s)", a);
    mem_free(a);
    return true;
  }
  return allocation(s, e, name, out);
}

bool seqc_library_call(Seqc *s, EdgeId edge, FuncId callee, Str *out) {
  const Edge *e = program_edge(s->program, edge);
  const Function *f = seqc_function(s, callee);
  const char *name = sym_text(s->program, f->name);
  const char *header = seqc_library_header(name);
  if (small(s, e, name, out)) return true;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    uint8_t kind = s->program->effects.data[f->first_effect + i].kind;
    if (kind == EFFECT_CALL || kind == EFFECT_CALL_LATER) header = NULL;
  }
  if (!header) {
    seqc_refuse(s, "give it a body",
                f->flags & FUNCTION_UNKNOWN ? "nothing is known of the function %s"
                                            : "the library function %s is not translated",
                name);
    return false;
  }
  strmap_put(&s->headers, header, 1);
  str_add(out, str_eq(name, "realloc") ? "RENEW" : plain_name(name));
  put_arguments(s, e, out);
  return true;
}
