/* The library table: every word of its language, every complaint, and the tables
 * themselves.
 *
 * A rule is shown as one line of text (show_rule) and compared with what it should be, so
 * that a test is a pair of strings. */
#include "base/str.h"
#include "base/vec.h"
#include "rules/embedded.h"
#include "rules/rules.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static RuleSet *builtin(void) {
  Err err = {0};
  RuleSet *rules = rules_new_builtin(&err);
  if (!rules) fail_msg("%s:%d:%d: %s", err.file, err.line, err.column, err.message);
  return rules;
}

/* --- rules as text ------------------------------------------------------------------ */

static void show_arg(Str *out, unsigned arg) {
  if (arg == ARG_NONE)
    str_add(out, "_");
  else if (arg == ARG_VARARGS)
    str_add(out, "...");
  else if (arg == ARG_KEPT)
    str_add(out, "kept");
  else
    str_addf(out, "#%u", arg);
}

static void show_extent(Str *out, const Effect *e) {
  switch ((Extent)e->extent) {
  case EXTENT_OBJECT: break;
  case EXTENT_BYTES: str_addf(out, "[%u]", e->size); break;
  case EXTENT_ARG:
    str_addf(out, "[#%u", e->size);
    if (e->times) str_addf(out, "*#%u", e->times - 1u);
    if (e->scale) str_addf(out, "*%u", e->scale);
    str_add(out, "]");
    break;
  case EXTENT_STRING:
    str_add(out, " string");
    if (e->size) str_addf(out, "[#%u]", e->size - 1);
    break;
  case EXTENT_VARARGS: str_add(out, " varargs"); break;
  }
}

static void show_effect(Str *out, const RuleSet *rules, const Effect *e) {
  static const char *const names[EFFECT_KIND_COUNT] = {
      "none",        "read",         "write",         "free",       "alloc",
      "return",      "store",        "keep",          "call",       "call_later",
      "hidden_read", "hidden_write", "return_hidden", "return_kept"};
  static const char *const flags[] = {"inside", "zeroed",  "tls",  "null",
                                      "synced", "content", "glibc"};
  str_addf(out, "; %s", names[e->kind]);
  if (e->arg != ARG_NONE) {
    str_add(out, " ");
    show_arg(out, e->arg);
  }
  if (e->kind == EFFECT_CALL || e->kind == EFFECT_CALL_LATER) {
    str_add(out, "(");
    for (int i = 0; i < EFFECT_PASS_MAX; i++) {
      str_add(out, i ? "," : "");
      show_arg(out, e->pass[i]);
    }
    str_add(out, ")");
  }
  show_extent(out, e);
  if (e->other != ARG_NONE) {
    str_add(out, " of ");
    show_arg(out, e->other);
  }
  if (e->name) str_addf(out, " '%s'", rules_text(rules, e->name));
  if (e->extent == EXTENT_OBJECT && e->size) str_addf(out, "[%u]", e->size);
  for (int i = 0; i < 7; i++)
    if (e->flags >> i & 1) str_addf(out, " %s", flags[i]);
}

static void show_op(Str *out, const Rule *rule) {
  static const char *const modes[] = {"", " shared", " any"};
  static const char *const attempts[] = {"", " try", " timed"};
  str_add(out, op_text(rule->op));
  if (rule->lock) str_addf(out, " %s", lock_kind_text(rule->lock));
  str_add(out, modes[rule->mode]);
  str_add(out, attempts[rule->attempt]);
  for (int i = 0; i < RULE_OPERANDS; i++) {
    if (rule->operands[i] == RULE_OPERAND_NONE) continue;
    str_addf(out, " %c=%s", "abc"[i], rule -> indirect >> i & 1 ? "*" : "");
    if (rule->operands[i] == RULE_OPERAND_CONST)
      str_addf(out, "%lld", (long long)rule->constants[i]);
    else
      str_addf(out, "#%u", rule->operands[i]);
    if (rule->operands[i] != RULE_OPERAND_CONST && rule->constants[i])
      str_addf(out, "&%lld", (long long)rule->constants[i]);
  }
  if (rule->size) str_addf(out, " size=%u", rule->size);
}

static char *show_rule(const RuleSet *rules, const Rule *rule) {
  static const char *const flags[] = {"always", "noreturn", "pure",  "havoc",   "prefix",
                                      "atomic", "user",     "abort", "nop",     "twice",
                                      "assume", "cancel",   "body",  "varargs", "quick"};
  Str out = {0};
  show_op(&out, rule);
  const SyncResult *r = &rule->result;
  if (!r->no_result)
    str_addf(&out, "; ok=%d busy=%d timeout=%d error=%d special=%d%s", r->ok, r->busy,
             r->timeout, r->error, r->special, r->in_errno ? " errno" : "");
  const Effect *effects = rules_effects(rules, rule);
  for (uint32_t i = 0; i < rule->effect_count; i++) show_effect(&out, rules, &effects[i]);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (rule->flags >> i & 1) str_addf(&out, "; %s", flags[i]);
  if (rule->assumption) str_addf(&out, "; assumes %s", rule->assumption);
  return str_take(&out);
}

