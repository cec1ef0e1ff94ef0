/* The reader of harness files (docs/harness.md): declarations in the layout of rules
 * files, each begun by its first word.
 *
 * In: a text. Out: a Harness, or one error with its place. Recursive descent over the
 * tokens of rules/lex.c, one token of lookahead, linear in the text. Names of routines,
 * types and fields are looked up later, when the program is known (plan.c); names that the
 * file itself declares are checked here. */
#include "harness/reader.h"

#include "base/opt.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { TEXT_MAX = 1 << 20, CHOICES_MAX = 64, FIELDS_MAX = 256 };

/* ---- values ---- */

static bool number(Reader *r, int64_t *ret) {
  bool negative = reader_take_punct(r, '-');
  if (r->token.kind != TOKEN_NUMBER)
    return reader_expected(r, "a number", "write a number such as 0, -1 or 0x10");
  *ret = negative ? -r->token.number : r->token.number;
  reader_advance(r);
  return true;
}

/* NUMBER, NUMBER to NUMBER, or NUMBER | NUMBER | ... */
static bool numbers(Reader *r, HarnessValue *ret) {
  if (!number(r, &ret->low)) return false;
  ret->kind = VALUE_RANGE;
  ret->high = ret->low;
  if (reader_take_word(r, "to")) {
    if (!number(r, &ret->high)) return false;
    return ret->low <= ret->high ||
           reader_fail(r, ret->place, "write the smaller number first",
                       "this range is empty");
  }
  if (!token_is_punct(&r->token, '|')) return true;
  int64_t choice[CHOICES_MAX];
  uint32_t n = 0;
  choice[n++] = ret->low;
  while (reader_take_punct(r, '|')) {
    if (n == CHOICES_MAX)
      return reader_fail(r, reader_place(&r->token), "write a range: 0 to 99",
                         "at most 64 numbers can be listed");
    if (!number(r, &choice[n++])) return false;
  }
  ret->kind = VALUE_CHOICE;
  ret->choice = arena_dup(r->harness->arena, choice, n * sizeof *choice);
  ret->choice_count = n;
  return true;
}

/* Without `objects` only numbers and `any` are values. */
static bool value(Reader *r, bool objects, HarnessValue *ret) {
  *ret = (HarnessValue){.kind = VALUE_ANY, .place = reader_place(&r->token)};
  if (reader_take_word(r, "any")) return true;
  if (objects && reader_take_word(r, "null")) {
    ret->kind = VALUE_NULL;
    return true;
  }
  if (objects && r->token.kind == TOKEN_WORD) {
    ret->kind = VALUE_OBJECT;
    return reader_word(r, "an object", "", &ret->object);
  }
  if (r->token.kind == TOKEN_NUMBER || token_is_punct(&r->token, '-'))
    return numbers(r, ret);
  return reader_expected(r, "a value",
                         objects ? "write any, null, a number, 0 to 9, 1 | 2 or an object"
                                 : "write any, a number, 0 to 9, or 1 | 2");
}

/* ---- calls ---- */

static bool arguments(Reader *r, HarnessCall *call) {
  VEC(HarnessValue) args = {0};
  bool ok = true;
  if (!reader_take_punct(r, ')')) {
    do {
      HarnessValue arg;
      ok = value(r, true, &arg);
      if (ok) vec_push(&args, arg);
      if (args.len > 64)
        ok = reader_fail(r, call->place, "leave the list out", "more than 64 arguments");
    } while (ok && reader_take_punct(r, ','));
    ok = ok && (reader_take_punct(r, ')') ||
                reader_expected(r, "`)`", "arguments are separated by commas"));
  }
  if (ok && args.len)
    call->args = arena_dup(r->harness->arena, args.data, args.len * sizeof *args.data);
  call->arg_count = args.len;
  vec_free(&args);
  return ok;
}

/* ROUTINE[(ARGUMENTS)] [as NAME] [where "EXPRESSION"] [returns VALUE] */
bool reader_call(Reader *r, uint32_t *ret) {
  const char *remedy = "name a function of the program, as in read(dev, any)";
  HarnessCall c = {.automatic = true, .place = reader_place(&r->token)};
  if (!reader_word(r, "the name of a routine", remedy, &c.routine)) return false;
  c.name = c.routine;
  if (reader_take_punct(r, '(')) {
    c.automatic = false;
    if (!arguments(r, &c)) return false;
  }
  if (reader_take_word(r, "as") &&
      !reader_word(r, "a name for this call", "write as NAME", &c.name))
    return false;
  if (reader_take_word(r, "where")) {
    if (r->token.kind != TOKEN_STRING)
      return reader_expected(r, "a C expression in quotes",
                             "write where \"length <= 64\"");
    c.promise = reader_keep(r, &r->token);
    reader_advance(r);
  }
  if (reader_take_word(r, "returns")) {
    c.has_result = true;
    if (!value(r, false, &c.result)) return false;
  }
  if (r->harness->calls.len == HARNESS_CALLS_MAX)
    return reader_fail(r, c.place, "split it into several files",
                       "at most 128 calls are read");
  *ret = r->harness->calls.len;
  vec_push(&r->harness->calls, c);
  return true;
}

