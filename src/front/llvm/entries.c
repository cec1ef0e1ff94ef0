/* A start for programs without one: --entry f,g* asks what happens when f runs as one thread
 * and g as any number of threads, all from the beginning and with any arguments.
 *
 * That question is stated in the model itself: a main function that creates these threads, so
 * that every engine understands it. A function that is no void *(void *) gets one of that shape
 * in front of it. */
#include "front/llvm/internal.h"

#include "base/opt.h"

#include <string.h>

typedef struct {
  FuncId function; /* to be started */
  bool many;
} Entry;

typedef VEC(Entry) EntryVec;
typedef VEC(Arg) ArgVec;

static FuncId defined_function(const Program *p, const char *name, size_t length) {
  for (FuncId f = 1; f < p->functions.len; f++) {
    const char *text = sym_text(p, p->functions.data[f].name);
    if ((p->functions.data[f].flags & FUNCTION_DEFINED) && strlen(text) == length &&
        !memcmp(text, name, length))
      return f;
  }
  return 0;
}

static bool no_such_function(const Program *p, const char *name, size_t length,
                             Err *err) {
  VEC(const char *) names = {0};
  for (FuncId f = 1; f < p->functions.len; f++)
    if (p->functions.data[f].flags & FUNCTION_DEFINED)
      vec_push(&names, sym_text(p, p->functions.data[f].name));
  vec_push(&names, NULL);
  char *wanted = str_printf("%.*s", (int)length, name);
  const char *meant = opt_nearest(wanted, names.data);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("name functions that the given files define");
  err_input(err, NULL, remedy, "--entry: the program defines no function '%s'", wanted);
  mem_free(remedy);
  mem_free(wanted);
  vec_free(&names);
  return false;
}

static bool parse(const Program *p, const char *list, EntryVec *ret, Err *err) {
  while (*list) {
    size_t length = strcspn(list, ","), name = length;
    bool many = name && list[name - 1] == '*';
    name -= many;
    if (!name)
      return err_input(err, NULL, "write --entry f,g* with names of functions",
                       "--entry: a name is missing");
    FuncId f = defined_function(p, list, name);
    if (!f) return no_such_function(p, list, name, err);
    vec_push(ret, (Entry){f, many});
    list += length;
    if (*list && !*++list)
      return err_input(err, NULL, "leave out the last comma",
                       "--entry: a name is missing");
  }
  return ret->len ||
         err_input(err, NULL, "name the functions that run as threads: --entry f,g*",
                   "--entry: the list is empty");
}

static FuncId begin_function(Translator *t, const char *name, uint32_t return_bits,
                             Sort return_sort, uint32_t params) {
  Function function = {.name = builder_sym(t->b, name),
                       .flags = FUNCTION_DEFINED | FUNCTION_INTERNAL,
                       .return_sort = (uint8_t)return_sort,
                       .return_bits = return_bits,
                       .param_count = params,
                       .first_passing = t->p->passings.len};
  for (uint32_t i = 0; i < params; i++) vec_push(&t->p->passings, (Passing){0});
  vec_push(&t->p->functions, function);
  FuncId id = t->p->functions.len - 1;
  t->body = (Body){.id = id};
  builder_begin_body(t->b, id);
  return id;
}

/* void *(void *): what a thread starts with. */
static bool fits(const Program *p, FuncId f) {
  const Function *function = &p->functions.data[f];
  return function->param_count == 1 && !(function->flags & FUNCTION_VARARGS) &&
         p->locals.data[function->first_local].sort == SORT_PTR &&
         function->return_sort == SORT_PTR;
}

static void any_argument(Translator *t, Sort sort, uint32_t bits, ArgVec *args) {
  LocalId any = temporary(t, sort, bits);
  emit(t, (Edge){.op = OP_HAVOC, .dst = any});
  vec_push(args, (Arg){.value = builder_local(t->b, any)});
}