/* --- words -------------------------------------------------------------------------- */

typedef struct {
  const char *clauses, *expected;
} Pair;

/* All for f(a, b, c, d, ...). EBUSY is 16, ETIMEDOUT 110, EINVAL 22. */
static const Pair pairs[] = {
    /* operations */
    {"lock mutex a", "lock mutex a=#0"},
    {"lock mutex *b", "lock mutex a=*#1"},
    {"lock recursive a try; returns 0 | busy 1",
     "lock recursive try a=#0; ok=0 busy=1 timeout=0 error=0 special=0"},
    {"lock rw a shared until b; returns 1 | timeout -5",
     "lock rwlock shared timed a=#0 b=#1; ok=1 busy=0 timeout=-5 error=0 special=0"},
    {"lock spin a try; returns 0 | busy EBUSY | error EINVAL",
     "lock spin try a=#0; ok=0 busy=16 timeout=0 error=22 special=0"},
    {"unlock mutex a", "unlock mutex a=#0"},
    {"unlock rw a", "unlock rwlock any a=#0"},
    {"unlock rw a shared", "unlock rwlock shared a=#0"},
    {"unlock rw a exclusive", "unlock rwlock a=#0"},
    {"init mutex a", "lock_init mutex a=#0"},
    {"init mutex a type *b", "lock_init mutex a=#0 b=*#1"},
    {"init mutex a type b & 1", "lock_init mutex a=#0 b=#1&1"},
    {"init mutex a type 0x1", "lock_init mutex a=#0 b=1"},
    {"init cond a", "cond_init a=#0"},
    {"init barrier a count b", "barrier_init a=#0 b=#1"},
    {"init semaphore a value 3", "sem_init a=#0 b=3"},
    {"destroy spin a", "lock_destroy spin a=#0"},
    {"destroy cond a", "cond_destroy a=#0"},
    {"destroy barrier a", "barrier_destroy a=#0"},
    {"destroy semaphore a", "sem_destroy a=#0"},
    {"wait cond a with b", "wait mutex a=#0 b=#1"},
    {"wait cond a with b until c; returns 0 | timeout ETIMEDOUT",
     "wait mutex timed a=#0 b=#1 c=#2; ok=0 busy=0 timeout=110 error=0 special=0"},
    {"wait barrier a; returns 0 | special PTHREAD_BARRIER_SERIAL_THREAD",
     "barrier_wait a=#0; ok=0 busy=0 timeout=0 error=0 special=-1"},
    {"wait semaphore a try; returns 0 | busy EAGAIN; errors in errno",
     "sem_wait try a=#0; ok=0 busy=11 timeout=0 error=0 special=0 errno"},
    {"wait semaphore a until b; returns 0 | timeout ETIMEDOUT",
     "sem_wait timed a=#0 b=#1; ok=0 busy=0 timeout=110 error=0 special=0"},
    {"signal cond a", "signal a=#0"},
    {"broadcast cond a", "broadcast a=#0"},
    {"post semaphore a", "sem_post a=#0"},
    {"get semaphore a into b", "sem_value a=#0 b=#1"},
    {"once a calls b", "once a=#0 b=#1"},
    {"create thread a running b(c)", "create a=#0 b=#1 c=#2"},
    {"create thread a running b()", "create a=#0 b=#1"},
    {"join thread a", "join a=#0 size=8"},
    {"join thread a into b[4]", "join a=#0 b=#1 size=4"},
    {"join thread *a into b until c; returns 0 | timeout 1",
     "join timed a=*#0 b=#1 c=#2 size=8; ok=0 busy=0 timeout=1 error=0 special=0"},
    {"detach thread a", "detach a=#0"},
    {"self", "self"},
    {"cancel thread a", "cancel a=#0"},
    {"test cancel", "cancel_point"},
    {"exit thread with a", "exit_thread a=#0; noreturn"},
    {"exit program with 1", "exit a=1; noreturn"},
    {"exit program", "exit; noreturn"},
    {"exit program now with a", "exit a=#0; noreturn; quick"},
    {"abort", "exit; noreturn; abort"},
    {"fails; never returns", "assert; noreturn; abort"},
    {"assert a", "assert a=#0"},
    {"assume a", "assume a=#0; assume"},
    {"atomic begin", "atomic_begin"},
    {"atomic end", "atomic_end"},
    {"fence", "fence"},
    {"release a", "release a=#0"},
    {"acquire a; body runs", "acquire a=#0; body"},
    /* effects */
    {"reads a", "call; read #0"},
    {"reads a[4], b[c], c[b*d], d[b*16]",
     "call; read #0[4]; read #1[#2]; read #2[#1*#3]; read #3[#1*16]"},
    {"reads a[2*b*3*c]", "call; read #0[#1*#2*6]"},
    {"reads a[2*8]", "call; read #0[16]"},
    {"reads string a, string b[c], deep d",
     "call; read #0 string; read #1 string[#2]; read #3 content"},
    {"reads ...", "call; read ... varargs"},
    {"reads a locked", "call; read #0 synced"},
    {"writes a[4], ..., hidden x",
     "call; write #0[4]; write ... varargs; hidden_write 'x'"},
    {"writes hidden x locked", "call; hidden_write 'x' synced"},
    {"writes hidden x locked by glibc", "call; hidden_write 'x' synced glibc"},
    {"reads hidden x[8] per thread", "call; hidden_read 'x'[8] tls"},
    {"frees a, b", "call; free #0; free #1"},
    {"returns a", "call; return #0"},
    {"returns inside a or null", "call; return #0 inside null"},
    {"returns a or hidden x[7] or null", "call; return #0; return_hidden 'x'[7] null"},
    {"returns new", "call; alloc"},
    {"returns new[a*b] zeroed or null", "call; alloc[#0*#1] zeroed null"},
    {"returns new[b] from a", "call; alloc[#1] of #0"},
    {"returns new string a", "call; alloc string of #0"},
    {"returns new string a[b]", "call; alloc string[#1] of #0"},
    {"returns hidden errno[4] per thread", "call; return_hidden 'errno'[4] tls"},
    {"returns kept keys per thread or null", "call; return_kept 'keys' tls null"},
    {"returns any", "call; havoc"},
    {"returns twice; writes a", "call; write #0; twice"},
    {"never returns; reads a", "call; read #0; noreturn"},
    {"stores a in b", "call; store #1 of #0"},
    {"stores inside a in b", "call; store #1 of #0 inside"},
    {"stores new[c] in b", "call; alloc #1[#2]"},
    {"stores kept events in b", "call; store #1 of kept 'events'"},
    {"keeps a in x", "call; keep #0 'x'"},
    {"keeps *a in x per thread", "call; keep #0 'x' tls content"},
    {"calls a()", "call; call #0(_,_,_,_)"},
    {"calls a(b, _, c)", "call; call #0(#1,_,#2,_)"},
    {"calls a(kept x) later", "call; call_later #0(kept,_,_,_) 'x'"},
    {"calls *a(_) later", "call; call_later #0(_,_,_,_) content"},
    {"sets errno", "call; hidden_write 'errno'[4] tls"},
    /* the whole */
    {"nothing", "call"},
    {"pure", "call; pure"},
    {"ignored", "call; nop"},
    {"nothing; cancel point", "call; cancel"},
    {"body atomic; always", "call; atomic; body"},
    {"nothing; assumes \"all is well\"", "call; assumes all is well"},
    /* layout */
    {"reads a;", "call; read #0"},
    {"\n  reads a\n\tsets errno # a comment\r\n  ;; pure_is_no_word_here_but_this_is\n",
     NULL},
    {"reads a,\n   b", "call; read #0; read #1"},
    {"lock mutex a try\n\n # in between\n  returns 0 |\n   busy 1",
     "lock mutex try a=#0; ok=0 busy=1 timeout=0 error=0 special=0"},
};

