/* See races.h.
 *
 * The accesses are walked in the order of the run: after each event of a thread those
 * that follow it. Memory is told apart by words of 8 bytes in pages that are made when
 * they are first accessed; when a block is freed or a stack gets a new thread, its words
 * are closed, and whoever uses the addresses next opens new ones.
 *
 * In a word, the accesses of a thread with the same bytes, kind, locks and clock are one
 * group, of which the first and the last are kept: what the filters say of one holds for
 * all. So a counter that is incremented a million times under its lock is two groups.
 *
 * A group that comes before all accesses that are still to be walked, in every order, is
 * compared with the others of its word and then given up: barriers and joins retire what
 * was accessed before them, and a word has as many groups as there is doubt about it. */
#include "predict/races.h"

#include <string.h>

enum {
  WORDS_PER_PAGE = 512,
  MOST_GROUPS = 4096, /* in a word; further ones are counted in Races.left_out */
  MOST_PAIRS = 6,     /* per candidate */
};

typedef struct {
  uint32_t next; /* group + 1 */
  uint32_t thread;
  uint32_t lock_kind, epoch;
  uint8_t mask;
  bool write, atomic, frees;
  RaceAccess first, last;
} Group;

typedef struct {
  uint32_t groups; /* first + 1 */
  uint32_t count;
  uint32_t thread; /* of the first access */
  bool several, written;
} Word;

typedef struct {
  uint32_t words[WORDS_PER_PAGE]; /* + 1 */
} Page;

typedef struct {
  const Run *run;
  Map pages; /* number → index + 1 */
  VEC(Page *) page_list;
  VEC(Word) words;
  VEC(Group) groups;
  uint32_t *next_access; /* per thread */
  uint32_t walked;       /* events that are done */
  uint32_t *next_event;  /* per thread: the next one that accesses memory */
  uint32_t *horizon; /* per thread: its steps before this one are over for all others */
  uint64_t until_horizon; /* groups to be added before it is computed again */
  uint32_t unused;        /* groups that were given up: the first, + 1 */
  Races *races;
  uint64_t words_left; /* that will be looked at: long rows are bounded by their number */
  Map pairs;           /* hash of the two places → candidate + 1 */
} Finder;

/* ---- memory ----------------------------------------------------------------------- */

static uint32_t *slot_of(Finder *f, uint64_t word, bool make) {
  uint64_t number = word / WORDS_PER_PAGE;
  uint64_t known = map_find(&f->pages, number, 0);
  if (!known) {
    if (!make) return NULL;
    vec_push(&f->page_list, (Page *)mem_alloc_zero(sizeof(Page)));
    known = f->page_list.len;
    map_put(&f->pages, number, known);
  }
  return &f->page_list.data[known - 1]->words[word % WORDS_PER_PAGE];
}

/* ---- what is over ----------------------------------------------------------------- */

static bool accesses_memory(TraceOp op) {
  return op == TRACE_FREE || op == TRACE_ATOMIC_LOAD || op == TRACE_ATOMIC_STORE ||
         op == TRACE_ATOMIC_RMW;
}

/* The position of the thread's next access of any kind, or NO_STEP. */
static uint32_t next_position(Finder *f, uint32_t thread) {
  const Trace *trace = f->run->trace;
  const TraceThread *t = &trace->threads.data[thread];
  const RunThread *run = &f->run->threads.data[thread];
  uint32_t *event = &f->next_event[thread], position = NO_STEP;
  while (*event < t->events.len &&
         (t->events.data[*event] < f->walked ||
          !accesses_memory(trace->events.data[t->events.data[*event]].op)))
    ++*event;
  if (*event < t->events.len) position = run->positions.data[*event];
  if (f->next_access[thread] < t->accesses.len) {
    uint32_t after = t->accesses.data[f->next_access[thread]].after;
    uint32_t at =
        after < run->positions.len ? run->positions.data[after] : run->steps.len;
    if (at < position) position = at;
  }
  return position;
}