/* A list of calls; line breaks may stand between them. */
static bool calls(Reader *r, uint32_t *ret_first, uint32_t *ret_count) {
  *ret_first = r->harness->calls.len;
  uint32_t index;
  do
    if (!reader_call(r, &index)) return false;
  while (reader_take_punct(r, ','));
  *ret_count = r->harness->calls.len - *ret_first;
  return reader_ended(r, "a comma separates calls");
}

static bool once(Reader *r, bool first) {
  uint32_t start, count;
  if (!calls(r, &start, &count)) return false;
  for (uint32_t i = start; i < start + count; i++)
    if (first)
      vec_push(&r->harness->first, i);
    else
      vec_push(&r->harness->last, i);
  return true;
}

static bool first_decl(Reader *r, HarnessPlace place) {
  (void)place;
  return once(r, true);
}

static bool last_decl(Reader *r, HarnessPlace place) {
  (void)place;
  return once(r, false);
}

/* callers N call|repeat CALLS */
static bool callers(Reader *r, HarnessPlace place) {
  const char *remedy = "write callers 2 call f, g or callers * repeat f, g";
  HarnessCallers c = {.place = place};
  if (!reader_take_punct(r, '*')) {
    Token count = r->token;
    if (count.kind != TOKEN_NUMBER) return reader_expected(r, "a number or `*`", remedy);
    if (count.number < 1 || count.number > HARNESS_CALLERS_MAX)
      return reader_fail(r, reader_place(&count), "write a number from 1 to 64, or *",
                         "this is no number of callers");
    c.number = (uint32_t)count.number;
    reader_advance(r);
  }
  c.repeat = token_is(&r->token, "repeat");
  if (!reader_take_word(r, "call") && !reader_take_word(r, "repeat"))
    return reader_expected(r, "`call` or `repeat`", remedy);
  if (!calls(r, &c.first_call, &c.call_count)) return false;
  vec_push(&r->harness->callers, c);
  return true;
}

/* ---- exclusions ---- */

static bool names(Reader *r, HarnessNames *ret) {
  do {
    HarnessName name = {.place = reader_place(&r->token)};
    if (!reader_word(r, "the name of a call", "name calls of this file", &name.name))
      return false;
    vec_push(ret, name);
  } while (reader_take_punct(r, ','));
  return true;
}

/* exclude NAMES [with NAMES | with all | with itself] */
static bool exclude(Reader *r, HarnessPlace place) {
  HarnessExclude e = {.place = place};
  bool ok = names(r, &e.left);
  if (ok && reader_take_word(r, "with")) {
    e.all = reader_take_word(r, "all");
    e.itself = !e.all && reader_take_word(r, "itself");
    if (!e.all && !e.itself) ok = names(r, &e.right);
  } else if (ok) {
    for (uint32_t i = 0; i < e.left.len; i++) vec_push(&e.right, e.left.data[i]);
  }
  vec_push(&r->harness->excludes, e);
  return ok &&
         reader_ended(r, "write exclude f, g or exclude f with g or exclude f with all");
}

/* ---- objects ---- */

static bool type_of_object(Reader *r, HarnessObject *o) {
  if (r->token.kind == TOKEN_NUMBER) {
    Token size = r->token;
    reader_advance(r);
    if (size.number < 1 || size.number > 1 << 24)
      return reader_fail(r, reader_place(&size), "write a number from 1 to 16777216",
                         "an object cannot have so many bytes");
    o->bytes = (uint64_t)size.number;
    return reader_take_word(r, "bytes") ||
           reader_expected(r, "`bytes`", "write 64 bytes");
  }
  if (r->token.kind != TOKEN_WORD) return true;
  bool tagged = token_is(&r->token, "struct") || token_is(&r->token, "union") ||
                token_is(&r->token, "enum");
  const char *first, *second;
  if (!reader_word(r, "a type", "", &first)) return false;
  o->type = first;
  if (!tagged) return true;
  if (!reader_word(r, "the tag of the type", "write struct NAME", &second)) return false;
  o->type = arena_printf(r->harness->arena, "%s %s", first, second);
  return true;
}

static bool field(Reader *r, HarnessObject *o) {
  HarnessField f = {.place = reader_place(&r->token)};
  if (!reader_word(r, "the name of a field", "write field NAME VALUE", &f.path) ||
      !value(r, false, &f.value))
    return false;
  if (o->fields.len == FIELDS_MAX)
    return reader_fail(r, f.place, "leave some out", "at most 256 fields can be given");
  vec_push(&o->fields, f);
  return true;
}