static void test_words(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Err err = {0};
    char *text = str_printf("f(a, b, c, d, ...) %s\n", pairs[i].clauses);
    bool ok = rules_add_text(rules, "t", text, strlen(text), false, &err);
    if (!pairs[i].expected) {
      assert_false(ok);
    } else {
      if (!ok) fail_msg("%s\n%d:%d: %s", text, err.line, err.column, err.message);
      char *got = show_rule(rules, rules_find(rules, "f"));
      /* `always` shows as a flag; varargs is in every one of them. */
      char *tail = strstr(got, "; varargs");
      assert_non_null(tail);
      memmove(tail, tail + 9, strlen(tail + 9) + 1);
      char *always = strstr(got, "; always");
      if (always) memmove(always, always + 8, strlen(always + 8) + 1);
      assert_true(!!always == !!strstr(pairs[i].clauses, "always"));
      assert_string_equal(got, pairs[i].expected);
      mem_free(got);
    }
    mem_free(text);
    err_free(&err);
  }
  rules_free(rules);
}

/* --- complaints --------------------------------------------------------------------- */

typedef struct {
  const char *text;
  int line, column;
  const char *message, *remedy; /* parts of them */
} Complaint;

static const Complaint complaints[] = {
    /* the head */
    {"  f() nothing", 1, 3, "an indented line continues a rule", "first column"},
    {"f() nothing\n=", 2, 1,
     "`=` is no part of this language; expected the name of a function",
     "a rule is NAME(PARAMETERS)"},
    {"\x01", 1, 1, "`\\x01` is no part", "a rule is"},
    {"f", 1, 2, "expected `(`, found the end of the rule", "a rule is"},
    {"f\n  (a) nothing", 1, 2, "expected `(`, found the end of the line", "a rule is"},
    {"take f", 1, 6, "expected `(`, found `f`", "a rule is"},
    {"accept", 1, 7, "expected the name of a variable or function", "write accept"},
    {"accept a b", 1, 10, "expected a comma or the end of the line, found `b`",
     "write accept"},
    {"accept f(a)", 1, 10, "expected `)`, found `a`", "write accept"},
    {"f, (a) pure", 1, 4, "expected the name of a function, found `(`", "a rule is"},
    {"f *() pure", 1, 3, "expected `(`, found `*`", "a rule is"},
    {"*() pure", 1, 1, "expected the name of a function, found `*`", "a rule is"},
    {"f(a b) pure", 1, 5, "expected `)`, found `b`", "separated by commas"},
    {"f(..., a) pure", 1, 6, "expected `)`, found `,`", "... comes last"},
    {"f(1) pure", 1, 3, "expected the name of a parameter, found `1`", "use _"},
    {"f(a, a) pure", 1, 6, "two parameters are called `a`", "choose another name"},
    {"f(new) pure", 1, 3, "a word of this language cannot name a parameter: `new`",
     "choose another name"},
    {"f(a)", 1, 5, "expected what the function does, found the end of the rule",
     "`nothing`"},
    {"f(a) ;\n", 1, 7, "expected what the function does", "`nothing`"},
    /* clauses */
    {"f(a) raeds a", 1, 6, "no clause begins with `raeds`", "did you mean reads?"},
    {"f(a) xyzzy", 1, 6, "no clause begins with `xyzzy`", "docs/rules.md"},
    {"f(a) 7", 1, 6, "expected a clause, found `7`", "say what the function does"},
    {"f(a) reads a a", 1, 14, "expected `;` or the end of the line, found `a`",
     "semicolon"},
    {"f(a) reads b", 1, 12, "expected a parameter, found `b`", "the parameters are a"},
    {"f() reads b", 1, 11, "expected a parameter", "name it in the parentheses"},
    {"f(_) reads _", 1, 12, "expected a parameter, found `_`", "the parameters are"},
    {"f(a) reads ...", 1, 12, "no variable arguments", "end the parameters with ..."},
    {"f(a) pure; reads a", 1, 6, "`pure` stands beside clauses", "leave one"},
    {"f(a) lock mutex a; nothing", 1, 20, "`nothing` stands beside clauses", "leave one"},
    {"f(a) lock mutex a; unlock mutex a", 1, 20, "a second operation after `lock`",
     "describe the others as effects"},
    {"f(a) lock a", 1, 11, "expected mutex, recursive, spin or rw, found `a`",
     "what kind"},
    {"f(a) lock cond a", 1, 11, "expected mutex, recursive, spin or rw", "what kind"},
    {"f(a) lock mutex a shared", 1, 19, "this kind of lock has one holder", "only `rw`"},
    {"f(a) lock mutex a try", 1, 6, "a try needs `returns`", "returns 0 | busy EBUSY"},
    {"f(a) lock mutex a try; returns 0", 1, 6, "a try needs `returns`", "busy"},
    {"f(a, t) lock mutex a until t; returns 0", 1, 9, "a wait with a deadline needs",
     "timeout"},
    {"f(a) wait mutex a", 1, 11, "expected cond, barrier or semaphore", "what kind"},
    {"f(a) wait cond a", 1, 17, "expected `with`", "wait cond c with m"},
    {"f(a) init barrier a", 1, 20, "expected `count`", "init barrier b count n"},
    {"f(a) init semaphore a", 1, 22, "expected `value`", "init semaphore s value n"},
    {"f(a) signal mutex a", 1, 13, "expected `cond`", "what kind"},
    {"f(a) post cond a", 1, 11, "expected `semaphore`", "what kind"},
    {"f(a) get semaphore a", 1, 21, "expected `into`", "get semaphore s into p"},
    {"f(a) once a", 1, 12, "expected `calls`", "once flag calls f"},
    {"f(a) create a", 1, 13, "expected `thread`", "join thread t"},
    {"f(a, g) create thread a g", 1, 25, "expected `running`",
     "create thread id running f(arg)"},
    {"f(a, g) create thread a running g", 1, 34, "expected `(`", "create thread id"},
    {"f(a) join thread a into a[5]", 1, 25, "4 or 8 bytes", "[4] for an int"},
    {"f(a, n) join thread a into a[n]", 1, 29, "cannot depend on a parameter", "[56]"},
    {"f(a) cancel a", 1, 13, "expected `thread` or `point`", "cancel point is where"},
    {"f(a) test", 1, 10, "expected `cancel`", "test cancel"},
    {"f(a) exit a", 1, 11, "expected `thread` or `program`", "what ends here"},
    {"f(a) atomic a", 1, 13, "expected `begin` or `end`", "body atomic"},
    {"f(a) body", 1, 10, "expected `runs` or `atomic`", "body runs"},
    /* effects and results */
    {"f(a) returns a; returns a", 1, 17, "a second `returns`", "one result"},
    {"f(a) returns 0", 1, 6, "only an operation returns listed values", "any value"},
    {"f(a) lock mutex a; returns 0 | 1", 1, 32,
     "expected busy, timeout, error or special", "the form is"},
    {"f(a) lock mutex a; returns EWHAT", 1, 28, "expected a parameter, found `EWHAT`",
     "parameters"},
    {"f(a) lock mutex a; returns 0 | busy EWHAT", 1, 37, "expected a constant", "EBUSY"},
    {"f(a) lock mutex a; returns -", 1, 29, "expected a number", "0x10"},
    {"f(a) lock mutex a; returns 2147483648", 1, 28, "the result does not fit",
     "32 bits"},
    {"f(a) returns a or 5", 1, 19, "expected a parameter, found `5`", "the parameters"},
    {"f(a) never a", 1, 12, "expected `returns`", "never returns"},
    {"f(a) sets a", 1, 11, "expected `errno`", "sets errno"},
    {"f(a) errors in a", 1, 16, "expected `errno`", "errors in errno"},
    {"f(a) lock mutex a; errors in errno", 1, 6, "`errors in errno` without `returns`",
     "add"},
    {"f(a) stores a a", 1, 15, "expected `in`", "*P = X"},
    {"f(a) keeps a", 1, 13, "expected `in`", "keeps x in NAME"},
    {"f(a) keeps a in 5", 1, 17, "expected a name for the hidden state", "any word"},
    {"f(a) reads hidden", 1, 18, "expected a name for the hidden state", "any word"},
    {"f(a) reads hidden x per", 1, 24, "expected `thread`", "per thread"},
    {"f(a) reads hidden x locked by me", 1, 31, "expected `glibc`", "locked by glibc"},
    {"f(a) calls a", 1, 13, "expected `(`", "calls f(a, _, b)"},
    {"f(a) calls a(_,_,_,_,_)", 1, 22, "a callback with more than 4 arguments",
     "any value"},
    {"f(a) assumes x", 1, 14, "expected a text in quotes", "assumes \""},
    {"f(a) assumes \"\"", 1, 14, "expected a text in quotes", "assumes \""},
    {"f(a) assumes \"x\"; assumes \"y\"", 1, 19, "a second `assumes`", "one text"},
    {"f(a) assumes \"x", 1, 14, "has no closing quote", "assumes \""},
    {"f(a) assumes \"\x02\"", 1, 14, "control character", "assumes \""},
    /* sizes */
    {"f(a) reads a[", 1, 14, "expected a parameter, found the end", "the parameters"},
    {"f(a) reads a[4", 1, 15, "expected `]`", "[n*4]"},
    {"f(a) reads a[12x]", 1, 14, "`12x` is not a number", "the parameters"},
    {"f(a) reads a[0x]", 1, 14, "`0x` is not a number", "the parameters"},
    {"f(a) reads a[99999999999999999999]", 1, 14, "is too large a number",
     "the parameters"},
    {"f(a) reads a[4294967296]", 1, 14, "the size is too large", "4294967295"},
    {"f(a) reads a[65536*65536]", 1, 20, "the size is too large", "4294967295"},
    {"f(a) reads a[a*70000]", 1, 13, "the constant factor does not fit", "65535"},
    {"f(a) reads a[a*0]", 1, 13, "the constant factor does not fit", "65535"},
    {"f(a) reads a[a*a*a]", 1, 18, "at most two parameters", "whole object"},
    {"f(a) reads string a[4]", 1, 20, "the limit of a string is one parameter",
     "string s[n]"},
    {"f(a) returns hidden x[a]", 1, 22, "cannot depend on a parameter", "[56]"},
    /* places after other lines */
    {"# one\n\ng() pure\r\nf(a)\n  reads a\n  raeds a", 6, 3, "no clause begins",
     "reads"},
    {"\xef\xbb\xbf"
     "f(a) 7",
     1, 6, "expected a clause", "say"},
};

