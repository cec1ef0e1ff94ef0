/* Option tables: the parser, its messages, and the texts made from the tables. */
#include "base/mem.h"
#include "base/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
  bool dot, help;
  int verbose, color;
  long long seed, offset;
  uint64_t engines;
  const char *output, *name;
  OptStrings rules, flags, inputs, rest;
} Values;

#define AT(member) .offset = offsetof(Values, member)

static const Option options[] = {
    {OPT_FLAG, "dot", 'd', .help = "draw it", AT(dot)},
    {OPT_COUNT, "verbose", 'v', .help = "say more", AT(verbose)},
    {OPT_INT, "seed", 's', "N", .minimum = 0, .maximum = 1000, .initial = 7,
     .help = "where random numbers begin", AT(seed)},
    {OPT_INT, "offset", .argument = "N", .minimum = -5, .maximum = 5, .help = "shift",
     AT(offset)},
    {OPT_ENUM, "color", .argument = "WHEN", .words = "auto|always|never", .initial = 2,
     .help = "colour", AT(color)},
    {OPT_LIST, "engine", .argument = "LIST", .words = "lockset|petri|circ", .initial = 5,
     .help = "engines", AT(engines)},
    {OPT_FILE, "output", 'o', "FILE", .initial_text = "-", .help = "where to",
     AT(output)},
    {OPT_STRING, "name", .argument = "TEXT", .help = "a name", AT(name)},
    {OPT_FILES, "rules", .argument = "FILE", .section = "More", .help = "rules",
     AT(rules)},
    {OPT_CC_EITHER, "-I", .argument = "DIR", .help = "headers", AT(flags)},
    {OPT_CC_EITHER, "-include", .argument = " FILE", .help = "include", AT(flags)},
    {OPT_CC_JOINED, "-std=", .argument = "NAME", .help = "standard", AT(flags)},
    {OPT_CC_PREFIX, "-O", .argument = "...", .help = "optimise", AT(flags)},
    {OPT_CC_ALONE, "-pthread", .help = "threads", AT(flags)},
    {OPT_STOP, "help", 'h', .help = "help", AT(help)},
    {0}};

static const OptCommand table = {.name = "model",
                                 .summary = "show the model",
                                 .usage = "INPUT... [-- FLAGS]",
                                 .description = "First.\n\n.Second 'paragraph' \\ here.",
                                 .options = options,
                                 .operand = "INPUT",
                                 .operand_files = "c i",
                                 .operands = offsetof(Values, inputs),
                                 .at_least = 1,
                                 .takes_rest = true,
                                 .rest = offsetof(Values, rest)};

static bool parse(const OptCommand *command, Values *values, Err *err, int count, ...) {
  char *words[40] = {0};
  va_list args;
  va_start(args, count);
  for (int i = 0; i < count; i++) words[i] = va_arg(args, char *);
  va_end(args);
  *values = (Values){0};
  return opt_parse("heddle", command, count, words, values, err);
}

#define COUNT(...)       (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))
#define PARSE(v, e, ...) parse(&table, v, e, COUNT(__VA_ARGS__), __VA_ARGS__)

static void test_defaults(void **state) {
  (void)state;
  Values v;
  Err err = {0};
  assert_true(PARSE(&v, &err, "a.c"));
  assert_false(v.dot);
  assert_int_equal(v.seed, 7);
  assert_int_equal(v.offset, 0);
  assert_int_equal(v.color, 2);
  assert_int_equal(v.engines, 5);
  assert_string_equal(v.output, "-");
  assert_null(v.name);
  assert_int_equal(v.inputs.len, 1);
  opt_free(&table, &v);
}

