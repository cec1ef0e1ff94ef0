/* getopt, getopt_long and getopt_long_only, as the GNU library does them.
 *
 * Operands among the options are moved behind them: arguments first..last of argv are
 * operands that were passed over, and they change places with the options that follow.
 * The variables optarg, optind, opterr and optopt are the program's own where it names
 * them. */
#include "model/exec/libc_file.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

enum { ARGUMENTS_MAX = 1 << 20, OPTION_BYTES = 32 };

typedef struct {
  NativeCall *call;
  LibcState *state;
  int argc;
  uint64_t argv;
  const char *letters; /* without the leading + or - */
  uint64_t long_options, long_index;
  bool long_only, print_errors;
  uint64_t optarg;
  int optind, opterr, optopt;
  uint64_t rest; /* address inside of the current argument; 0: take the next */
  bool stopped;
} Getopt;

/* struct option of the program. */
typedef struct {
  const char *name; /* NULL: the end */
  int has_arg, value;
  uint64_t flag;
} LongOption;

/* ---- the program's variables and arguments ----------------------------------------- */

static bool load_int(Getopt *g, const char *name, int kept, int *ret_value) {
  uint64_t at = libc_variable(g->call->exec, name);
  *ret_value = kept;
  return !at || exec_read(g->call->exec, at, ret_value, sizeof *ret_value);
}

static bool save_int(Getopt *g, const char *name, int *kept, int value) {
  uint64_t at = libc_variable(g->call->exec, name);
  *kept = value;
  return !at || libc_put_int(g->call, at, value);
}

static bool load(Getopt *g) {
  return load_int(g, "optind", g->state->optind, &g->optind) &&
         load_int(g, "opterr", g->state->opterr, &g->opterr) &&
         load_int(g, "optopt", g->state->optopt, &g->optopt);
}

static bool save(Getopt *g) {
  uint64_t at = libc_variable(g->call->exec, "optarg");
  g->state->optarg = g->optarg;
  g->state->getopt_rest = g->rest;
  return save_int(g, "optind", &g->state->optind, g->optind) &&
         save_int(g, "optopt", &g->state->optopt, g->optopt) &&
         (!at || libc_put_u64(g->call, at, g->optarg));
}

/* Address of argument i; 0 after a stop. */
static uint64_t argument(Getopt *g, int i) {
  uint64_t address = 0;
  if (i < 0 || i >= g->argc ||
      !exec_read(g->call->exec, g->argv + 8 * (uint64_t)i, &address, 8))
    g->stopped = true;
  return address;
}

static const char *text_at(Getopt *g, uint64_t address) {
  const char *text = g->stopped ? NULL : libc_string(g->call, address, NULL);
  if (!text) g->stopped = true;
  return text ? text : "";
}

static bool is_operand(Getopt *g, int i) {
  const char *text = text_at(g, argument(g, i));
  return text[0] != '-' || text[1] == '\0';
}

static bool long_option(Getopt *g, uint32_t i, LongOption *ret_option) {
  struct {
    uint64_t name;
    int32_t has_arg, unused;
    uint64_t flag;
    int32_t value, unused2;
  } raw;
  _Static_assert(sizeof raw == OPTION_BYTES, "struct option");
  if (g->stopped ||
      !exec_read(g->call->exec, g->long_options + OPTION_BYTES * (uint64_t)i, &raw,
                 sizeof raw))
    g->stopped = true;
  if (g->stopped || raw.name == 0) return false;
  *ret_option = (LongOption){text_at(g, raw.name), raw.has_arg, raw.value, raw.flag};
  return !g->stopped;
}

/* ---- messages ---------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void complain(Getopt *g, const char *format,
                                                           ...) {
  if (!g->print_errors) return;
  uint64_t address = libc_file_standard(g->call->exec, g->state, 2);
  LibcFile *file = address ? libc_file_at(g->call, address) : NULL;
  if (!file) {
    g->stopped = true;
    return;
  }
  Str line = {0};
  va_list args;
  va_start(args, format);
  str_addf(&line, "%s: ", text_at(g, argument(g, 0)));
  str_vaddf(&line, format, args);
  va_end(args);
  str_add(&line, "\n");
  if (!g->stopped) libc_file_write(g->call, file, str_text(&line), line.len);
  str_free(&line);
}

static int missing(const Getopt *g) {
  return g->letters[0] == ':' ? ':' : '?';
}

/* ---- moving operands --------------------------------------------------------------- */

