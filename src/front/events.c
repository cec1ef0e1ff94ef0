/* Reading a file of events. See events.h for the language.
 *
 * A line is read from left to right by a cursor; every mistake is told with its line and
 * column. What one line cannot show (the same name with other fields elsewhere) is
 * checked against the orders before it. The names become channels of a CSP_M script, so
 * what that language or the model of a run uses already is refused here. */
#include "front/events.h"

#include "base/proc.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_FILE = 16 << 20, MOST_ORDERS = 10000 };

typedef struct {
  Events *events;
  Err *err;
  const char *start, *at, *end; /* of the line */
  int line;
} Cursor;

/* ---- words ------------------------------------------------------------------------ */

static bool wrong(const Cursor *c, const char *at, const char *remedy, const char *what) {
  return err_set(c->err, ERR_INPUT, c->events->path, c->line, (int)(at - c->start) + 1,
                 remedy, "%s", what);
}

static void skip_space(Cursor *c) {
  while (c->at < c->end && isspace((unsigned char)*c->at)) c->at++;
}

static bool take_char(Cursor *c, char wanted) {
  skip_space(c);
  if (c->at == c->end || *c->at != wanted) return false;
  c->at++;
  return true;
}

static bool is_word(char x) {
  return isalnum((unsigned char)x) || x == '_';
}

/* A name or number; NULL when there is none. */
static const char *take_word(Cursor *c) {
  skip_space(c);
  const char *first = c->at;
  while (c->at < c->end && is_word(*c->at)) c->at++;
  if (c->at == first) return NULL;
  return arena_strndup(c->events->arena, first, (size_t)(c->at - first));
}

static bool take_number(Cursor *c, uint32_t most, uint32_t *ret) {
  const char *first = c->at;
  uint64_t value = 0;
  while (c->at < c->end && isdigit((unsigned char)*c->at) && value <= most)
    value = value * 10 + (uint64_t)(*c->at++ - '0');
  if (c->at == first || value > most || (c->at < c->end && is_word(*c->at))) {
    c->at = first;
    return false;
  }
  *ret = (uint32_t)value;
  return true;
}

/* ---- names ------------------------------------------------------------------------ */

/* Words of CSP_M, and what the model of a run calls its own (src/predict/script.c). */
static const char reserved[] =
    " and assert bool channel datatype else endif endmodule exports external false "
    "if include instance let module nametype not or print subtype then transparent "
    "true within member union Union inter Inter diff card empty set Set Seq seq "
    "null head tail concat length elem error show Events Int Bool Char Proc STOP "
    "SKIP CHAOS RUN DIV WAIT extensions productions normal sbisim diamond chase "
    "thread mutex condition semaphore barrier once atomic ordering symbol WD "
    "PROGRAM INTER SYNC THREAD sync_set endthreads fork join start end lock unlock "
    "failed_lock read_lock failed_read_lock read_unlock unlock_other wait woken "
    "woken_spuriously timed_out signal broadcast barrier_enter barrier_exit "
    "sem_wait failed_sem_wait sem_post once_run once_end once_seen wait_other "
    "EVERY_ORDER atomic_value step_number atomic_load atomic_store "
    "atomic_rmw atomic_load_any atomic_rmw_any happens_before happens_after "
    "wait_exit ";

static bool is_reserved(const char *name) {
  size_t length = strlen(name);
  for (const char *p = reserved; (p = strstr(p, name)); p++)
    if (p[-1] == ' ' && p[length] == ' ') return true;
  return false;
}

static bool take_name(Cursor *c, EventOrder *order) {
  skip_space(c);
  const char *at = c->at;
  order->name = take_word(c);
  if (!order->name || isdigit((unsigned char)order->name[0]) || order->name[0] == '_')
    return wrong(c, at, "begin the line with a name as `open(#0) before call f`",
                 "an event needs a name that begins with a letter");
  if (is_reserved(order->name))
    return wrong(c, at, "choose another name",
                 "this name belongs to CSP_M or to the model of the run");
  return true;
}

/* ---- fields ----------------------------------------------------------------------- */