static bool object_clause(Reader *r, HarnessObject *o) {
  if (reader_take_word(r, "shared")) {
    o->sharing = SHARING_ALL;
    return true;
  }
  if (reader_take_word(r, "per")) {
    bool caller = token_is(&r->token, "caller");
    o->sharing = caller ? SHARING_CALLER : SHARING_CALL;
    return reader_take_word(r, "caller") || reader_take_word(r, "call") ||
           reader_expected(r, "`caller` or `call`", "write per caller or per call");
  }
  if (reader_take_word(r, "zeroed")) {
    o->any = false;
    return true;
  }
  if (reader_take_word(r, "any")) {
    o->any = true;
    return reader_take_word(r, "contents") ||
           reader_expected(r, "`contents`", "write any contents");
  }
  if (reader_take_word(r, "field")) return field(r, o);
  return reader_expected(
      r, "a clause of an object",
      "write shared, per caller, per call, zeroed, any contents, or field "
      "NAME VALUE");
}

/* object NAME [TYPE] ; CLAUSE ; ... */
static bool object(Reader *r, HarnessPlace place) {
  HarnessObject o = {.place = place};
  Token name = r->token;
  bool ok = reader_word(r, "a name for the object", "write object dev struct device",
                        &o.name) &&
            type_of_object(r, &o);
  while (ok && !reader_at_end(r)) {
    if (r->token.kind != TOKEN_BREAK && !token_is_punct(&r->token, ';'))
      ok = reader_expected(r, "`;` or the end of the line",
                           "a semicolon separates clauses");
    while (r->token.kind == TOKEN_BREAK || token_is_punct(&r->token, ';'))
      reader_advance(r);
    if (ok && !reader_at_end(r)) ok = object_clause(r, &o);
  }
  for (uint32_t i = 0; ok && i < r->harness->objects.len; i++)
    if (str_eq(r->harness->objects.data[i].name, o.name))
      ok = reader_fail(r, reader_place(&name), "choose another name",
                       "two objects have this name");
  if (ok && r->harness->objects.len == HARNESS_OBJECTS_MAX)
    ok = reader_fail(r, place, "leave some out", "at most 256 objects are read");
  vec_push(&r->harness->objects, o);
  if (ok) reader_advance(r);
  return ok;
}

/* ---- the file ---- */

typedef struct {
  const char *word;
  bool (*read)(Reader *r, HarnessPlace place);
} Declaration;

static const Declaration declarations[] = {
    {"callers", callers},  {"exclude", exclude}, {"first", first_decl},
    {"last", last_decl},   {"object", object},   {"interrupt", reader_interrupt},
    {"task", reader_task}, {NULL, NULL}};

static bool unknown_declaration(Reader *r) {
  const char *words[9];
  size_t n = 0;
  for (const Declaration *d = declarations; d->word; d++) words[n++] = d->word;
  words[n] = NULL;
  char *text = str_ndup(r->token.text, r->token.length < 64 ? r->token.length : 64);
  const char *meant = opt_nearest(text, words);
  char *remedy =
      meant ? str_printf("did you mean %s?", meant)
            : str_dup(
                  "begin with object, first, callers, interrupt, task, last or exclude");
  reader_expected(r, "a declaration in the first column", remedy);
  mem_free(remedy);
  mem_free(text);
  return false;
}

static bool declaration(Reader *r) {
  Token head = r->token;
  if (head.kind != TOKEN_WORD || head.column != 1) return unknown_declaration(r);
  for (const Declaration *d = declarations; d->word; d++)
    if (token_is(&head, d->word)) {
      reader_advance(r);
      return d->read(r, reader_place(&head));
    }
  return unknown_declaration(r);
}

static bool has_object(const Harness *h, const char *name) {
  for (uint32_t i = 0; i < h->objects.len; i++)
    if (str_eq(h->objects.data[i].name, name)) return true;
  return false;
}

static bool check_objects(Reader *r) {
  const Harness *h = r->harness;
  for (uint32_t i = 0; i < h->calls.len; i++)
    for (uint32_t k = 0; k < h->calls.data[i].arg_count; k++) {
      const HarnessValue *arg = &h->calls.data[i].args[k];
      if (arg->kind != VALUE_OBJECT || has_object(h, arg->object)) continue;
      char *message = str_printf("no object is called %.60s", arg->object);
      reader_fail(r, arg->place, "declare it: object NAME TYPE", message);
      mem_free(message);
      return false;
    }
  return true;
}