static void test_every_kind(void **state) {
  (void)state;
  Values v;
  Err err = {0};
  assert_true(PARSE(&v, &err, "--dot", "-vv", "--verbose", "--seed=1000", "--offset",
                    "-5", "--color", "always", "--engine=petri,lockset", "-oout",
                    "--name", "", "--rules", "r1", "--rules=r2", "-I", "inc", "-Iother",
                    "-std=c11", "-pthread", "-O", "-O2", "a.c", "-", "b.c"));
  assert_true(v.dot);
  assert_int_equal(v.verbose, 3);
  assert_int_equal(v.seed, 1000);
  assert_int_equal(v.offset, -5);
  assert_int_equal(v.color, 1);
  assert_int_equal(v.engines, 3);
  assert_string_equal(v.output, "out");
  assert_string_equal(v.name, "");
  assert_int_equal(v.rules.len, 2);
  assert_string_equal(v.rules.data[1], "r2");
  static const char *const flags[] = {"-I",       "inc", "-Iother", "-std=c11",
                                      "-pthread", "-O",  "-O2"};
  assert_int_equal(v.flags.len, 7);
  for (int i = 0; i < 7; i++) assert_string_equal(v.flags.data[i], flags[i]);
  assert_int_equal(v.inputs.len, 3);
  assert_string_equal(v.inputs.data[1], "-");
  opt_free(&table, &v);
}

static void test_letters_together(void **state) {
  (void)state;
  Values v;
  Err err = {0};
  assert_true(PARSE(&v, &err, "-dvs12", "a.c", "-o", "-"));
  assert_true(v.dot);
  assert_int_equal(v.verbose, 1);
  assert_int_equal(v.seed, 12);
  assert_string_equal(v.output, "-");
  opt_free(&table, &v);
}

static void test_after_the_dashes(void **state) {
  (void)state;
  Values v;
  Err err = {0};
  assert_true(PARSE(&v, &err, "a.c", "--", "--dot", "--", "b.c"));
  assert_false(v.dot);
  assert_int_equal(v.inputs.len, 1);
  assert_int_equal(v.rest.len, 3);
  assert_string_equal(v.rest.data[1], "--");
  opt_free(&table, &v);
  OptCommand plain = table;
  plain.takes_rest = false;
  assert_true(parse(&plain, &v, &err, 2, "--", "--dot"));
  assert_int_equal(v.inputs.len, 1);
  assert_string_equal(v.inputs.data[0], "--dot");
  opt_free(&plain, &v);
}

static void test_stops(void **state) {
  (void)state;
  Values v;
  Err err = {0};
  assert_true(PARSE(&v, &err, "--help", "--nonsense")); /* no operand needed either */
  assert_true(v.help);
  opt_free(&table, &v);
  OptCommand outer = table;
  outer.stop_at_operand = true;
  assert_true(parse(&outer, &v, &err, 3, "--dot", "model", "--nonsense"));
  assert_int_equal(v.inputs.len, 2);
  opt_free(&outer, &v);
  OptCommand verbatim = {
      .name = "cc", .operand = "ARG", .operands = offsetof(Values, inputs)};
  assert_true(parse(&verbatim, &v, &err, 3, "-c", "--", "x.c"));
  assert_int_equal(v.inputs.len, 3);
  opt_free(&verbatim, &v);
}

static void refuse(const char *expected, int count, ...) {
  char *words[8] = {0};
  va_list args;
  va_start(args, count);
  for (int i = 0; i < count; i++) words[i] = va_arg(args, char *);
  va_end(args);
  Values v = {0};
  Err err = {0};
  Str line = {0};
  assert_false(opt_parse("heddle", &table, count, words, &v, &err));
  assert_int_equal(err.kind, ERR_INPUT);
  err_format(&err, &line);
  assert_string_equal(str_text(&line), expected);
  str_free(&line);
  err_free(&err);
  opt_free(&table, &v);
  /* Nobody has to listen. */
  v = (Values){0};
  assert_false(opt_parse("heddle", &table, count, words, &v, NULL));
  opt_free(&table, &v);
}

#define REFUSE(text, ...) refuse(text, COUNT(__VA_ARGS__), __VA_ARGS__)