/* What every other thread knows of each thread when it accesses memory next. */
static void find_horizon(Finder *f) {
  uint32_t threads = f->run->threads.len;
  for (uint32_t t = 0; t < threads; t++) f->horizon[t] = NO_STEP;
  for (uint32_t u = 0; u < threads; u++) {
    uint32_t position = next_position(f, u);
    if (position == NO_STEP) continue;
    const uint32_t *clock =
        f->run->epochs.data[f->run->threads.data[u].epochs.data[position]].clock;
    for (uint32_t t = 0; t < threads; t++)
      if (t != u && clock[t] < f->horizon[t]) f->horizon[t] = clock[t];
  }
  f->until_horizon = 256 + (uint64_t)threads * threads;
}

/* ---- words ------------------------------------------------------------------------ */

static uint8_t mask_in(uint64_t word, uint64_t address, uint64_t size) {
  uint64_t begin = address > word * 8 ? address - word * 8 : 0;
  uint64_t end = address + size < word * 8 + 8 ? address + size - word * 8 : 8;
  return (uint8_t)((0xffu << begin) & (0xffu >> (8 - end)));
}

static bool same(const Group *g, const Group *x) {
  return g->thread == x->thread && g->lock_kind == x->lock_kind && g->epoch == x->epoch &&
         g->mask == x->mask && g->write == x->write && g->atomic == x->atomic &&
         g->frees == x->frees;
}

/* The part of an access that lies in the word: where threads are to be held. */
static RaceAccess clip(const RaceAccess *a, uint64_t number) {
  RaceAccess part = *a;
  uint64_t end =
      a->address + a->size < number * 8 + 8 ? a->address + a->size : number * 8 + 8;
  if (part.address < number * 8) part.address = number * 8;
  part.size = (uint32_t)(end - part.address);
  return part;
}

static void compare(Finder *f, const Group *a, const Group *b);

/* Gives up the groups of a word that come before everything to be walked. They are
 * compared with all that are there, since whoever comes later is ordered after them. */
static void retire(Finder *f, Word *word) {
  for (uint32_t *link = &word->groups, g; (g = *link) != 0;) {
    Group *group = &f->groups.data[g - 1];
    if (group->last.position >= f->horizon[group->thread]) {
      link = &group->next;
      continue;
    }
    *link = group->next;
    word->count--;
    for (uint32_t h = word->groups; h; h = f->groups.data[h - 1].next)
      compare(f, group, &f->groups.data[h - 1]);
    group->next = f->unused;
    f->unused = g;
  }
}

static void push_group(Finder *f, Word *word, const Group *x) {
  uint32_t g = f->unused;
  if (g) {
    f->unused = f->groups.data[g - 1].next;
    f->groups.data[g - 1] = *x;
  } else {
    vec_push(&f->groups, *x);
    g = f->groups.len;
  }
  f->groups.data[g - 1].next = word->groups;
  word->groups = g;
  word->count++;
  if (f->until_horizon) f->until_horizon--;
}

/* `x` is the group of the access but for its mask and its accesses. */
static void add_to_word(Finder *f, uint32_t *slot, uint64_t number, const RaceAccess *a,
                        Group *x) {
  if (a->frees && !*slot) return; /* nobody used what is freed */
  if (!*slot) {
    vec_push(&f->words, (Word){.thread = a->thread});
    *slot = f->words.len;
  }
  Word *word = &f->words.data[*slot - 1];
  word->several |= word->thread != a->thread;
  word->written |= a->write;
  x->mask = mask_in(number, a->address, a->size);
  x->first = x->last = clip(a, number);
  for (uint32_t g = word->groups; g; g = f->groups.data[g - 1].next) {
    Group *group = &f->groups.data[g - 1];
    if (same(group, x)) {
      group->last = x->last;
      return;
    }
    /* Later groups of a thread stand before its earlier ones, and know no less. */
    if (group->thread == x->thread && group->epoch != x->epoch) break;
  }
  retire(f, word);
  if (word->count >= MOST_GROUPS) {
    f->races->left_out++;
    return;
  }
  push_group(f, word, x);
}