static void test_complaints(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  uint32_t before = rules_count(rules);
  for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
    const Complaint *c = &complaints[i];
    Err err = {0};
    bool ok = rules_add_text(rules, "my.rules", c->text, strlen(c->text), true, &err);
    if (ok) fail_msg("accepted: %s", c->text);
    if (err.line != c->line || err.column != c->column ||
        !strstr(err.message, c->message) || !err.remedy || !strstr(err.remedy, c->remedy))
      fail_msg("%s\ngives %d:%d: %s; %s\nwant %d:%d: %s; %s", c->text, err.line,
               err.column, err.message, err.remedy, c->line, c->column, c->message,
               c->remedy);
    assert_string_equal(err.file, "my.rules");
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(rules_count(rules), before);
    err_free(&err);
  }
  assert_null(rules_find(rules, "f"));
  rules_free(rules);
}

static void test_too_many_parameters(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  for (int n = 64; n <= 65; n++) {
    Str text = {0};
    str_add(&text, "many(");
    for (int i = 0; i < n; i++) str_addf(&text, "%sp%d", i ? "," : "", i);
    str_add(&text, ") reads p63");
    Err err = {0};
    assert_int_equal(rules_add_text(rules, "t", text.data, text.len, true, &err),
                     n == 64);
    if (n == 65) assert_non_null(strstr(err.message, "one parameter too many"));
    err_free(&err);
    str_free(&text);
  }
  assert_int_equal(rules_effects(rules, rules_find(rules, "many"))[0].arg, 63);
  rules_free(rules);
}