static void test_messages(void **state) {
  (void)state;
  REFUSE("unknown option --dto; did you mean --dot?", "--dto");
  REFUSE("unknown option --sed; did you mean --seed?", "--sed=3", "a.c");
  REFUSE("unknown option -verbos; did you mean --verbose?", "-verbos");
  REFUSE("unknown option --verb; did you mean --verbose?", "--verb");
  REFUSE("unknown option --xyzzy; `heddle model --help` lists the options", "--xyzzy");
  REFUSE("unknown option -fopenmp; a compiler flag goes into --cflags '-fopenmp'",
         "-fopenmp");
  REFUSE("--seed: 1001 is out of range; give a number from 0 to 1000", "--seed", "1001");
  REFUSE("--seed: -1 is out of range; give a number from 0 to 1000", "-s-1");
  REFUSE("--seed: 99999999999999999999 is out of range; give a number from 0 to 1000",
         "--seed=99999999999999999999");
  REFUSE("--offset: 'abc' is not a number; give a number from -5 to 5", "--offset=abc");
  REFUSE("--offset: '' is not a number; give a number from -5 to 5", "--offset=");
  REFUSE("--color does not know 'blue'; use auto, always or never", "--color", "blue");
  REFUSE("--engine does not know 'magic'; use lockset, petri or circ",
         "--engine=petri,magic");
  REFUSE("--engine has an empty word; use lockset, petri or circ", "--engine=petri,");
  REFUSE("--dot takes no value; write --dot alone", "--dot=1");
  REFUSE("--seed needs a value; write --seed N", "--seed");
  REFUSE("--output needs a value; write --output FILE", "--output", "--dot");
  REFUSE("-o needs a value; write -o FILE", "a.c", "-o");
  REFUSE("--output has an empty name; give the name of a file", "--output=");
  REFUSE("-I needs a value after it", "a.c", "-I");
  REFUSE("-std= needs a value directly after it", "-std=", "a.c");
  REFUSE("no INPUT given; usage: heddle model [options] INPUT... [-- FLAGS]", "--dot");
}

static void test_no_operands(void **state) {
  (void)state;
  OptCommand alone = table;
  alone.operand = NULL;
  Values v;
  Err err = {0};
  assert_false(parse(&alone, &v, &err, 1, "x"));
  assert_string_equal(err.message, "model takes no argument, but 'x' was given");
  err_free(&err);
  opt_free(&alone, &v);
  OptCommand one = table;
  one.at_most = 1;
  assert_false(parse(&one, &v, &err, 2, "x", "y"));
  assert_string_equal(err.message, "more than 1 INPUT given");
  err_free(&err);
  opt_free(&one, &v);
}

static void test_nearest(void **state) {
  (void)state;
  static const char *const words[] = {"model", "exec", "cc", "c++", "doctor", NULL};
  assert_string_equal(opt_nearest("modle", words), "model");
  assert_string_equal(opt_nearest("doc", words), "doctor");
  assert_string_equal(opt_nearest("ecex", words), "exec");
  assert_null(opt_nearest("zzz", words));
  assert_null(opt_nearest("", words));
  assert_null(opt_nearest("q", words));
  char huge[500];
  memset(huge, 'm', sizeof huge - 1);
  huge[sizeof huge - 1] = 0;
  assert_null(opt_nearest(huge, words));
}

/* Any words at all: no crash, and either success or exactly one filled error. */
static void test_random_words(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "--",    "-", "dot",   "seed",   "=",   "1",        "o",    "I",
      "-std=", ",", "petri", "engine", "a.c", "--output", "\xff", ""};
  uint64_t random = 9;
  for (int round = 0; round < 20000; round++) {
    Str texts[5] = {0};
    char *words[5];
    int count = 0;
    for (; count < 5; count++) {
      str_add(&texts[count], "");
      for (int k = 0; k < 3; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        str_add(&texts[count], pieces[random >> 40 & 15]);
      }
      words[count] = texts[count].data;
    }
    Values v = {0};
    Err err = {0};
    bool ok = opt_parse("heddle", &table, count, words, &v, &err);
    assert_int_equal(ok, err.kind == ERR_NONE);
    err_free(&err);
    opt_free(&table, &v);
    for (int i = 0; i < count; i++) str_free(&texts[i]);
  }
}

