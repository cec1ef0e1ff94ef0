/* Constructors and destructors: priorities, order among themselves and against main and
   atexit. */
#include <stdio.h>
#include <stdlib.h>

static int stage;
static const char *log_lines[16];
static int lines;

static void note(const char *s) {
  log_lines[lines++] = s;
}

__attribute__((constructor(201))) static void second(void) {
  note("second");
  stage = stage * 10 + 2;
}
__attribute__((constructor(101))) static void first(void) {
  note("first");
  stage = stage * 10 + 1;
}
__attribute__((constructor)) static void third(void) {
  note("third");
  stage = stage * 10 + 3;
}

__attribute__((destructor(101))) static void last(void) {
  printf("last %d\n", stage);
}
__attribute__((destructor)) static void early(void) {
  printf("early\n");
  stage++;
}
__attribute__((destructor(301))) static void middle(void) {
  printf("middle\n");
  stage *= 2;
}

static void by_atexit(void) {
  printf("atexit\n");
  stage += 1000;
}

struct Registry {
  int (*fn)(int);
  struct Registry *next;
};
static struct Registry *plugins;
#define PLUGIN(name)                                                                     \
  static struct Registry name##_entry = {name, NULL};                                    \
  __attribute__((constructor(1000))) static void name##_register(void) {                 \
    name##_entry.next = plugins;                                                         \
    plugins = &name##_entry;                                                             \
  }
static int triple(int v) {
  return 3 * v;
}
static int negate(int v) {
  return -v;
}
PLUGIN(triple)
PLUGIN(negate)

int main(void) {
  for (int i = 0; i < lines; i++) printf("%s ", log_lines[i]);
  printf("stage %d\n", stage);
  atexit(by_atexit);
  int v = 7;
  for (struct Registry *r = plugins; r; r = r->next) v = r->fn(v) + 1;
  printf("%d\n", v * v > 0 ? v : 0);
  return 4;
}
