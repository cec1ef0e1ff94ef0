/* C names for functions, objects and locals, and the comments that carry the source.
 *
 * Names are those of the source where that is possible. Functions get a prefix, since the file has
 * a main of its own. What is no C identifier is made one; what is taken gets a number. */
#include "seqc/emit.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of C, and of the machine and the headers that the file begins with. */
static const char *const taken[] = {
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "bool",
    "true",
    "false",
    "nullptr",
    "constexpr",
    "alignas",
    "alignof",
    "thread_local",
    "static_assert",
    "typeof_unqual",
    "_Bool",
    "linux",
    "unix",
    "i386",
    "errno",
    "NULL",
    "main",
    "stdin",
    "stdout",
    "stderr",
    "EOF",
    "raise",
    "ts",
    "ts_size",
    "threads",
    "thread_count",
    "self",
    "depth",
    "section",
    "get",
    "put",
    "run",
    "schedule",
    "SWITCH",
    "async",
    "choose",
    "any",
    "pick",
    "fresh",
    "frame_new",
    "objects",
    "object_count",
    "object_at",
    "mutex_at",
    "object_reset",
    "wake_all",
    "wake_one",
    "wake_cancelled",
    "thread_new",
    "thread_ends",
    "thread_of",
    "id_of",
    "call_start",
    "initial",
    "initial_thread",
    "RENEW",
    "RELEASE",
    "KIND_LOCK",
    "KIND_COND",
    "KIND_SEM",
    "stored",
    "old",
    "outcome",
    "count_ones",
    "low_zeros",
    "high_zeros",
    "mirror",
    "swap_bytes",
    "float_bits",
    "bits_float",
    "double_bits",
    "bits_double",
    "r",
    "r_base",
    "access",
    "conflicts",
    "check",
    "check_r",
    "check_w",
    "check_atomic_r",
    "check_atomic_w",
    "check_free",
    "distinguish",
    "gone",
    "STANDS",
    "MAX",
    "THREADS",
    "OBJECTS",
    "R_SIZE",
    "R_OFFSET",
    "READ",
    "WRITE",
    "ATOMIC_READ",
    "ATOMIC_WRITE",
    "ASSUME",
    "FAIL",
    "STOP",
    "NEW",
    "AS",
    "m8",
    "m16",
    "m32",
    "m64",
    "mfloat",
    "mdouble",
    "mpointer",
    "pointer",
    "labels",
    "abort",
    "exit",
    "reach_error",
};

/* Functions of the headers of the prelude, of <stdio.h>, <math.h>, <time.h>, <ctype.h> and
 * <pthread.h>: a static variable of the same name would contradict them. */
static const char *const library[] = {
    "abs",      "atof",     "atoi",      "atol",    "atoll",        "bsearch",
    "calloc",   "div",      "free",      "getenv",  "labs",         "ldiv",
    "malloc",   "qsort",    "rand",      "random",  "realloc",      "srand",
    "strtod",   "strtol",   "system",    "putenv",  "setenv",       "select",
    "memcpy",   "memset",   "memcmp",    "memmove", "memchr",       "strlen",
    "strcpy",   "strcat",   "strcmp",    "strchr",  "strdup",       "strtok",
    "strstr",   "index",    "rindex",    "ffs",     "bcmp",         "bcopy",
    "bzero",    "basename", "remove",    "rename",  "tmpfile",      "tmpnam",
    "fopen",    "fclose",   "printf",    "puts",    "gets",         "getc",
    "putc",     "getchar",  "putchar",   "perror",  "popen",        "pclose",
    "dprintf",  "getline",  "fputs",     "fgets",   "fread",        "fwrite",
    "fseek",    "ftell",    "rewind",    "fflush",  "scanf",        "acos",
    "asin",     "atan",     "atan2",     "cos",     "sin",          "tan",
    "cosh",     "sinh",     "tanh",      "exp",     "exp2",         "log",
    "log2",     "log10",    "pow",       "sqrt",    "cbrt",         "hypot",
    "erf",      "gamma",    "lgamma",    "tgamma",  "ceil",         "floor",
    "round",    "trunc",    "rint",      "fabs",    "fmod",         "fma",
    "fmin",     "fmax",     "fdim",      "frexp",   "ldexp",        "modf",
    "scalb",    "j0",       "j1",        "jn",      "y0",           "y1",
    "yn",       "signgam",  "time",      "clock",   "difftime",     "mktime",
    "ctime",    "gmtime",   "localtime", "asctime", "strftime",     "timezone",
    "daylight", "tzname",   "isalpha",   "isdigit", "isspace",      "isupper",
    "islower",  "toupper",  "tolower",   "clone",   "unshare",      "significand",
    "drem",     "logb",     "remainder", "nan",     "canonicalize", "getpayload",
};

