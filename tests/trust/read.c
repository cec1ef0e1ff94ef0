/* See explore.h. One operation per line; `func N` begins a function, `site LINE VAR w|r a|- s|-`
 * declares an access. */
#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  int operands;
} TABLE[] = {
#define X(name, n) {#name, n},
    OPS(X)
#undef X
};

static int operand(const char *text) {
  if (text[0] == 'r') return REG + atoi(text + 1);
  if (text[0] == '-' && !text[1]) return NO_REG;
  return atoi(text);
}

static bool read_op(Op *op, const char *word) {
  for (int i = 0; i < I_COUNT; i++) {
    if (strcmp(TABLE[i].name, word) != 0) continue;
    op->code = (OpCode)i;
    for (int k = 0; k < TABLE[i].operands; k++) {
      const char *text = strtok(NULL, " \n");
      if (!text) return false;
      op->a[k] = operand(text);
    }
    return true;
  }
  return false;
}

static int number(void) {
  const char *text = strtok(NULL, " \n");
  return text ? atoi(text) : 0;
}

static bool flag(char yes) {
  const char *text = strtok(NULL, " \n");
  return text && text[0] == yes;
}

static bool read_site(Prog *p) {
  if (p->sites == MAX_SITES) return false;
  Site *x = &p->site[p->sites++];
  x->line = number();
  x->var = number();
  x->write = flag('w');
  x->atomic = flag('a');
  x->section = flag('s');
  return true;
}

/* A line that is no operation; false if it is none of those either. */
static bool read_declaration(Prog *p, const char *word) {
  if (!strcmp(word, "var"))
    return p->vars < MAX_VARS && (p->init[p->vars++] = (int8_t)number(), true);
  if (!strcmp(word, "mutex"))
    return p->mutexes < MAX_LOCKS && (p->kind[p->mutexes++] = (MutexKind)number(), true);
  if (!strcmp(word, "rwlock")) return p->rwlocks++ < MAX_LOCKS;
  if (!strcmp(word, "sem"))
    return p->sems < MAX_LOCKS && (p->sem_init[p->sems++] = number(), true);
  if (!strcmp(word, "cond")) return p->conds++ < MAX_LOCKS;
  if (!strcmp(word, "barrier"))
    return p->barriers < MAX_LOCKS && (p->barrier_count[p->barriers++] = number(), true);
  if (!strcmp(word, "once")) return p->onces++ < MAX_LOCKS;
  if (!strcmp(word, "site")) return read_site(p);
  if (!strcmp(word, "func")) return p->funcs++ < MAX_FUNCS;
  return false;
}

bool prog_read(Prog *p) {
  char line[200];
  memset(p, 0, sizeof *p);
  while (fgets(line, sizeof line, stdin)) {
    char copy[200];
    memcpy(copy, line, sizeof line);
    const char *word = strtok(line, " \n");
    if (!word || read_declaration(p, word)) continue;
    int f = p->funcs - 1;
    if (f >= 0 && f < MAX_FUNCS && p->len[f] < MAX_OPS &&
        read_op(&p->ops[f][p->len[f]], word)) {
      p->len[f]++;
      continue;
    }
    fprintf(stderr, "explore: cannot read: %s", copy);
    return false;
  }
  return p->funcs > 0;
}