/* Exchanges the operands first..last with the options last..optind. */
static void exchange(Getopt *g) {
  int first = g->state->getopt_first, last = g->state->getopt_last, end = g->optind;
  int operands = last - first, options = end - last;
  if (first < 0 || operands <= 0 || options <= 0 || end > g->argc) return;
  VEC(uint64_t) moved = {0};
  for (int i = last; i < end; i++) vec_push(&moved, argument(g, i));
  for (int i = first; i < last; i++) vec_push(&moved, argument(g, i));
  if (!g->stopped && !libc_put(g->call, g->argv + 8 * (uint64_t)first, moved.data,
                               8 * (uint64_t)moved.len))
    g->stopped = true;
  vec_free(&moved);
  g->state->getopt_first += options;
  g->state->getopt_last = end;
}

/* ---- long options ------------------------------------------------------------------ */

typedef struct {
  LongOption option;
  int index; /* -1: none */
  bool ambiguous;
} Match;

static Match find_long(Getopt *g, const char *name, size_t length) {
  Match match = {.index = -1};
  LongOption o;
  for (uint32_t i = 0; long_option(g, i, &o); i++)
    if (strlen(o.name) == length && memcmp(o.name, name, length) == 0)
      return (Match){.option = o, .index = (int)i};
  for (uint32_t i = 0; long_option(g, i, &o); i++) {
    if (strncmp(o.name, name, length) != 0) continue;
    if (match.index < 0)
      match = (Match){.option = o, .index = (int)i};
    else if (g->long_only || match.option.has_arg != o.has_arg ||
             match.option.flag != o.flag || match.option.value != o.value)
      match.ambiguous = true;
  }
  return match;
}

static void complain_ambiguous(Getopt *g, const char *prefix, const char *text,
                               size_t length) {
  Str list = {0};
  LongOption o;
  for (uint32_t i = 0; long_option(g, i, &o); i++)
    if (strncmp(o.name, text, length) == 0) str_addf(&list, " '%s%s'", prefix, o.name);
  complain(g, "option '%s%s' is ambiguous; possibilities:%s", prefix, text,
           str_text(&list));
  str_free(&list);
}

/* The option at g->rest; -1 when it may still be a short one. */
static int process_long(Getopt *g, const char *prefix) {
  uint64_t at = g->rest;
  const char *text = text_at(g, at);
  size_t length = strcspn(text, "=");
  Match match = find_long(g, text, length);
  if (g->stopped) return '?';
  if (match.ambiguous) {
    complain_ambiguous(g, prefix, text, length);
    g->rest = 0;
    g->optind++;
    g->optopt = 0;
    return '?';
  }
  if (match.index < 0) {
    const char *whole = text_at(g, argument(g, g->optind));
    if (g->long_only && whole[1] != '-' && text[0] && strchr(g->letters, text[0]))
      return -1;
    complain(g, "unrecognized option '%s%s'", prefix, text);
    g->rest = 0;
    g->optind++;
    g->optopt = 0;
    return '?';
  }
  const LongOption *o = &match.option;
  g->optind++;
  g->rest = 0;
  if (text[length] == '=') {
    if (o->has_arg == 0) {
      complain(g, "option '%s%s' doesn't allow an argument", prefix, o->name);
      g->optopt = o->value;
      return '?';
    }
    g->optarg = at + length + 1;
  } else if (o->has_arg == 1) {
    if (g->optind >= g->argc) {
      complain(g, "option '%s%s' requires an argument", prefix, o->name);
      g->optopt = o->value;
      return missing(g);
    }
    g->optarg = argument(g, g->optind++);
  }
  if (g->long_index && !libc_put_int(g->call, g->long_index, match.index))
    g->stopped = true;
  if (o->flag == 0) return o->value;
  if (!libc_put_int(g->call, o->flag, o->value)) g->stopped = true;
  return 0;
}

/* ---- short options ----------------------------------------------------------------- */

static int process_short(Getopt *g) {
  const char *text = text_at(g, g->rest);
  unsigned char c = (unsigned char)*text;
  const char *letter = c ? strchr(g->letters, c) : NULL;
  g->rest++;
  bool last = text[0] == '\0' || text[1] == '\0';
  if (last) g->optind++;
  if (!letter || c == ':' || c == ';') {
    complain(g, "invalid option -- '%c'", c);
    g->optopt = c;
    return '?';
  }
  if (letter[0] == 'W' && letter[1] == ';' && g->long_options) {
    exec_stop(g->call->exec, "getopt_long with \"W;\" is not modelled");
    g->stopped = true;
    return '?';
  }
  if (letter[1] != ':') return c;
  bool optional = letter[2] == ':';
  if (!last) {
    g->optarg = g->rest;
    g->optind++;
  } else if (!optional) {
    if (g->optind >= g->argc) {
      complain(g, "option requires an argument -- '%c'", c);
      g->optopt = c;
      g->rest = 0;
      return missing(g);
    }
    g->optarg = argument(g, g->optind++);
  }
  g->rest = 0;
  return c;
}