/* ---- making names ---- */

static bool is_free(const Seqc *s, const StrMap *names, const char *name) {
  return !strmap_get(names, name, strlen(name)) &&
         (names == &s->global_names || !strmap_get(&s->global_names, name, strlen(name)));
}

/* The text as an identifier: what cannot stand in one is an underscore, but not at the end. */
static void put_identifier(const char *prefix, const char *wanted, Str *out) {
  /* the machine's own constants begin so */
  if (str_starts(wanted, "KIND_") || str_starts(wanted, "PHASE_")) prefix = "v_";
  str_add(out, prefix);
  if (!out->len && isdigit((unsigned char)*wanted)) str_add_char(out, '_');
  bool gap = false;
  for (const char *c = wanted; *c; c++) {
    bool fits = isalnum((unsigned char)*c) || *c == '_';
    if (fits && gap && out->len) str_add_char(out, '_');
    if (fits) str_add_char(out, *c);
    gap = !fits;
  }
  if (!out->len) str_add(out, "v");
}

static char *unique(Seqc *s, StrMap *names, const char *prefix, const char *wanted) {
  Str base = {0};
  put_identifier(prefix, wanted, &base);
  char *name = str_dup(str_text(&base));
  for (int n = 2; !is_free(s, names, name); n++) {
    mem_free(name);
    name = str_printf("%s_%d", str_text(&base), n);
  }
  str_free(&base);
  strmap_put(names, name, 1);
  return name;
}

static char *name_function(Seqc *s, FuncId id) {
  const Function *f = seqc_function(s, id);
  const char *name = sym_text(s->program, f->name);
  if (!(f->flags & FUNCTION_DEFINED)) return str_dup(name);
  return unique(s, &s->global_names, "seq_", name);
}

static char *name_object(Seqc *s, ObjectId id) {
  const Object *o = vec_at(&s->program->objects, id);
  const char *name = sym_text(s->program, o->name);
  if (o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP || o->kind == OBJECT_LIBRARY)
    return NULL;
  if (o->flags & OBJECT_EXTERNAL) return str_dup(name);
  return unique(s, &s->global_names, "",
                o->flags & OBJECT_LITERAL || !*name ? "text" : name);
}

void seqc_name_all(Seqc *s) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    strmap_put(&s->global_names, taken[i], 1);
  for (size_t i = 0; i < sizeof library / sizeof *library; i++)
    strmap_put(&s->global_names, library[i], 1);
  const Program *p = s->program;
  for (FuncId i = 1; i < p->functions.len; i++)
    if (!(p->functions.data[i].flags & FUNCTION_DEFINED))
      strmap_put(&s->global_names, sym_text(p, p->functions.data[i].name), 1);
  s->functions = mem_alloc_zero((p->functions.len + 1) * sizeof *s->functions);
  s->objects = mem_alloc_zero((p->objects.len + 1) * sizeof *s->objects);
  for (ObjectId i = 1; i < p->objects.len; i++)
    if (p->objects.data[i].kind == OBJECT_GLOBAL || p->objects.data[i].kind == OBJECT_TLS)
      s->objects[i] = name_object(s, i);
  for (FuncId i = 1; i < p->functions.len; i++) s->functions[i] = name_function(s, i);
}

