/* The reader of .sml programs: the grammar of heddle and the listings of the paper.
 *
 *   program:   shared x, y; | lock L; | cond c; | include "FILE"; | statement
 *              | thread NAME[*] { statement… } | // Many NAME | // Thread NAME
 *   statement: read x; write x; acquire L; release L; wait c, L; signal c; broadcast c;
 *              create T; join T; branch LABEL[, LABEL]; goto LABEL; LABEL: statement
 *              if (…) statement [else statement] | while (…) statement
 *              atomic { … } | { … }
 *
 * Statements outside any `thread` are a thread that runs in any number of copies; a
 * comment `//Many NAME` or `//Thread NAME` between them begins another such thread, as in
 * the paper's listings. A name declared by `shared` is data, a lock or a condition
 * variable by its use. Statements go straight to sml_net.c; nothing is kept but names,
 * threads and labels. Nesting is bounded, since it is the reader's own recursion. */
#include "net/read_parts.h"
#include "net/sml_parts.h"

#include "base/mem.h"

#include <string.h>

enum { DEEPEST = 200, DEEPEST_INCLUDE = 30 };

typedef struct Source {
  char *text;
  char *path;
  Lex lex;
} Source;

typedef struct {
  Sml sml;
  Lex *lex;
  VEC(Source *) sources;  /* all that were read; words point into them */
  VEC(const char *) open; /* the files being read, outermost first */
  uint32_t top;           /* thread of the top-level statements, or NET_NONE */
  uint32_t depth;
} Parser;

static bool read_statement(Parser *p);

/* ---- names ------------------------------------------------------------------------ */

static const char *keep(Parser *p, const LexWord *word) {
  return arena_strndup(p->sml.net->arena, word->at, word->len);
}

static SmlThread *find_thread(Parser *p, const LexWord *word) {
  uint64_t *slot = strmap_at(&p->sml.thread_index, word->at, word->len);
  if (*slot == 0) {
    const char *name = keep(p, word);
    vec_push(&p->sml.threads,
             (SmlThread){.name = name, .ended = NET_NONE, .first = *word, .lex = p->lex});
    *slot = p->sml.threads.len;
    vec_last(&p->sml.threads)->entry = sml_new_place(&p->sml, name, 0);
  }
  return &p->sml.threads.data[*slot - 1];
}

static const char *kind_name(SmlKind kind) {
  static const char *const names[] = {"a shared name", "data", "a lock",
                                      "a condition variable"};
  return names[kind];
}

/* The shared name that comes next, which must be or become of this kind. */
static SmlName *read_name(Parser *p, SmlKind kind) {
  Sml *sml = &p->sml;
  LexWord word;
  if (!netlex_expect_name(p->lex, kind_name(kind), &word)) return NULL;
  const uint64_t *index = strmap_get(&sml->name_index, word.at, word.len);
  if (!index) {
    netlex_fail_at(p->lex, &word, "declare it with shared, lock or cond",
                   "'%.*s' is not declared", (int)word.len, word.at);
    return NULL;
  }
  SmlName *name = &sml->names.data[*index];
  if (sml_set_kind(sml, name, kind)) return name;
  netlex_fail_at(p->lex, &word, "use one name for one thing", "'%s' is %s, not %s",
                 name->name, kind_name(name->kind), kind_name(kind));
  return NULL;
}

/* A heading can come next: what begins now may be another top-level thread. */
static void allow_heading(Parser *p) {
  p->lex->headings = p->top != NET_NONE || p->depth <= 1;
}

static bool finish_statement(Parser *p) {
  allow_heading(p);
  /* The printed listings end some statements with a colon. */
  if (netlex_skip(p->lex, ";") || netlex_skip(p->lex, ":")) return true;
  return netlex_expect(p->lex, ";");
}

static bool read_declaration(Parser *p, SmlKind kind) {
  Sml *sml = &p->sml;
  do {
    LexWord word;
    if (!netlex_expect_name(p->lex, "a name", &word)) return false;
    if (strmap_get(&sml->name_index, word.at, word.len))
      return netlex_fail_at(p->lex, &word, "declare each name once",
                            "'%.*s' is declared twice", (int)word.len, word.at);
    const char *name = keep(p, &word);
    strmap_put(&sml->name_index, name, sml->names.len);
    vec_push(&sml->names, (SmlName){.name = name});
    if (kind != SML_ANY) sml_set_kind(sml, vec_last(&sml->names), kind);
  } while (netlex_skip(p->lex, ","));
  return finish_statement(p);
}