/* What follows `#`, and the bytes behind a star. */
static bool take_value(Cursor *c, const char *at, EventField *f) {
  static const struct {
    const char *word;
    EventFieldKind kind;
  } words[] = {{"return", FIELD_RETURN},
               {"size", FIELD_SIZE},
               {"address", FIELD_ADDRESS},
               {"value", FIELD_VALUE}};
  if (take_number(c, 1000, &f->index)) {
    f->kind = FIELD_ARGUMENT;
  } else {
    const char *word = take_word(c);
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
      if (str_eq(words[i].word, word)) f->kind = words[i].kind;
    if (f->kind == FIELD_NAME)
      return wrong(c, at, "write #0, #1, …, #return, #size, #address or #value",
                   "an unknown field");
  }
  if (f->stars && take_char(c, ':') &&
      (!take_number(c, 8, &f->bytes) ||
       (f->bytes != 1 && f->bytes != 2 && f->bytes != 4 && f->bytes != 8)))
    return wrong(c, c->at, "write 1, 2, 4 or 8", "an impossible number of bytes");
  return true;
}

/* The stars before a field. */
static bool take_stars(Cursor *c, EventField *f, const char **ret_at) {
  skip_space(c);
  *ret_at = c->at;
  f->column = (int)(c->at - c->start) + 1;
  while (take_char(c, '*'))
    if (++f->stars > EVENTS_MOST_STARS)
      return wrong(c, *ret_at, "use fewer", "too many stars");
  return true;
}

static bool take_field(Cursor *c, EventOrder *order) {
  EventField f = {0};
  const char *at;
  if (!take_stars(c, &f, &at)) return false;
  if (take_char(c, '#')) {
    if (!take_value(c, at, &f)) return false;
    if (++order->values > EVENTS_MOST_VALUES)
      return wrong(c, at, "leave some out", "more than six fields with values");
  } else {
    f.name = take_word(c);
    bool digits = f.name && isdigit((unsigned char)f.name[0]);
    for (const char *p = f.name; digits && *p; p++)
      if (!isdigit((unsigned char)*p) || p - f.name > 15)
        return wrong(c, at, "write a name or a number", "this is neither");
    if (!f.name || f.stars || (!digits && is_reserved(f.name)))
      return wrong(c, at, "write a name, a number, or #0, #return, #value, …",
                   "a field is missing or has a name that CSP_M uses");
  }
  vec_push(&order->fields, f);
  return true;
}

static bool take_fields(Cursor *c, EventOrder *order) {
  if (!take_char(c, '(')) return true;
  if (take_char(c, ')')) return true;
  do
    if (!take_field(c, order)) return false;
  while (take_char(c, ','));
  return take_char(c, ')') || wrong(c, c->at, "write , or )", "the fields do not end");
}

/* Which fields go with which places: Table 6.1 of the paper. */
static bool check_field(const Cursor *c, const EventOrder *order, const EventField *f) {
  bool function = order->what == EVENT_AT_CALL || order->what == EVENT_AT_BODY;
  bool memory = order->what == EVENT_AT_READ || order->what == EVENT_AT_WRITE;
  const char *at = c->start + f->column - 1;
  switch (f->kind) {
  case FIELD_NAME: return true;
  case FIELD_ARGUMENT:
  case FIELD_RETURN:
    if (!function)
      return wrong(c, at, "use it with call or body",
                   "only functions have arguments and results");
    return f->kind != FIELD_RETURN || order->after ||
           wrong(c, at, "write after instead of before",
                 "there is no result before the function has returned");
  case FIELD_SIZE:
  case FIELD_ADDRESS:
  case FIELD_VALUE: break;
  }
  if (!memory)
    return wrong(c, at, "use it with read-global or write-global",
                 "only accesses to memory have size, address and value");
  if (f->stars)
    return wrong(c, at, "leave the star out", "only #n and #return can be followed");
  return f->kind != FIELD_VALUE || order->what != EVENT_AT_READ || order->after ||
         wrong(c, at, "write after instead of before",
               "there is no value before it was read");
}

static bool check_fields(const Cursor *c, const EventOrder *order) {
  for (uint32_t i = 0; i < order->fields.len; i++)
    if (!check_field(c, order, &order->fields.data[i])) return false;
  for (uint32_t i = 0; i < order->conditions.len; i++)
    if (!check_field(c, order, &order->conditions.data[i].field)) return false;
  return true;
}