/* A word too long for a line of an error is shortened; bytes beyond the text are not
 * read. */
static void test_long_words(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  Str text = {0};
  str_add(&text, "f() ");
  for (int i = 0; i < 100000; i++) str_add_char(&text, 'x');
  char *exact = mem_dup(text.data, text.len);
  Err err = {0};
  assert_false(rules_add_text(rules, "t", exact, text.len, true, &err));
  assert_true(strlen(err.message) < 100);
  err_free(&err);
  assert_true(rules_add_text(rules, "t", "", 0, true, &err));
  mem_free(exact);
  str_free(&text);
  rules_free(rules);
}

/* --- finding ------------------------------------------------------------------------ */

static void add(RuleSet *rules, const char *text, bool user) {
  Err err = {0};
  if (!rules_add_text(rules, "t", text, strlen(text), user, &err))
    fail_msg("%d:%d: %s", err.line, err.column, err.message);
}

static void test_precedence(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  add(rules, "my_*(a) reads a\nmy_lock_*(a) lock mutex a\nmy_lock_x(a) pure\n", false);
  assert_int_equal(rules_find(rules, "my_thing")->op, OP_CALL);
  assert_int_equal(rules_find(rules, "my_")->effect_count, 1);
  assert_int_equal(rules_find(rules, "my_lock_it")->op, OP_LOCK);
  assert_true(rules_find(rules, "my_lock_x")->flags & RULE_PURE);
  assert_null(rules_find(rules, "my"));
  assert_null(rules_find(rules, ""));
  assert_true(rules_find(rules, "my_lock_it")->flags & RULE_PREFIX);
  assert_string_equal(rules_find(rules, "my_lock_it")->name, "my_lock_");

  /* Later rules win, the user's hold even for functions with a body. */
  assert_int_equal(rules_find(rules, "malloc")->effect_count, 2);
  assert_false(rules_find(rules, "malloc")->flags & (RULE_USER | RULE_ALWAYS));
  add(rules, "malloc(n) nothing\nmy_lock_*(a) lock spin a\n", true);
  const Rule *mine = rules_find(rules, "malloc");
  assert_int_equal(mine->effect_count, 0);
  assert_int_equal(mine->flags & (RULE_USER | RULE_ALWAYS), RULE_USER | RULE_ALWAYS);
  assert_string_equal(mine->file, "t");
  assert_int_equal(mine->line, 1);
  assert_int_equal(mine->param_count, 1);
  assert_int_equal(rules_find(rules, "my_lock_it")->lock, LOCK_SPIN);

  /* Nothing of a broken text stays, not even rules before the error. */
  Err err = {0};
  const char *broken = "free(p) nothing\nyours(a) lock a\n";
  assert_false(rules_add_text(rules, "t", broken, strlen(broken), true, &err));
  err_free(&err);
  assert_int_equal(rules_effects(rules, rules_find(rules, "free"))[0].kind, EFFECT_FREE);
  assert_null(rules_find(rules, "yours"));
  rules_free(rules);
}