/* Finds the next argument with options and does its first one. */
static int next_argument(Getopt *g) {
  LibcState *s = g->state;
  if (s->getopt_last > g->optind) s->getopt_last = g->optind;
  if (s->getopt_first > g->optind) s->getopt_first = g->optind;
  if (s->getopt_permute) {
    if (s->getopt_first != s->getopt_last && s->getopt_last != g->optind)
      exchange(g);
    else if (s->getopt_last != g->optind)
      s->getopt_first = g->optind;
    while (!g->stopped && g->optind < g->argc && is_operand(g, g->optind)) g->optind++;
    s->getopt_last = g->optind;
  }
  if (!g->stopped && g->optind < g->argc &&
      strcmp(text_at(g, argument(g, g->optind)), "--") == 0) {
    g->optind++;
    if (s->getopt_first != s->getopt_last && s->getopt_last != g->optind)
      exchange(g);
    else if (s->getopt_first == s->getopt_last)
      s->getopt_first = g->optind;
    s->getopt_last = g->optind = g->argc;
  }
  if (g->optind >= g->argc) {
    if (s->getopt_first != s->getopt_last) g->optind = s->getopt_first;
    return -1;
  }
  if (is_operand(g, g->optind)) {
    if (!s->getopt_in_order) return -1;
    g->optarg = argument(g, g->optind++);
    return 1;
  }
  uint64_t at = argument(g, g->optind);
  const char *text = text_at(g, at);
  if (g->stopped) return -1;
  if (g->long_options) {
    if (text[1] == '-') {
      g->rest = at + 2;
      return process_long(g, "--");
    }
    if (g->long_only && (text[2] || !strchr(g->letters, text[1]))) {
      g->rest = at + 1;
      int code = process_long(g, "-");
      if (code != -1) return code;
    }
  }
  g->rest = at + 1;
  return process_short(g);
}

static void start(Getopt *g, const char *letters) {
  LibcState *s = g->state;
  if (g->optind != 0 && s->getopt_started) return;
  if (g->optind == 0) g->optind = 1;
  s->getopt_first = s->getopt_last = g->optind;
  g->rest = 0;
  s->getopt_in_order = *letters == '-';
  s->getopt_permute = *letters != '-' && *letters != '+' && !getenv("POSIXLY_CORRECT");
  s->getopt_started = true;
}

static NativeStatus run(NativeCall *call, bool has_long, bool long_only) {
  Getopt g = {.call = call,
              .state = exec_libc(call->exec),
              .argc = arg_int(call, 0),
              .argv = arg_u64(call, 1),
              .long_only = long_only};
  if (has_long) {
    g.long_options = arg_u64(call, 3);
    g.long_index = arg_u64(call, 4);
  }
  if (g.argc < 1) return ret_int(call, -1);
  if (g.argc > ARGUMENTS_MAX) {
    exec_stop(call->exec, "getopt is called with %d arguments", g.argc);
    return NATIVE_STOP;
  }
  char *letters = libc_string_copy(call, arg_u64(call, 2));
  if (!letters || !load(&g)) {
    mem_free(letters);
    return NATIVE_STOP;
  }
  g.rest = g.state->getopt_rest;
  start(&g, letters);
  g.letters = letters + (*letters == '-' || *letters == '+');
  g.print_errors = g.opterr && g.letters[0] != ':';
  bool fresh = g.rest == 0 || *text_at(&g, g.rest) == '\0';
  int code = g.stopped ? -1 : fresh ? next_argument(&g) : process_short(&g);
  if (!g.stopped && !save(&g)) g.stopped = true;
  mem_free(letters);
  return g.stopped ? NATIVE_STOP : ret_int(call, code);
}

static NativeStatus native_getopt(NativeCall *call) {
  return run(call, false, false);
}
static NativeStatus native_getopt_long(NativeCall *call) {
  return run(call, true, false);
}
static NativeStatus native_getopt_long_only(NativeCall *call) {
  return run(call, true, true);
}

static const Native natives[] = {
    {"getopt", native_getopt, 3},
    {"getopt_long", native_getopt_long, 5},
    {"getopt_long_only", native_getopt_long_only, 5},
};
NATIVE_TABLE(getopt, natives);