/* ---- conditions ------------------------------------------------------------------- */

static bool take_comparison(Cursor *c, EventCompare *ret) {
  static const struct {
    const char *text;
    EventCompare compare;
  } all[] = {{"==", COMPARE_EQUAL},    {"!=", COMPARE_DIFFERENT}, {"<=", COMPARE_AT_MOST},
             {">=", COMPARE_AT_LEAST}, {"<", COMPARE_LESS},       {">", COMPARE_MORE}};
  skip_space(c);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t length = strlen(all[i].text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, all[i].text, length) != 0)
      continue;
    c->at += length;
    *ret = all[i].compare;
    return true;
  }
  return wrong(c, c->at, "write ==, !=, <, <=, > or >=", "the comparison is missing");
}

static bool take_limit(Cursor *c, int64_t *ret) {
  uint32_t number;
  bool minus = take_char(c, '-');
  skip_space(c);
  if (!take_number(c, 2000000000, &number))
    return wrong(c, c->at, "write a number of at most 2000000000",
                 "a condition compares with a number");
  *ret = minus ? -(int64_t)number : (int64_t)number;
  return true;
}

static bool take_condition(Cursor *c, EventOrder *order) {
  EventCondition condition = {0};
  const char *at;
  if (!take_stars(c, &condition.field, &at)) return false;
  if (!take_char(c, '#'))
    return wrong(c, at, "begin it with #0, #return, #value, …",
                 "a condition is about a value");
  if (!take_value(c, at, &condition.field) || !take_comparison(c, &condition.compare) ||
      !take_limit(c, &condition.value))
    return false;
  vec_push(&order->conditions, condition);
  return true;
}

/* The next word, if it is this one. */
static bool take_this(Cursor *c, const char *word) {
  skip_space(c);
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0 ||
      (c->at + length < c->end && is_word(c->at[length])))
    return false;
  c->at += length;
  return true;
}

static bool take_conditions(Cursor *c, EventOrder *order) {
  order->optional = take_this(c, "optional");
  if (!take_this(c, "if")) return true;
  do
    if (!take_condition(c, order)) return false;
  while (take_this(c, "and"));
  return true;
}

/* ---- places ----------------------------------------------------------------------- */

static bool take_target(Cursor *c, EventOrder *order) {
  skip_space(c);
  const char *first = c->at;
  order->column = (int)(first - c->start) + 1;
  while (c->at < c->end && !isspace((unsigned char)*c->at)) c->at++;
  const char *last = c->at;
  if (order->what == EVENT_AT_LINE) {
    const char *colon = last;
    while (colon > first && colon[-1] != ':') colon--;
    c->at = colon;
    if (colon == first || colon - 1 == first ||
        !take_number(c, 100000000, &order->line) || !order->line || c->at != last)
      return wrong(c, first, "write it as prog.c:12", "a line is a file and a number");
    last = colon - 1;
  }
  if (first == last)
    return wrong(c, first, "name the function, the variable or FILE:LINE at the end",
                 "the target is missing");
  order->target = arena_strndup(c->events->arena, first, (size_t)(last - first));
  return true;
}

static bool take_where(Cursor *c, EventOrder *order) {
  static const struct {
    const char *word;
    EventWhat what;
  } words[] = {{"call", EVENT_AT_CALL},
               {"body", EVENT_AT_BODY},
               {"read-global", EVENT_AT_READ},
               {"write-global", EVENT_AT_WRITE},
               {"line", EVENT_AT_LINE}};
  skip_space(c);
  const char *at = c->at, *word = take_word(c);
  if (!word || (!str_eq(word, "before") && !str_eq(word, "after")))
    return wrong(c, at, "write before or after", "when the event happens is missing");
  order->after = str_eq(word, "after");
  skip_space(c);
  at = c->at;
  while (c->at < c->end && (is_word(*c->at) || *c->at == '-')) c->at++;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == (size_t)(c->at - at) &&
        memcmp(words[i].word, at, (size_t)(c->at - at)) == 0) {
      order->what = words[i].what;
      return take_target(c, order);
    }
  return wrong(c, at, "write call, body, read-global, write-global or line",
               "an unknown kind of place");
}