/* ---- labels ----------------------------------------------------------------------- */

static SmlLabel *find_label(Parser *p, const LexWord *word) {
  Sml *sml = &p->sml;
  uint64_t *slot = strmap_at(&sml->label_index, word->at, word->len);
  if (*slot == 0) {
    vec_push(&sml->labels, (SmlLabel){.name = keep(p, word),
                                      .place = NET_NONE,
                                      .section = sml->section,
                                      .first = *word});
    *slot = sml->labels.len;
  }
  SmlLabel *label = &sml->labels.data[*slot - 1];
  if (label->section == sml->section) return label;
  netlex_fail_at(p->lex, word, "jump only within one atomic section, or outside of all",
                 "'%s' lies on the other side of the border of an atomic section",
                 label->name);
  return NULL;
}

static bool read_label(Parser *p, const LexWord *word) {
  Sml *sml = &p->sml;
  SmlLabel *label = find_label(p, word);
  if (!label) return false;
  if (label->defined)
    return netlex_fail_at(p->lex, word, "give each label a name of its own",
                          "the label '%s' is there twice", label->name);
  label->defined = true;
  if (label->place == NET_NONE) {
    label->place = sml_here(sml);
  } else {
    if (sml->here != NET_NONE)
      sml_jump(sml, sml->here, label->place, "go on", (uint32_t)word->line);
    sml->here = label->place;
  }
  return true;
}

static bool read_jump(Parser *p, bool leave) {
  Sml *sml = &p->sml;
  uint32_t from = sml_here(sml);
  do {
    LexWord word;
    if (!netlex_expect_name(p->lex, "a label", &word)) return false;
    SmlLabel *label = find_label(p, &word);
    if (!label) return false;
    if (label->place == NET_NONE) label->place = sml_new_step(sml);
    char *why = str_printf("%s %s", leave ? "goto" : "branch to", label->name);
    sml_jump(sml, from, label->place, why, (uint32_t)word.line);
    mem_free(why);
    if (leave) break;
    /* `branch a, b` names both ways; `branch a` falls through as the other. */
    if (netlex_is(p->lex, ",")) leave = true;
  } while (netlex_skip(p->lex, ","));
  if (leave)
    sml->here = NET_NONE;
  else {
    uint32_t next = sml_new_step(sml);
    sml_jump(sml, from, next, "branch on", (uint32_t)p->lex->now.line);
    sml->here = next;
  }
  return finish_statement(p);
}

/* ---- control flow ----------------------------------------------------------------- */

/* Skips a condition in parentheses; shared data in it is read. */
static bool read_condition(Parser *p) {
  Lex *lex = p->lex;
  uint32_t depth = 1;
  if (!netlex_expect(lex, "(")) return false;
  while (depth > 0) {
    if (lex->now.kind == LEX_END)
      return netlex_ok(lex) &&
             netlex_fail(lex, "the file ends too early", "')' expected");
    if (lex->now.kind == LEX_NAME) {
      const uint64_t *index = strmap_get(&p->sml.name_index, lex->now.at, lex->now.len);
      if (index) {
        uint32_t line = (uint32_t)lex->now.line;
        SmlName *data = read_name(p, SML_DATA);
        if (!data) return false;
        sml_access(&p->sml, data, false, line);
        continue;
      }
    }
    if (netlex_is(lex, "(")) depth++;
    if (netlex_is(lex, ")")) depth--;
    netlex_next(lex);
  }
  return netlex_ok(lex);
}

static uint32_t branch(Parser *p, uint32_t from, const char *why, uint32_t line) {
  uint32_t to = sml_new_step(&p->sml);
  sml_jump(&p->sml, from, to, why, line);
  return to;
}

static bool read_if(Parser *p, uint32_t line) {
  Sml *sml = &p->sml;
  if (!read_condition(p)) return false;
  uint32_t choice = sml_here(sml), after = sml_new_step(sml);
  sml->here = branch(p, choice, "then", line);
  if (!read_statement(p)) return false;
  if (sml->here != NET_NONE) sml_jump(sml, sml->here, after, "end if", line);
  if (netlex_skip(p->lex, "else")) {
    sml->here = branch(p, choice, "else", line);
    if (!read_statement(p)) return false;
    if (sml->here != NET_NONE) sml_jump(sml, sml->here, after, "end if", line);
  } else {
    sml_jump(sml, choice, after, "else", line);
  }
  sml->here = after;
  return true;
}