/* A function that calls `f` with any arguments; variable ones are pointers to anything. */
static FuncId wrap(Translator *t, FuncId f) {
  enum { VARIABLE_ARGS = 8 };
  Function target = t->p->functions.data[f];
  FuncId id = begin_function(t, sym_text(t->p, target.name), 64, SORT_PTR, 1);
  builder_new_local(t->b, 0, SORT_PTR, 64, LOCAL_PARAM, 0, 0);
  NodeId start = builder_new_node(t->b);
  t->body.current = start;
  ArgVec args = {0};
  for (uint32_t i = 0; i < target.param_count; i++) {
    Local param = t->p->locals.data[target.first_local + i];
    any_argument(t, (Sort)param.sort, param.bits, &args);
  }
  for (int i = 0; i < VARIABLE_ARGS && (target.flags & FUNCTION_VARARGS); i++)
    any_argument(t, SORT_PTR, 64, &args);
  Edge call = {.op = OP_CALL,
               .a = builder_func(t->b, f),
               .first_arg = t->p->args.len,
               .arg_count = (uint16_t)args.len};
  for (uint32_t i = 0; i < args.len; i++) vec_push(&t->p->args, args.data[i]);
  vec_free(&args);
  if (target.return_bits)
    call.dst = temporary(t, (Sort)target.return_sort, target.return_bits);
  emit(t, call);
  emit_end(t, (Edge){.op = OP_RETURN, .a = builder_const(t->b, SORT_PTR, 64, 0)});
  builder_end_body(t->b, start);
  return id;
}

static void create_one(Translator *t, const Entry *entry, ObjectId cell) {
  LocalId argument = temporary(t, SORT_PTR, 64);
  emit(t, (Edge){.op = OP_HAVOC, .dst = argument});
  emit(t, (Edge){.op = OP_CREATE,
                 .a = builder_object(t->b, cell),
                 .b = builder_func(t->b, entry->function),
                 .c = builder_local(t->b, argument)});
}

static void create(Translator *t, const Entry *entry) {
  Variable id = {.name = builder_sym(t->b, "thread")};
  ObjectId cell = stack_object(t, id, "thread", 8, 8, 0);
  if (!entry->many) {
    create_one(t, entry, cell);
    return;
  }
  NodeId head = t->body.current, after = builder_new_node(t->b);
  LocalId more = temporary(t, SORT_INT, 1);
  emit(t, (Edge){.op = OP_HAVOC, .dst = more});
  ExprId condition = builder_local(t->b, more);
  builder_add_edge(t->b, &(Edge){.op = OP_ASSUME,
                                 .from = t->body.current,
                                 .to = after,
                                 .a = builder_not(t->b, condition)});
  emit(t, (Edge){.op = OP_ASSUME, .a = condition});
  create_one(t, entry, cell);
  builder_add_edge(t->b, &(Edge){.op = OP_NOP, .from = t->body.current, .to = head});
  t->body.current = after;
}

bool entries_translate(Translator *t, const char *list, Err *err) {
  EntryVec entries = {0};
  if (!parse(t->p, list, &entries, err)) {
    vec_free(&entries);
    return false;
  }
  for (uint32_t i = 0; i < entries.len; i++) {
    Entry *entry = &entries.data[i];
    builder_assume(t->b, t->p->functions.data[entry->function].loc,
                   "%s runs as %s from the beginning, with any argument",
                   sym_text(t->p, t->p->functions.data[entry->function].name),
                   entry->many ? "any number of threads" : "one thread");
    if (!fits(t->p, entry->function)) entry->function = wrap(t, entry->function);
    vec_at(&t->p->functions, entry->function)->flags |= FUNCTION_ADDRESS_TAKEN;
  }
  FuncId id = begin_function(t, "start", 32, SORT_INT, 0);
  NodeId start = builder_new_node(t->b);
  t->body.current = start;
  vec_at(&t->p->functions, id)->first_object = t->p->frame_objects.len;
  for (uint32_t i = 0; i < entries.len; i++) create(t, &entries.data[i]);
  emit_end(t, (Edge){.op = OP_EXIT_THREAD, .a = builder_const(t->b, SORT_PTR, 64, 0)});
  builder_end_body(t->b, start);
  t->body = (Body){0};
  t->p->main = id;
  vec_free(&entries);
  return true;
}