static void test_places_of_names(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  add(rules, "# x\na_one,\n  a_two(p) reads p\n", false);
  assert_int_equal(rules_find(rules, "a_one")->line, 2);
  assert_int_equal(rules_find(rules, "a_two")->line, 3);
  assert_int_equal(rules_find(rules, "a_one")->first_effect,
                   rules_find(rules, "a_two")->first_effect);
  rules_free(rules);
}

/* --- the tables that come with heddle ----------------------------------------------- */

static void test_builtin_once_each(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  assert_true(rules_embedded_count >= 20);
  assert_true(rules_count(rules) > 1500);
  for (uint32_t i = 0; i < rules_count(rules); i++) {
    const Rule *rule = rules_at(rules, i);
    const Rule *found = rules_find(rules, rule->name);
    if (found != rule && !(rule->flags & RULE_PREFIX))
      fail_msg("%s: %s:%d and %s:%d", rule->name, rule->file, rule->line, found->file,
               found->line);
  }
  rules_free(rules);
}

static void expect(const RuleSet *rules, const char *name, const char *expected) {
  const Rule *rule = rules_find(rules, name);
  if (!rule) fail_msg("no rule for %s", name);
  char *got = show_rule(rules, rule);
  assert_string_equal(got, expected);
  mem_free(got);
}