static bool read_while(Parser *p, uint32_t line) {
  Sml *sml = &p->sml;
  uint32_t head = sml_here(sml);
  if (!read_condition(p)) return false;
  uint32_t choice = sml_here(sml);
  sml->here = branch(p, choice, "enter while", line);
  if (!read_statement(p)) return false;
  if (sml->here != NET_NONE) sml_jump(sml, sml->here, head, "repeat while", line);
  sml->here = branch(p, choice, "leave while", line);
  return true;
}

static bool read_block(Parser *p) {
  if (!netlex_expect(p->lex, "{")) return false;
  while (!netlex_is(p->lex, "}") && p->lex->now.kind != LEX_END)
    if (!read_statement(p)) return false;
  allow_heading(p);
  return netlex_expect(p->lex, "}");
}

static bool read_atomic(Parser *p, const LexWord *word) {
  Sml *sml = &p->sml;
  if (sml->section)
    return netlex_fail_at(p->lex, word, "leave the inner one out",
                          "an atomic section inside another");
  sml_atomic_begin(sml, (uint32_t)word->line);
  if (!read_block(p)) return false;
  sml_atomic_end(sml, (uint32_t)word->line);
  return true;
}

/* ---- simple statements ------------------------------------------------------------ */

static bool read_wait(Parser *p, const LexWord *word) {
  if (p->sml.section)
    return netlex_fail_at(p->lex, word, "wait outside", "wait inside an atomic section");
  SmlName *cond = read_name(p, SML_COND);
  if (!cond || !netlex_expect(p->lex, ",")) return false;
  uint32_t index = (uint32_t)(cond - p->sml.names.data);
  SmlName *lock = read_name(p, SML_LOCK);
  if (!lock) return false;
  vec_push(&p->sml.waits, ((SmlWait){sml_here(&p->sml), lock->free, lock->name, *word}));
  sml_wait(&p->sml, &p->sml.names.data[index], lock, (uint32_t)word->line);
  return finish_statement(p);
}

static bool read_thread_name(Parser *p, const LexWord *verb) {
  LexWord word;
  bool create = netlex_word_is(verb, "create");
  if (!create && p->sml.section)
    return netlex_fail_at(p->lex, verb, "join outside", "join inside an atomic section");
  if (!netlex_expect_name(p->lex, "the name of a thread", &word)) return false;
  SmlThread *thread = find_thread(p, &word);
  if (create)
    sml_create(&p->sml, thread, (uint32_t)verb->line);
  else
    sml_join(&p->sml, thread, (uint32_t)verb->line);
  return finish_statement(p);
}

/* read, write, acquire, release, signal, broadcast: a verb and a list of names. */
static bool read_simple(Parser *p, const LexWord *verb) {
  Sml *sml = &p->sml;
  uint32_t line = (uint32_t)verb->line;
  bool data = netlex_word_is(verb, "read") || netlex_word_is(verb, "write");
  bool lock = netlex_word_is(verb, "acquire") || netlex_word_is(verb, "release");
  do {
    SmlName *name = read_name(p, data ? SML_DATA : lock ? SML_LOCK : SML_COND);
    if (!name) return false;
    if (data)
      sml_access(sml, name, netlex_word_is(verb, "write"), line);
    else if (!lock)
      sml_signal(sml, name, netlex_word_is(verb, "broadcast"), line);
    else if (netlex_word_is(verb, "acquire"))
      sml_acquire(sml, name, line);
    else
      sml_release(sml, name, line);
  } while (netlex_skip(p->lex, ","));
  return finish_statement(p);
}

static bool is_simple(const LexWord *word) {
  static const char *const verbs[] = {"read",    "write",  "acquire",
                                      "release", "signal", "broadcast"};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (netlex_word_is(word, verbs[i])) return true;
  return false;
}

static bool read_verb(Parser *p, const LexWord *verb) {
  uint32_t line = (uint32_t)verb->line;
  if (is_simple(verb)) return read_simple(p, verb);
  if (netlex_word_is(verb, "wait")) return read_wait(p, verb);
  if (netlex_word_is(verb, "create") || netlex_word_is(verb, "join"))
    return read_thread_name(p, verb);
  if (netlex_word_is(verb, "goto")) return read_jump(p, true);
  if (netlex_word_is(verb, "branch")) return read_jump(p, false);
  if (netlex_word_is(verb, "if")) return read_if(p, line);
  if (netlex_word_is(verb, "while")) return read_while(p, line);
  if (netlex_word_is(verb, "atomic")) return read_atomic(p, verb);
  if (netlex_skip(p->lex, ":")) return read_label(p, verb);
  return netlex_fail_at(p->lex, verb,
                        "statements are read, write, acquire, release, wait, signal, "
                        "broadcast, create, join, branch, goto, if, while, atomic",
                        "'%.*s' is no statement", (int)verb->len, verb->at);
}

