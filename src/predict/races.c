/* See races.h.
 *
 * Two walks over the accesses in the order of the run. Memory is told apart by words of 8
 * bytes (words.h); when a block is freed or a stack gets a new thread, its words are
 * closed, and whoever uses the addresses next opens new ones.
 *
 * The first walk finds the words that matter. As long as every write comes after all that
 * was before it, and every read after the last write, in every order of the run, nothing
 * can race in a word; its last write and its last read tell. Several reads without an order
 * between them are allowed; a write that follows them makes the word matter without a
 * closer look. It also notes what each thread read from others.
 *
 * The second walk makes groups in these words (pairs.h): a counter that is incremented a
 * million times under its lock is two groups. A group that comes before all accesses that
 * are still to be walked, in every order, is compared with the others of its word and then
 * given up: barriers and joins retire what was accessed before them, and a word has as many
 * groups as there is doubt about it. Words with many groups find theirs by a hash.
 *
 * Buffers that are handed from thread to thread matter with all their words, which are all
 * alike. Where the words that matter are many, prediction looks at the first ones of each
 * page of memory and at a part of the rest. */
#include "predict/races.h"

#include "predict/deadline.h"
#include "predict/words.h"
#include "predict/pairs.h"
#include "predict/walk.h"

enum {
  MOST_GROUPS = 4096,   /* in a word; further ones are counted in Races.left_out */
  FEW_GROUPS = 6,       /* that are looked through one by one */
  WORTH_RETIRING = 2,   /* groups in a word, at least */
  MANY_WORDS = 1 << 16, /* that matter, before some of them are left out: */
  CROWD = 8,            /* of a page all but so many, */
  ONE_OF = 64,          /* and one of so many behind them */
};

typedef enum { MATTERS_NOT, MATTERS, MATTERS_IN_CROWD } Weight;

/* A word in the first walk: threads of its last write and read, and their positions. */
typedef struct {
  uint32_t writer, written, reader, read;
  bool has_write, has_read;
  bool shared; /* reads without an order between them since the last write */
  uint8_t weight;
} Scouted;

typedef struct {
  uint32_t groups; /* first + 1 */
  uint32_t count;
  uint32_t full; /* the count at which groups are to be retired */
  bool hashed;
} Word;

typedef struct {
  const Run *run;
  Races *races;
  bool places_apart; /* RacesOptions.places */
  Words memory;
  uint64_t words_left; /* that will be looked at: long rows are bounded by their number */
  VEC(Scouted) scouted;
  uint32_t *rank;    /* of each word: its place in `words` + 1, or 0 */
  uint32_t numbered; /* words in the second walk so far */
  VEC(Word) words;
  VEC(Group) groups;
  Map places;              /* hash of a group → its index + 1, in words with many */
  uint32_t *horizon;       /* see walk_horizon */
  uint64_t until_horizon;  /* groups to be added before it is computed again */
  uint32_t unused;         /* groups that were given up: the first, + 1 */
  VEC(const Group *) list; /* scratch */
  Pairs pairs;
} Finder;

/* ---- the words of an access ------------------------------------------------------- */

typedef void Visit(Finder *f, uint32_t *slot, uint64_t word, const RaceAccess *a,
                   void *what);

static void visit_words(Finder *f, const RaceAccess *a, Visit *visit, void *what) {
  uint64_t first = a->address / 8, last = (a->address + a->size - 1) / 8;
  uint32_t *slot = NULL;
  for (uint64_t word = first; word <= last; word++) {
    slot = slot && word % WORDS_PAGE ? slot + 1 : words_slot(&f->memory, word, !a->frees);
    if (!slot) { /* nobody was on this page */
      word |= WORDS_PAGE - 1;
      continue;
    }
    if (!f->words_left) {
      f->races->left_out++;
      return;
    }
    f->words_left--;
    if (slot && (*slot || !a->frees)) visit(f, slot, word, a, what);
  }
}

static void restart(Finder *f) {
  words_clear(&f->memory);
  f->races->left_out = 0;
  f->words_left = (UINT64_C(1) << 18) + f->run->trace->access_count * 4096 +
                  f->run->trace->events.len * UINT64_C(64);
}

static void close_range(void *user, uint64_t address, uint64_t size) {
  words_close(&((Finder *)user)->memory, address, size);
}

/* ---- the first walk --------------------------------------------------------------- */

static bool comes_after(const Finder *f, const RaceAccess *a, uint32_t thread,
                        uint32_t position) {
  return thread == a->thread ||
         run_ordered(f->run, thread, position, a->thread, a->position);
}

/* The number of the word decides, not its address, which the next one there has, too. */
static Weight weigh(uint32_t *slot, uint64_t word) {
  uint32_t mixed = (*slot * UINT32_C(0x9e3779b1)) >> 16;
  return words_count(slot, word) < CROWD || mixed % ONE_OF == 0 ? MATTERS
                                                                : MATTERS_IN_CROWD;
}