/* The contracts on which the engines lean most. */
static void test_builtin_contracts(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  expect(rules, "pthread_create",
         "create a=#0 b=#2 c=#3; ok=0 busy=0 timeout=0 error=11 special=0");
  expect(rules, "pthread_mutex_init",
         "lock_init mutex a=#0 b=*#1; ok=0 busy=0 timeout=0 error=22 special=0");
  expect(rules, "pthread_mutexattr_settype", "call; write #0[4]; store #0 of #1");
  expect(rules, "pthread_mutex_trylock",
         "lock mutex try a=#0; ok=0 busy=16 timeout=0 error=22 special=0");
  expect(
      rules, "pthread_cond_timedwait",
      "wait mutex timed a=#0 b=#1 c=#2; ok=0 busy=0 timeout=110 error=1 special=0; cancel");
  expect(
      rules, "pthread_cond_clockwait",
      "wait mutex timed a=#0 b=#1 c=#3; ok=0 busy=0 timeout=110 error=1 special=0; cancel");
  expect(rules, "pthread_rwlock_unlock",
         "unlock rwlock any a=#0; ok=0 busy=0 timeout=0 error=1 special=0");
  expect(rules, "mtx_init",
         "lock_init mutex a=#0 b=#1&1; ok=0 busy=0 timeout=0 error=2 special=0");
  expect(rules, "mtx_trylock",
         "lock mutex try a=#0; ok=0 busy=1 timeout=0 error=2 special=0");
  expect(rules, "thrd_join",
         "join a=#0 b=#1 size=4; ok=0 busy=0 timeout=0 error=2 special=0; cancel");
  expect(rules, "sem_trywait",
         "sem_wait try a=#0; ok=0 busy=11 timeout=0 error=22 special=0 errno");
  expect(rules, "flockfile", "lock recursive a=#0");
  expect(rules, "ftrylockfile",
         "lock recursive try a=#0; ok=0 busy=1 timeout=0 error=0 special=0");
  expect(rules, "memcpy", "call; read #1[#2]; write #0[#2]; return #0");
  expect(rules, "calloc", "call; alloc[#0*#1] zeroed null; hidden_write 'errno'[4] tls");
  expect(rules, "__errno_location", "call; return_hidden 'errno'[4] tls");
  expect(rules, "__VERIFIER_nondet_int", "call; always; havoc; prefix; varargs");
  expect(rules, "__VERIFIER_atomic_begin", "atomic_begin; always");
  expect(rules, "__VERIFIER_atomic_swap", "call; always; prefix; atomic; body; varargs");
  expect(rules, "reach_error", "assert; always; abort; varargs");
  expect(rules, "__assert_fail", "assert; noreturn; abort");
  expect(rules, "abort", "exit; noreturn; abort");
  expect(rules, "exit", "exit a=#0; hidden_write 'streams' synced; noreturn");
  expect(rules, "pthread_exit", "exit_thread a=#0; noreturn");
  rules_free(rules);
}

static void test_op_order(void **state) {
  (void)state;
  assert_false(rule_op_comes_last(OP_LOCK));
  assert_true(rule_op_comes_last(OP_UNLOCK));
  assert_false(rule_op_comes_last(OP_RELEASE));
  assert_true(rule_op_comes_last(OP_ACQUIRE));
  assert_true(rule_op_comes_last(OP_EXIT));
}

/* Reads identifiers that are followed by a parenthesis and have one of the prefixes. */
static int missing_in(const RuleSet *rules, FILE *preprocessed,
                      const char *const *prefixes, Str *missing) {
  Str word = {0};
  bool ended = false;
  int seen = 0, c;
  while ((c = getc(preprocessed)) != EOF) {
    bool letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9');
    if (letter) {
      if (ended) str_clear(&word);
      ended = false;
      str_add_char(&word, (char)c);
      continue;
    }
    if (c == '(' && word.len) {
      for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (str_starts(word.data, *prefix)) {
          seen++;
          if (!rules_find(rules, word.data)) str_addf(missing, " %s", word.data);
          break;
        }
    }
    if (c == ' ')
      ended = true;
    else
      str_clear(&word);
  }
  str_free(&word);
  return seen;
}