static bool read_statement(Parser *p) {
  Lex *lex = p->lex;
  LexWord verb;
  bool ok;
  lex->headings = false;
  if (lex->now.kind == LEX_HEADING) { /* inside of something: a mere comment */
    netlex_next(lex);
    return netlex_ok(lex);
  }
  if (p->depth >= DEEPEST)
    return netlex_fail(lex, "nest at most 200 statements", "this is nested too deep");
  if (netlex_is(lex, "{")) {
    p->depth++;
    ok = read_block(p);
    p->depth--;
    return ok;
  }
  if (netlex_is(lex, ";")) return finish_statement(p);
  if (!netlex_expect_name(lex, "a statement", &verb)) return false;
  bool nests = netlex_word_is(&verb, "if") || netlex_word_is(&verb, "while") ||
               netlex_word_is(&verb, "atomic");
  p->depth += nests;
  ok = read_verb(p, &verb);
  p->depth -= nests;
  return ok;
}

/* ---- threads ---------------------------------------------------------------------- */

static void begin_thread(Parser *p, SmlThread *thread, bool many) {
  Sml *sml = &p->sml;
  thread->defined = true;
  thread->many = many;
  sml->thread = (uint32_t)(thread - sml->threads.data);
  sml->here = thread->entry;
  strmap_free(&sml->label_index);
  vec_clear(&sml->labels);
  vec_clear(&sml->steps);
  vec_clear(&sml->waits);
}

static bool end_thread(Parser *p) {
  Sml *sml = &p->sml;
  for (uint32_t i = 0; i < sml->labels.len; i++)
    if (!sml->labels.data[i].defined)
      return netlex_fail_at(
          p->lex, &sml->labels.data[i].first, "write the label somewhere",
          "there is no label '%s' in this thread", sml->labels.data[i].name);
  const SmlWait *wait = sml_unlocked_wait(sml);
  if (wait)
    return netlex_fail_at(
        p->lex, &wait->word, "acquire the lock before the wait",
        "nothing on the way to this wait acquires %s, which it gives back", wait->name);
  sml_end(sml, (uint32_t)p->lex->now.line);
  return true;
}

static bool fresh_thread(Parser *p, const LexWord *word, SmlThread **ret_thread) {
  *ret_thread = find_thread(p, word);
  return !(*ret_thread)->defined ||
         netlex_fail_at(p->lex, word, "give each thread a name of its own",
                        "the thread '%s' is there twice", (*ret_thread)->name);
}

static bool end_top(Parser *p) {
  bool ok = p->top == NET_NONE || end_thread(p);
  p->top = NET_NONE;
  return ok;
}

static bool begin_top(Parser *p, const LexWord *word) {
  SmlThread *thread;
  if (!fresh_thread(p, word, &thread)) return false;
  begin_thread(p, thread, true);
  p->top = p->sml.thread;
  return true;
}

static bool read_thread(Parser *p) {
  LexWord word;
  SmlThread *thread;
  p->lex->headings = false;
  if (!end_top(p) || !netlex_expect_name(p->lex, "the name of a thread", &word) ||
      !fresh_thread(p, &word, &thread))
    return false;
  begin_thread(p, thread, netlex_skip(p->lex, "*"));
  p->depth++;
  bool ok = read_block(p);
  p->depth--;
  return ok && end_thread(p);
}

/* ---- files ------------------------------------------------------------------------ */

static bool read_source(Parser *p, Source *source, Err *err, size_t length);

/* The path named in an include, relative to the file that names it. */
static char *resolve(const char *from, const LexWord *word) {
  const char *slash = strrchr(from, '/');
  if (!slash || (word->len > 0 && *word->at == '/')) return str_ndup(word->at, word->len);
  return str_printf("%.*s/%.*s", (int)(slash - from), from, (int)word->len, word->at);
}