static void add_access(Finder *f, const RaceAccess *a) {
  uint64_t first = a->address / 8, last = (a->address + a->size - 1) / 8;
  const RunThread *t = &f->run->threads.data[a->thread];
  Group x = {.thread = a->thread,
             .lock_kind = f->run->lock_sets.data[t->held.data[a->position]].kind,
             .epoch = t->epochs.data[a->position],
             .write = a->write,
             .atomic = a->atomic,
             .frees = a->frees};
  if (!f->until_horizon) find_horizon(f);
  uint32_t *slot = NULL;
  for (uint64_t word = first; word <= last; word++) {
    if (!f->words_left) {
      f->races->left_out++;
      return;
    }
    f->words_left--;
    slot = slot && word % WORDS_PER_PAGE ? slot + 1 : slot_of(f, word, !a->frees);
    if (slot) add_to_word(f, slot, word, a, &x);
  }
}

static void close_words(Page *page, uint64_t from, uint64_t to) {
  memset(page->words + from, 0, (size_t)(to - from) * sizeof *page->words);
}

/* What comes later at these addresses is something else. */
static void close_range(Finder *f, uint64_t address, uint64_t size) {
  uint64_t begin = address / 8, end = (address + size + 7) / 8;
  uint64_t first = begin / WORDS_PER_PAGE, last = end / WORDS_PER_PAGE;
  bool few = last - first < f->pages.len; /* pages to look up, or to go through */
  for (uint64_t i = 0; i < (few ? last - first + 1 : f->pages.len); i++) {
    uint64_t number = few ? first + i : f->pages.entries[i].key;
    uint64_t known = few ? map_find(&f->pages, number, 0) : f->pages.entries[i].value;
    if (!known || number < first || number > last) continue;
    close_words(f->page_list.data[known - 1],
                number == first ? begin % WORDS_PER_PAGE : 0,
                number == last ? end % WORDS_PER_PAGE : WORDS_PER_PAGE);
  }
}

static void walk_event(Finder *f, const TraceEvent *e) {
  const RunThread *t = &f->run->threads.data[e->thread];
  RaceAccess a = {.thread = e->thread,
                  .position = t->positions.data[e->place],
                  .address = e->object,
                  .pc = e->pc};
  switch (e->op) {
  case TRACE_FREE:
    if (!e->arguments[0] || e->arguments[0] > UINT32_MAX) break;
    a.size = (uint32_t)e->arguments[0];
    a.write = a.frees = true;
    add_access(f, &a);
    close_range(f, e->object, a.size);
    break;
  case TRACE_START:
    if (e->arguments[2] < UINT32_MAX) close_range(f, e->arguments[1], e->arguments[2]);
    break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW:
    if (!e->arguments[0] || e->arguments[0] > 16) break;
    a.size = (uint32_t)e->arguments[0];
    a.write = e->op != TRACE_ATOMIC_LOAD;
    a.atomic = true;
    add_access(f, &a);
    break;
  default: break;
  }
}

static void walk_accesses(Finder *f, uint32_t thread, uint32_t after) {
  const TraceThread *t = &f->run->trace->threads.data[thread];
  const RunThread *run = &f->run->threads.data[thread];
  uint32_t *next = &f->next_access[thread];
  for (; *next < t->accesses.len && t->accesses.data[*next].after <= after; ++*next) {
    const TraceAccess *x = &t->accesses.data[*next];
    uint32_t position =
        x->after < run->positions.len ? run->positions.data[x->after] : run->steps.len;
    /* The position before the event that follows is the one after the event before. */
    RaceAccess a = {.thread = thread,
                    .position = position,
                    .address = x->address,
                    .pc = x->pc,
                    .size = x->size,
                    .write = x->write,
                    .atomic = x->atomic,
                    .row = x->row};
    add_access(f, &a);
  }
}

static void walk(Finder *f, Progress *progress) {
  const Trace *trace = f->run->trace;
  progress_phase(progress, "collecting accesses", trace->events.len);
  uint32_t threads = trace->threads.len + 1;
  f->next_access = mem_alloc_zero(threads * sizeof *f->next_access);
  f->next_event = mem_alloc_zero(threads * sizeof *f->next_event);
  f->horizon = mem_alloc_zero(threads * sizeof *f->horizon);
  for (uint32_t t = 0; t < trace->threads.len; t++) walk_accesses(f, t, 0);
  for (uint32_t i = 0; i < trace->events.len; i++) {
    const TraceEvent *e = &trace->events.data[i];
    if ((i & 0xffff) == 0) progress_step(progress, i ? 0x10000 : 0, NULL);
    f->walked = i; /* its own access is not over before it is done */
    walk_event(f, e);
    f->walked = i + 1;
    walk_accesses(f, e->thread, e->place + 1);
  }
}