static const OptCommand self = {
    .usage = "COMMAND",
    .description = "The program.",
    .options = (const Option[]){{OPT_STOP, "help", 'h', .help = "help", AT(help)}, {0}},
    .operand = "COMMAND",
    .operands = offsetof(Values, inputs)};
static const OptPair codes[] = {{"0", "well"}, {0}};
static const OptProgram program = {.name = "heddle",
                                   .version = "1.2",
                                   .summary = "a test",
                                   .self = &self,
                                   .commands = (const OptCommand *const[]){&table, NULL},
                                   .exit_codes = codes};

static void test_help_keeps_the_width(void **state) {
  (void)state;
  for (int width = -5; width < 200; width++) {
    Str text = {0};
    opt_add_help(&program, &table, width, false, &text);
    size_t limit = width <= 0 || width > 90 ? 90 : width < 40 ? 40 : (size_t)width;
    for (const char *line = str_text(&text); *line;) {
      size_t length = strcspn(line, "\n");
      if (length > limit) fail_msg("at width %d: %.*s", width, (int)length, line);
      assert_true(length == 0 || line[length - 1] != ' ');
      line += length + 1;
    }
    for (const Option *o = options; o->kind; o++)
      assert_non_null(strstr(str_text(&text), o->name));
    str_free(&text);
  }
}

static void test_help_text(void **state) {
  (void)state;
  Str text = {0};
  opt_add_help(&program, &table, 80, false, &text);
  const char *t = str_text(&text);
  assert_true(
      str_starts(t, "usage: heddle model [options] INPUT... [-- FLAGS]\n\nFirst."));
  assert_non_null(strstr(
      t, "  -s, --seed N       where random numbers begin (0 to 1000, default 7)"));
  assert_non_null(strstr(t, "colour: auto|always|never (default never)"));
  assert_non_null(strstr(t, "\nMore:\n      --rules FILE"));
  assert_non_null(strstr(t, "  -IDIR "));
  str_free(&text);
}

static void test_manual(void **state) {
  (void)state;
  Str text = {0};
  opt_add_man(&program, &text);
  const char *t = str_text(&text);
  assert_true(str_starts(t, ".TH HEDDLE 1 \"\" \"heddle 1.2\""));
  assert_non_null(
      strstr(t, "\n\\&.Second 'paragraph' \\e here.\n")); /* no roff request */
  assert_non_null(strstr(t, "\\fB\\-\\-seed\\fR \\fIN\\fR"));
  assert_non_null(strstr(t, ".SH EXIT STATUS"));
  str_free(&text);
}

static void test_completions_name_every_option(void **state) {
  (void)state;
  void (*const makers[])(const OptProgram *, Str *) = {opt_add_bash, opt_add_zsh,
                                                       opt_add_fish};
  for (int i = 0; i < 3; i++) {
    Str text = {0};
    makers[i](&program, &text);
    for (const Option *o = options; o->kind; o++) {
      const char *name = opt_is_compiler_flag(o) ? o->name + 1 : o->name;
      char *shown = str_ndup(name, strcspn(name, "="));
      if (!strstr(str_text(&text), shown))
        fail_msg("%s is missing from\n%s", shown, str_text(&text));
      mem_free(shown);
    }
    str_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_every_kind),
      cmocka_unit_test(test_letters_together),
      cmocka_unit_test(test_after_the_dashes),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_no_operands),
      cmocka_unit_test(test_nearest),
      cmocka_unit_test(test_random_words),
      cmocka_unit_test(test_help_keeps_the_width),
      cmocka_unit_test(test_help_text),
      cmocka_unit_test(test_manual),
      cmocka_unit_test(test_completions_name_every_option),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