static bool read_include(Parser *p) {
  Lex *lex = p->lex;
  LexWord word = lex->now;
  size_t length;
  Err err = {0};
  if (word.kind != LEX_STRING)
    return netlex_fail(lex, "write include \"FILE\";", "the name of a file expected");
  Source *source = mem_alloc_zero(sizeof *source);
  vec_push(&p->sources, source);
  source->path = resolve(lex->file, &word);
  for (uint32_t i = 0; i < p->open.len; i++)
    if (str_eq(p->open.data[i], source->path))
      return netlex_fail(lex, "include each file once", "cyclic include of '%s'",
                         source->path);
  if (p->open.len >= DEEPEST_INCLUDE)
    return netlex_fail(lex, "include at most 30 deep", "includes are nested too deep");
  source->text = net_slurp(source->path, &length, &err);
  if (!source->text) {
    netlex_fail(lex, "name a readable file", "cannot include '%s': %s", source->path,
                err.message);
    err_free(&err);
    return false;
  }
  netlex_next(lex);
  if (!read_source(p, source, lex->err, length)) {
    lex->failed = true;
    return false;
  }
  p->lex = lex;
  return finish_statement(p);
}

static bool read_top(Parser *p) {
  Lex *lex = p->lex;
  LexWord word = lex->now;
  lex->headings = false;
  if (lex->now.kind == LEX_HEADING) {
    if (!end_top(p) || !begin_top(p, &word)) return false;
    lex->headings = true;
    netlex_next(lex);
    return netlex_ok(lex);
  }
  if (netlex_skip(lex, "shared")) return read_declaration(p, SML_ANY);
  if (netlex_skip(lex, "lock")) return read_declaration(p, SML_LOCK);
  if (netlex_skip(lex, "cond")) return read_declaration(p, SML_COND);
  if (netlex_skip(lex, "include")) return read_include(p);
  if (netlex_skip(lex, "thread")) return read_thread(p);
  if (p->top == NET_NONE) {
    LexWord name = {.kind = LEX_NAME,
                    .at = "program",
                    .len = 7,
                    .line = word.line,
                    .column = word.column};
    if (!begin_top(p, &name)) return false;
  }
  return read_statement(p);
}

static bool read_source(Parser *p, Source *source, Err *err, size_t length) {
  netlex_start(&source->lex, LEX_SML, source->path, source->text, length, err);
  p->lex = &source->lex;
  vec_push(&p->open, source->path);
  while (p->lex->now.kind != LEX_END)
    if (!read_top(p)) return false;
  (void)vec_pop(&p->open);
  return netlex_ok(p->lex);
}

/* Only programs with atomic sections pay for them; the word is looked for at once. */
static bool mentions_atomic(const char *text, size_t length) {
  return memmem(text, length, "atomic", 6) || memmem(text, length, "include", 7);
}

static bool finish(Parser *p) {
  Sml *sml = &p->sml;
  if (!end_top(p)) return false;
  for (uint32_t i = 0; i < sml->threads.len; i++) {
    const SmlThread *thread = &sml->threads.data[i];
    if (!thread->defined)
      return netlex_fail_at(thread->lex, &thread->first, "write it",
                            "there is no thread '%s'", thread->name);
  }
  if (sml_finish(sml)) return true;
  return netlex_fail(p->lex, "mark one with * or call it main",
                     "no thread runs at the beginning: each is created by another");
}

bool read_sml(Net *net, const char *text, size_t length, Err *err) {
  Parser p = {.sml = {.net = net, .atomic = NET_NONE, .here = NET_NONE}, .top = NET_NONE};
  Source *source = mem_alloc_zero(sizeof *source);
  source->path = str_dup(net->file ? net->file : "program");
  source->text = mem_dup(text, length);
  vec_push(&p.sources, source);
  if (mentions_atomic(text, length)) p.sml.atomic = sml_new_place(&p.sml, "atomic", 1);
  bool ok = read_source(&p, source, err, length) && finish(&p);
  for (uint32_t i = 0; i < p.sources.len; i++) {
    mem_free(p.sources.data[i]->text);
    mem_free(p.sources.data[i]->path);
    mem_free(p.sources.data[i]);
  }
  vec_free(&p.sources);
  vec_free(&p.open);
  vec_free(&p.sml.names);
  strmap_free(&p.sml.name_index);
  vec_free(&p.sml.threads);
  strmap_free(&p.sml.thread_index);
  vec_free(&p.sml.labels);
  vec_free(&p.sml.steps);
  vec_free(&p.sml.waits);
  strmap_free(&p.sml.label_index);
  return ok;
}