static void scout_word(Finder *f, uint32_t *slot, uint64_t word, const RaceAccess *a,
                       void *what) {
  (void)what;
  if (!*slot) {
    (void)vec_extend(&f->scouted, 1);
    *slot = f->scouted.len;
  }
  Scouted *s = &f->scouted.data[*slot - 1];
  if (!a->write && s->has_write && s->writer != a->thread)
    sources_add(&f->races->sources, a->thread, a->position, s->writer, s->written + 1);
  if (s->has_write && s->writer != a->thread)
    sources_add(&f->races->strict, a->thread, a->position, s->writer, s->written + 1);
  bool after_read = !s->has_read || comes_after(f, a, s->reader, s->read);
  bool matters = (s->has_write && !comes_after(f, a, s->writer, s->written)) ||
                 (a->write && (s->shared || !after_read));
  if (matters && !s->weight) s->weight = (uint8_t)weigh(slot, word);
  if (a->write) {
    s->has_write = true;
    s->has_read = s->shared = false;
    s->writer = a->thread;
    s->written = a->position;
  } else {
    s->shared |= !after_read;
    s->has_read = true;
    s->reader = a->thread;
    s->read = a->position;
  }
}

static void scout(void *user, Walk *walk, const RaceAccess *a) {
  (void)walk;
  visit_words(user, a, scout_word, NULL);
}

static void rank_words(Finder *f) {
  uint32_t count[MATTERS_IN_CROWD + 1] = {0};
  f->rank = mem_alloc_zero((f->scouted.len + 1) * sizeof *f->rank);
  for (uint32_t i = 0; i < f->scouted.len; i++) count[f->scouted.data[i].weight]++;
  bool many = count[MATTERS] + count[MATTERS_IN_CROWD] > MANY_WORDS && !f->places_apart;
  if (many) f->races->thinned = count[MATTERS_IN_CROWD];
  for (uint32_t i = 0; i < f->scouted.len; i++) {
    uint8_t weight = f->scouted.data[i].weight;
    if (!weight || (many && weight == MATTERS_IN_CROWD)) continue;
    vec_push(&f->words, (Word){.full = WORTH_RETIRING});
    f->rank[i] = f->words.len;
  }
  f->races->words = f->scouted.len;
  f->races->shared = f->words.len;
  vec_free(&f->scouted);
}

/* ---- groups of a word ------------------------------------------------------------- */

static uint8_t mask_in(uint64_t word, uint64_t address, uint64_t size) {
  uint64_t begin = address > word * 8 ? address - word * 8 : 0;
  uint64_t end = address + size < word * 8 + 8 ? address + size - word * 8 : 8;
  return (uint8_t)((0xffu << begin) & (0xffu >> (8 - end)));
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

static bool same(const Group *g, const Group *x) {
  return g->word == x->word && g->thread == x->thread && g->lock_kind == x->lock_kind &&
         g->epoch == x->epoch && g->mask == x->mask && g->write == x->write &&
         g->atomic == x->atomic && g->frees == x->frees && g->place == x->place;
}

static uint64_t hash_group(const Group *x) {
  uint64_t flags =
      (uint64_t)x->mask << 3 | (uint64_t)x->write << 2 | x->atomic << 1 | x->frees;
  uint64_t h = ((uint64_t)x->word << 32 | x->thread) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 29 ^ ((uint64_t)x->lock_kind << 32 | x->epoch)) *
      UINT64_C(0xbf58476d1ce4e5b9);
  return (h ^ h >> 31 ^ flags ^ x->place << 11) * UINT64_C(0x94d049bb133111eb);
}

static Group *find_group(Finder *f, const Word *word, const Group *x) {
  uint32_t g = word->groups;
  for (uint32_t i = 0; g && i < FEW_GROUPS; g = f->groups.data[g - 1].next, i++)
    if (same(&f->groups.data[g - 1], x)) return &f->groups.data[g - 1];
  if (!g || !word->hashed) return NULL;
  uint64_t found = map_find(&f->places, hash_group(x), 0);
  return found && same(&f->groups.data[found - 1], x) ? &f->groups.data[found - 1] : NULL;
}

static void note_place(Finder *f, uint32_t g) {
  map_put(&f->places, hash_group(&f->groups.data[g - 1]), g);
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
  if (word->hashed) note_place(f, g);
  if (!word->hashed && word->count > FEW_GROUPS) {
    word->hashed = true;
    for (uint32_t i = g; i; i = f->groups.data[i - 1].next) note_place(f, i);
  }
  if (f->until_horizon) f->until_horizon--;
}

/* Gives up the groups of a word that come before everything to be walked. They are
 * compared with all that are there, since whoever comes later is ordered after them. */