static void free_locals(Seqc *s) {
  if (s->function && s->locals)
    for (uint32_t i = 0; i < seqc_function(s, s->function)->local_count; i++)
      mem_free(s->locals[i]);
  mem_free(s->locals);
  s->locals = NULL;
  strmap_free(&s->local_names);
}

void seqc_name_locals(Seqc *s, FuncId id) {
  free_locals(s);
  s->function = id;
  const Program *p = s->program;
  const Function *f = seqc_function(s, id);
  s->locals = mem_alloc_zero((f->local_count + 1) * sizeof *s->locals);
  uint32_t temporaries = 0;
  for (uint32_t i = 0; i < f->local_count; i++) {
    const Local *l = vec_at(&p->locals, f->first_local + i);
    const char *name = sym_text(p, l->name);
    char number[16];
    if (!*name) snprintf(number, sizeof number, "t%u", ++temporaries);
    s->locals[i] = unique(s, &s->local_names, "", *name ? name : number);
  }
  for (ObjectId i = 1; i < p->objects.len; i++) {
    const Object *o = &p->objects.data[i];
    if (o->kind != OBJECT_STACK || o->owner != id) continue;
    mem_free(s->objects[i]);
    s->objects[i] = unique(s, &s->local_names, "", sym_text(p, o->name));
  }
}

void seqc_free_names(Seqc *s) {
  free_locals(s);
  strmap_free(&s->global_names);
  for (FuncId i = 0; s->functions && i < s->program->functions.len; i++)
    mem_free(s->functions[i]);
  for (ObjectId i = 0; s->objects && i < s->program->objects.len; i++)
    mem_free(s->objects[i]);
  mem_free(s->functions);
  mem_free(s->objects);
  for (uint32_t i = 0; i < s->sources.len; i++)
    mem_free((void *)(uintptr_t)s->sources.entries[i].value);
  strmap_free(&s->sources);
}

/* ---- the source in comments ---- */

static const char *source_text(Seqc *s, const char *path) {
  uint64_t *known = strmap_get(&s->sources, path, strlen(path));
  if (known) return (const char *)(uintptr_t)*known;
  Str text = {0};
  FILE *file = fopen(path, "rb");
  char buffer[4096];
  size_t n;
  while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
    str_add_bytes(&text, buffer, n);
  if (file) fclose(file);
  char *taken_text = text.len ? str_take(&text) : NULL;
  strmap_put(&s->sources, path, (uintptr_t)taken_text);
  return taken_text;
}

/* The line without what stands around it, and without what would end the comment. */
static void put_source_line(Seqc *s, const char *path, uint32_t line, Str *out) {
  const char *text = source_text(s, path);
  for (uint32_t i = 1; text && i < line; i++) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  if (!text) return;
  size_t length = strcspn(text, "\r\n");
  while (length && isspace((unsigned char)*text)) text++, length--;
  while (length && isspace((unsigned char)text[length - 1])) length--;
  if (length) str_add(out, "  ");
  for (size_t i = 0; i < length && i < 100; i++)
    if (text[i] == '\t' || !isprint((unsigned char)text[i])) {
      str_add_char(out, text[i] == '\t' ? ' ' : text[i] < 0 ? text[i] : '?');
    } else {
      str_add_char(out, text[i]);
      bool ends = (text[i] == '*' && i + 1 < length && text[i + 1] == '/') ||
                  (text[i] == '/' && i + 1 < length && text[i + 1] == '*');
      if (ends) str_add_char(out, ' ');
    }
}

void seqc_place_comment(Seqc *s, LocId id) {
  const Loc *loc = vec_at(&s->program->locs, id);
  const Loc *last = vec_at(&s->program->locs, s->last_loc);
  if (!id || !loc->line || (last->file == loc->file && last->line == loc->line)) return;
  s->last_loc = id;
  const char *path = sym_text(s->program, loc->file);
  const char *slash = strrchr(path, '/');
  Str text = {0};
  put_source_line(s, path, loc->line, &text);
  seqc_line(s, "/* %s:%u%s */", slash ? slash + 1 : path, loc->line, str_text(&text));
  str_free(&text);
}