/* ---- orders ----------------------------------------------------------------------- */

static void make_text(Events *events, EventOrder *order) {
  Str text = {0};
  str_add(&text, order->name);
  for (uint32_t i = 0; i < order->fields.len; i++) {
    const EventField *f = &order->fields.data[i];
    str_addf(&text, " %s", f->kind == FIELD_NAME ? f->name : "#");
  }
  order->text = arena_strndup(events->arena, str_text(&text), text.len);
  str_free(&text);
}

static bool is_symbol(const EventField *f) {
  return f->kind == FIELD_NAME && !isdigit((unsigned char)f->name[0]);
}

/* A channel has one type. */
static bool agree(Cursor *c, const EventOrder *order) {
  for (uint32_t i = 0; i < c->events->orders.len; i++) {
    const EventOrder *other = &c->events->orders.data[i];
    for (uint32_t k = 0; k < order->fields.len; k++)
      if (is_symbol(&order->fields.data[k]) &&
          str_eq(order->fields.data[k].name, other->name))
        return wrong(c, c->start + order->fields.data[k].column - 1,
                     "choose another name for the field", "this is the name of an event");
    if (!str_eq(other->name, order->name)) continue;
    if (other->fields.len != order->fields.len)
      return wrong(c, c->start, "give it as many fields or another name",
                   "an event of this name has another number of fields");
    for (uint32_t k = 0; k < order->fields.len; k++)
      if (is_symbol(&order->fields.data[k]) != is_symbol(&other->fields.data[k]))
        return wrong(c, c->start + order->fields.data[k].column - 1,
                     "make both names or both numbers",
                     "an event of this name has a field of another kind there");
  }
  return true;
}

static void order_free(EventOrder *order) {
  vec_free(&order->fields);
  vec_free(&order->conditions);
}

static bool take_order(Cursor *c) {
  EventOrder order = {.place = c->line};
  bool ok = take_name(c, &order) && take_fields(c, &order) && take_where(c, &order) &&
            take_conditions(c, &order) && check_fields(c, &order);
  skip_space(c);
  if (ok && c->at < c->end)
    ok = wrong(c, c->at, "one event per line; a comment begins with --",
               "something stands behind the target that is no condition");
  ok = ok && agree(c, &order);
  if (ok) make_text(c->events, &order);
  if (ok && strlen(order.text) > EVENTS_LONGEST_TEXT)
    ok = wrong(c, c->start, "use shorter names", "the event and its fields are too long");
  if (ok && c->events->orders.len >= MOST_ORDERS)
    ok = wrong(c, c->start, "use fewer", "too many events");
  if (ok)
    vec_push(&c->events->orders, order);
  else
    order_free(&order);
  return ok;
}

/* Where the line's own text ends: before `--`. */
static const char *without_comment(const char *line, const char *end) {
  for (const char *p = line; p + 1 < end; p++)
    if (p[0] == '-' && p[1] == '-') return p;
  return end;
}

bool events_parse(const char *path, const char *text, size_t length, Events *ret,
                  Err *err) {
  ret->arena = arena_new();
  ret->path = arena_strdup(ret->arena, path);
  Cursor c = {.events = ret, .err = err};
  const char *end = text + length;
  for (const char *line = text; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    c.line++;
    c.start = c.at = line;
    c.end = without_comment(line, stop);
    skip_space(&c);
    if (c.at < c.end && *c.at != '#' && !take_order(&c)) return false;
    line = stop + 1;
  }
  return true;
}

bool events_read(const char *path, Events *ret, Err *err) {
  Str text = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && proc_read_all(fd, LARGEST_FILE, &text);
  if (!ok) err_input(err, path, "check the file of events", "%s", strerror(errno));
  if (fd >= 0) close(fd);
  ok = ok && events_parse(path, str_text(&text), text.len, ret, err);
  str_free(&text);
  return ok;
}

void events_free(Events *events) {
  for (uint32_t i = 0; i < events->orders.len; i++) order_free(&events->orders.data[i]);
  vec_free(&events->orders);
  arena_free(events->arena);
  *events = (Events){0};
}