static void retire(Finder *f, Word *word) {
  uint32_t gone = 0;
  vec_clear(&f->list);
  for (uint32_t *link = &word->groups, g; (g = *link) != 0;) {
    Group *group = &f->groups.data[g - 1];
    if (group->last.position >= f->horizon[group->thread]) {
      link = &group->next;
      continue;
    }
    *link = group->next;
    group->next = gone;
    gone = g;
    word->count--;
    vec_push(&f->list, (const Group *)group);
  }
  uint32_t fresh = f->list.len;
  if (fresh) {
    for (uint32_t g = word->groups; g; g = f->groups.data[g - 1].next)
      vec_push(&f->list, (const Group *)&f->groups.data[g - 1]);
    pairs_compare(&f->pairs, f->list.data, fresh, f->list.len);
  }
  while (gone) {
    uint32_t next = f->groups.data[gone - 1].next;
    f->groups.data[gone - 1].next = f->unused;
    f->groups.data[gone - 1].word =
        UINT32_MAX; /* a hash that leads there finds nothing */
    f->unused = gone;
    gone = next;
  }
  word->full = word->count > 1 ? word->count * 2 : WORTH_RETIRING;
}

/* ---- the second walk -------------------------------------------------------------- */

/* `what` is the group of the access but for its word, its mask and its accesses. */
static void add_to_word(Finder *f, uint32_t *slot, uint64_t number, const RaceAccess *a,
                        void *what) {
  Group *x = what;
  if (!*slot) *slot = ++f->numbered;
  uint32_t rank = f->rank[*slot - 1];
  if (!rank) return;
  Word *word = &f->words.data[rank - 1];
  x->word = rank - 1;
  x->mask = mask_in(number, a->address, a->size);
  x->first = x->last = clip(a, number);
  Group *group = find_group(f, word, x);
  if (group) {
    group->last = x->last;
    return;
  }
  if (word->count >= word->full) retire(f, word);
  if (word->count >= MOST_GROUPS) {
    f->races->left_out++;
    return;
  }
  push_group(f, word, x);
}

static void collect(void *user, Walk *walk, const RaceAccess *a) {
  Finder *f = user;
  const RunThread *t = &f->run->threads.data[a->thread];
  Group x = {.thread = a->thread,
             .lock_kind = f->run->lock_sets.data[t->held.data[a->position]].kind,
             .epoch = t->epochs.data[a->position],
             .write = a->write,
             .atomic = a->atomic,
             .frees = a->frees,
             .place = f->places_apart ? a->pc : 0};
  if (!f->until_horizon) {
    uint64_t threads = f->run->threads.len;
    walk_horizon(walk, f->horizon);
    f->until_horizon = 256 + threads * threads;
  }
  visit_words(f, a, add_to_word, &x);
}

static void compare_rest(Finder *f) {
  for (uint32_t i = 0; i < f->words.len; i++) {
    vec_clear(&f->list);
    for (uint32_t g = f->words.data[i].groups; g; g = f->groups.data[g - 1].next)
      vec_push(&f->list, (const Group *)&f->groups.data[g - 1]);
    if (f->list.len > 1) pairs_compare(&f->pairs, f->list.data, f->list.len, f->list.len);
  }
}

/* ---- the whole -------------------------------------------------------------------- */

void races_find(const Run *run, const RacesOptions *options, Races *ret) {
  RacesOptions o = options ? *options : (RacesOptions){0};
  Finder f = {.run = run, .races = ret, .places_apart = o.places};
  uint32_t events = run->trace->events.len;
  *ret = (Races){0};
  f.pairs = (Pairs){.run = run, .races = ret, .window = o.window, .deadline = o.deadline};
  f.pairs.budget = (UINT64_C(1) << 26) + 16 * (run->trace->access_count + events);
  f.horizon = mem_alloc_zero((run->threads.len + 1) * sizeof *f.horizon);
  restart(&f);
  progress_phase(o.progress, "collecting accesses", 2 * (uint64_t)events);
  WalkVisitor first = {&f, scout, close_range}, second = {&f, collect, close_range};
  bool all = walk_run(run, &first, o.deadline, o.progress);
  rank_words(&f);
  restart(&f);
  ret->cut = !all || !walk_run(run, &second, o.deadline, o.progress);
  compare_rest(&f);
  pairs_finish(&f.pairs);
  words_clear(&f.memory);
  mem_free(f.rank);
  vec_free(&f.words);
  vec_free(&f.groups);
  vec_free(&f.list);
  map_free(&f.places);
  mem_free(f.horizon);
}

void races_free(Races *races) {
  for (uint32_t i = 0; i < races->candidates.len; i++)
    vec_free(&races->candidates.data[i].pairs);
  vec_free(&races->candidates);
  sources_free(&races->sources);
  sources_free(&races->strict);
  *races = (Races){0};
}