static bool check_names(Reader *r, const HarnessNames *named) {
  const Harness *h = r->harness;
  for (uint32_t i = 0; i < named->len; i++) {
    const HarnessName *name = &named->data[i];
    bool known = false;
    for (uint32_t k = 0; k < h->calls.len && !known; k++)
      known = str_eq(h->calls.data[k].name, name->name) ||
              str_eq(h->calls.data[k].routine, name->name);
    if (known) continue;
    char *message = str_printf("no call has the name %.60s", name->name);
    reader_fail(r, name->place, "name routines, or calls by the name after `as`",
                message);
    mem_free(message);
    return false;
  }
  return true;
}

static bool check_file(Reader *r) {
  const Harness *h = r->harness;
  if (!h->callers.len)
    return err_set(r->err, ERR_INPUT, h->file, 1, 1,
                   "add a line such as callers 2 call f, g or interrupt f",
                   "nobody calls anything");
  for (uint32_t i = 0; i < h->excludes.len; i++)
    if (!check_names(r, &h->excludes.data[i].left) ||
        !check_names(r, &h->excludes.data[i].right))
      return false;
  return check_objects(r);
}

bool harness_read(const char *file, const char *text, size_t length, Harness *ret,
                  Err *err) {
  if (length > TEXT_MAX)
    return err_set(err, ERR_INPUT, file, 1, 1, "split it into smaller files",
                   "a harness of %zu bytes; at most %d are read", length, (int)TEXT_MAX);
  Harness harness = {.arena = arena_new()};
  harness.file = arena_strdup(harness.arena, file);
  Reader r = {.harness = &harness, .err = err};
  lex_init(&r.lexer, text, length);
  reader_advance(&r);
  bool ok = true;
  while (ok && r.token.kind != TOKEN_EOF) ok = declaration(&r);
  ok = ok && check_file(&r);
  if (ok)
    *ret = harness;
  else
    harness_free(&harness);
  return ok;
}

bool harness_read_file(const char *path, Harness *ret, Err *err) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file)
    return err_input(err, path, "check the name and its permissions",
                     "cannot open the harness: %s", strerror(errno));
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
    fclose(file);
    return err_input(err, path, "name a harness file", "this is a directory");
  }
  Str text = {0};
  char buffer[65536];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0 && text.len <= TEXT_MAX)
    str_add_bytes(&text, buffer, n);
  int problem = ferror(file) ? errno : 0;
  fclose(file);
  bool ok = problem ? err_input(err, path, "check the file and its disk",
                                "cannot read the harness: %s", strerror(problem))
                    : harness_read(path, str_text(&text), text.len, ret, err);
  str_free(&text);
  return ok;
}

/* ---- the short form ---- */

bool harness_read_entries(const char *list, Harness *ret, Err *err) {
  Harness h = {.arena = arena_new(), .short_form = true};
  h.file = HARNESS_ENTRY;
  bool ok = true;
  if (!*list)
    ok = err_input(err, NULL, "name the functions that run as threads: --entry f,g*",
                   "--entry: the list is empty");
  while (ok && *list) {
    size_t length = strcspn(list, ","), name = length;
    bool many = name && list[name - 1] == '*';
    name -= many;
    if (!name)
      ok = err_input(err, NULL, "write --entry f,g* with names of functions",
                     "--entry: a name is missing");
    const char *routine = arena_strndup(h.arena, list, name);
    HarnessCallers c = {.number = many ? 0 : 1,
                        .first_call = h.calls.len,
                        .call_count = 1,
                        .place = {1, 0}};
    vec_push(&h.calls, (HarnessCall){.routine = routine,
                                     .name = routine,
                                     .automatic = true,
                                     .place = {1, 0}});
    vec_push(&h.callers, c);
    list += length;
    if (*list && !*++list)
      ok = err_input(err, NULL, "leave out the last comma", "--entry: a name is missing");
  }
  if (ok)
    *ret = h;
  else
    harness_free(&h);
  return ok;
}

void harness_free(Harness *h) {
  for (uint32_t i = 0; i < h->objects.len; i++) vec_free(&h->objects.data[i].fields);
  for (uint32_t i = 0; i < h->excludes.len; i++) {
    vec_free(&h->excludes.data[i].left);
    vec_free(&h->excludes.data[i].right);
  }
  for (uint32_t i = 0; i < h->events.len; i++) {
    vec_free(&h->events.data[i].when);
    vec_free(&h->events.data[i].enable);
    vec_free(&h->events.data[i].disable);
    vec_free(&h->events.data[i].post);
  }
  vec_free(&h->objects);
  vec_free(&h->events);
  vec_free(&h->calls);
  vec_free(&h->callers);
  vec_free(&h->excludes);
  vec_free(&h->first);
  vec_free(&h->last);
  arena_free(h->arena);
  *h = (Harness){0};
}