/* Every function that the system's own headers declare. */
static void test_headers_covered(void **state) {
  (void)state;
  static const struct {
    const char *header;
    const char *prefixes[8];
    int least;
  } headers[] = {
      {"pthread.h", {"pthread_", "__pthread_", "_pthread_", NULL}, 100},
      {"threads.h", {"thrd_", "mtx_", "cnd_", "tss_", "call_once", NULL}, 25},
      {"semaphore.h", {"sem_", NULL}, 11},
  };
  RuleSet *rules = builtin();
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    char *command =
        str_printf("printf '#include <%s>\\n' | clang-19 -D_GNU_SOURCE -E -P -x c -",
                   headers[i].header);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    Str missing = {0};
    int seen = missing_in(rules, pipe, headers[i].prefixes, &missing);
    assert_int_equal(pclose(pipe), 0);
    if (missing.len) fail_msg("%s: no rule for%s", headers[i].header, missing.data);
    assert_true(seen >= headers[i].least);
    mem_free(command);
    str_free(&missing);
  }
  rules_free(rules);
}

/* --- files and speed ---------------------------------------------------------------- */

static void test_files(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  Err err = {0};
  assert_false(rules_add_file(rules, "/nonexistent/x.rules", &err));
  assert_string_equal(err.file, "/nonexistent/x.rules");
  assert_non_null(strstr(err.message, "cannot open the rules"));
  err_free(&err);
  assert_false(rules_add_file(rules, "/", &err));
  assert_string_equal(err.message, "this is a directory");
  err_free(&err);
  char path[] = "/tmp/heddle-rules-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  const char *text = "in_a_file(x) lock mutex x\n";
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  bool ok = rules_add_file(rules, path, &err);
  unlink(path);
  assert_true(ok);
  assert_string_equal(rules_find(rules, "in_a_file")->file, path);
  assert_true(rules_find(rules, "in_a_file")->flags & RULE_USER);
  rules_free(rules);
}

static double cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double add_many(int count, bool prefixes) {
  Str text = {0};
  for (int i = 0; i < count; i++)
    str_addf(&text,
             "function_number_%d%s(a, b)  reads a[b], hidden state_%d; returns a\n", i,
             prefixes ? "*" : "", i);
  RuleSet *rules = builtin();
  Err err = {0};
  double start = cpu_ms();
  assert_true(rules_add_text(rules, "many", text.data, text.len, true, &err));
  double spent = cpu_ms() - start;
  for (int i = 0; i < count; i += 997) {
    char *name = str_printf("function_number_%d%s", i, prefixes ? "x" : "");
    assert_non_null(rules_find(rules, name));
    mem_free(name);
  }
  rules_free(rules);
  str_free(&text);
  return spent;
}

static void test_many_rules(void **state) {
  (void)state;
  for (int prefixes = 0; prefixes < 2; prefixes++) {
    double small = add_many(10000, prefixes), large = add_many(100000, prefixes);
    assert_true(large < 5000);
    if (large > small * 40 && large > 200)
      fail_msg("10,000 rules take %.1f ms, 100,000 take %.1f ms", small, large);
  }
}

/* One rule with very much in it: names, clauses, a line without end. */
static void test_long_rule(void **state) {
  (void)state;
  RuleSet *rules = builtin();
  Str text = {0};
  for (int i = 0; i < 50000; i++) str_addf(&text, "%sname_%d", i ? "," : "", i);
  str_add(&text, "(a) ");
  for (int i = 0; i < 50000; i++) str_add(&text, "reads a;");
  Err err = {0};
  double start = cpu_ms();
  assert_true(rules_add_text(rules, "long", text.data, text.len, true, &err));
  assert_true(cpu_ms() - start < 5000);
  assert_int_equal(rules_find(rules, "name_49999")->effect_count, 50000);
  str_free(&text);
  rules_free(rules);
}

static void test_builtin_is_fast(void **state) {
  (void)state;
  double best = 1e9;
  for (int i = 0; i < 20; i++) {
    double start = cpu_ms();
    RuleSet *rules = builtin();
    double spent = cpu_ms() - start;
    best = spent < best ? spent : best;
    rules_free(rules);
  }
#if defined(__SANITIZE_ADDRESS__)
  double limit = 60;
#else
  double limit = 6;
#endif
  if (best > limit) fail_msg("the built-in tables take %.2f ms", best);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_complaints),
      cmocka_unit_test(test_too_many_parameters),
      cmocka_unit_test(test_long_words),
      cmocka_unit_test(test_precedence),
      cmocka_unit_test(test_places_of_names),
      cmocka_unit_test(test_builtin_once_each),
      cmocka_unit_test(test_builtin_contracts),
      cmocka_unit_test(test_op_order),
      cmocka_unit_test(test_headers_covered),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_many_rules),
      cmocka_unit_test(test_long_rule),
      cmocka_unit_test(test_builtin_is_fast),
  };
  return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