/* ---- pairs ------------------------------------------------------------------------ */

static bool conflict(const Group *a, const Group *b) {
  return a->thread != b->thread && (a->mask & b->mask) && (a->write || b->write) &&
         !(a->atomic && b->atomic);
}

static bool ordered(const Run *run, const RaceAccess *a, const RaceAccess *b) {
  return run_ordered(run, a->thread, a->position, b->thread, b->position) ||
         run_ordered(run, b->thread, b->position, a->thread, a->position);
}

static void add_pair(Finder *f, const RaceAccess *a, const RaceAccess *b) {
  if (ordered(f->run, a, b)) return;
  if (a->thread > b->thread) {
    const RaceAccess *swap = a;
    a = b;
    b = swap;
  }
  uint64_t low = a->pc < b->pc ? a->pc : b->pc, high = a->pc < b->pc ? b->pc : a->pc;
  uint64_t key = low * UINT64_C(0x9e3779b97f4a7c15) ^ (high + (high << 7));
  uint64_t *known = map_at(&f->pairs, key);
  if (!*known) {
    (void)vec_extend(&f->races->candidates, 1);
    *map_at(&f->pairs, key) = f->races->candidates.len;
    known = map_get(&f->pairs, key);
  }
  RaceCandidate *c = &f->races->candidates.data[*known - 1];
  for (uint32_t i = 0; i < c->pairs.len; i++) {
    const RacePair *p = &c->pairs.data[i];
    if (p->a.thread == a->thread && p->a.position == a->position &&
        p->b.thread == b->thread && p->b.position == b->position)
      return;
  }
  if (c->pairs.len < MOST_PAIRS) vec_push(&c->pairs, (RacePair){*a, *b});
}

static void compare(Finder *f, const Group *a, const Group *b) {
  if (!conflict(a, b)) return;
  const RunThread *ta = &f->run->threads.data[a->thread],
                  *tb = &f->run->threads.data[b->thread];
  if (run_guarded(f->run, ta->held.data[a->first.position],
                  tb->held.data[b->first.position])) {
    f->races->guarded++;
    return;
  }
  /* Within a group the clock is the same, so its last access is the one that is least
   * ordered before others. */
  if (ordered(f->run, &a->last, &b->last) && ordered(f->run, &a->first, &b->first)) {
    f->races->ordered++;
    return;
  }
  add_pair(f, &a->first, &b->first);
  add_pair(f, &a->last, &b->first);
  add_pair(f, &a->first, &b->last);
  add_pair(f, &a->last, &b->last);
}

static void find_pairs(Finder *f) {
  for (uint32_t i = 0; i < f->words.len; i++) {
    const Word *word = &f->words.data[i];
    if (!word->several || !word->written) continue;
    f->races->shared++;
    for (uint32_t g = word->groups; g; g = f->groups.data[g - 1].next)
      for (uint32_t h = f->groups.data[g - 1].next; h; h = f->groups.data[h - 1].next)
        compare(f, &f->groups.data[h - 1], &f->groups.data[g - 1]);
  }
}

void races_find(const Run *run, Progress *progress, Races *ret) {
  Finder f = {.run = run, .races = ret};
  f.words_left = (UINT64_C(1) << 18) + run->trace->access_count * 4096 +
                 run->trace->events.len * UINT64_C(64);
  *ret = (Races){0};
  walk(&f, progress);
  find_pairs(&f);
  ret->words = f.words.len;
  for (uint32_t i = 0; i < f.page_list.len; i++) mem_free(f.page_list.data[i]);
  vec_free(&f.page_list);
  vec_free(&f.words);
  vec_free(&f.groups);
  map_free(&f.pages);
  map_free(&f.pairs);
  mem_free(f.next_access);
  mem_free(f.next_event);
  mem_free(f.horizon);
}

void races_free(Races *races) {
  for (uint32_t i = 0; i < races->candidates.len; i++)
    vec_free(&races->candidates.data[i].pairs);
  vec_free(&races->candidates);
  *races = (Races){0};
}
