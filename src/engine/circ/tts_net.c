/* From a thread transition system to a Petri net (tts.h), and to a verdict.
 *
 * A group has a place per value and one token in all of them. A local state is a place, and each
 * thread a token. A step takes a token from its local state and puts it into the next one; it
 * takes the values that it touches and gives the new ones. Groups that it does not touch are no
 * part of it: so most of a thread's own steps have one arc in and one out, and the net's
 * reductions fuse them.
 *
 * Atomic local states: one more place has a token while nobody is inside. Entering takes it,
 * leaving gives it back, other steps from outside need it to be there. Those that touch nothing
 * that a thread inside sees need it not: they may as well be done before or after the section.
 * That holds unless an error can see such a step in the middle of a section, or a shake can (it
 * moves threads that are in one of the two local states, and only those that are there before it).
 *
 * Choices: where a system may begin in several ways, a token begins in a place from which a
 * transition leads to each of them. It may happen late, when the thread or the group is needed:
 * nothing sees the difference but shakes, which wait until all threads that they could concern have chosen.
 * Any number of threads in each of several states needs no choice: there is any number in all. */
#include "engine/circ/tts_net.h"

#include <assert.h>

/* ---- which steps must wait for a section to end ------------------------------------ */

static bool sees_second(const Tts *tts) {
  for (uint32_t i = 0; i < tts->errors.len; i++) {
    const TtsError *e = &tts->errors.data[i];
    if (e->locals[1] != TTS_NONE &&
        (tts->locals.data[e->locals[0]].atomic || tts->locals.data[e->locals[1]].atomic))
      return true;
  }
  return false;
}

static void find_quiet(const Tts *tts, TtsLayout *l) {
  bool *shaken = mem_alloc_zero(tts->locals.len + 1);
  bool all = sees_second(tts);
  for (uint32_t i = 0; i < tts->shakes.len; i++) shaken[tts->shakes.data[i].from] = true;
  for (uint32_t i = 0; i < tts->steps.len; i++) {
    const TtsStep *s = &tts->steps.data[i];
    bool enters = s->to != TTS_NONE && tts->locals.data[s->to].atomic;
    bool concerned = shaken[s->from] || (s->to != TTS_NONE && shaken[s->to]);
    for (uint32_t k = 0; k < s->spawn_count; k++)
      concerned = concerned || shaken[tts->spawns.data[s->first_spawn + k]];
    l->quiet[i] = !tts->locals.data[s->from].atomic &&
                  (all || enters || s->touch_count || s->shake_count || concerned);
  }
  mem_free(shaken);
}

/* ---- places ------------------------------------------------------------------------ */

static bool is_choice(const Tts *tts, uint32_t first, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (tts->initials.data[first + i] != tts->initials.data[first]) return true;
  return false;
}

static uint32_t add_place(TtsLayout *l, Str *name, uint32_t tokens) {
  uint32_t place = net_add_place(l->net, str_text(name), tokens);
  str_clear(name);
  return place;
}

static void add_group(const Tts *tts, TtsLayout *l, uint32_t number, Str *name) {
  const TtsGroup *g = &tts->groups.data[number];
  bool choice = is_choice(tts, g->first_initial, g->initial_count);
  l->group_place[number] = l->open_place[number] = NET_NONE;
  if (g->size < 2) return;
  for (uint32_t value = 0; value < g->size; value++) {
    str_addf(name, "g%u=%u", number, value);
    bool first = !choice && tts->initials.data[g->first_initial] == value;
    uint32_t place = add_place(l, name, first);
    if (value == 0) l->group_place[number] = place;
  }
  if (!choice) return;
  str_addf(name, "g%u=?", number);
  l->open_place[number] = add_place(l, name, 1);
  for (uint32_t i = 0; i < g->initial_count; i++)
    vec_push(&l->choices,
             (TtsChoice){number, NET_NONE, tts->initials.data[g->first_initial + i]});
}

static void add_locals(const Tts *tts, TtsLayout *l, Str *name) {
  l->first_local = l->net->place_names.len;
  l->quiet_place = NET_NONE;
  bool atomic = false;
  for (uint32_t i = 0; i < tts->locals.len; i++) {
    str_addf(name, "l%u", i);
    add_place(l, name, 0);
    atomic = atomic || tts->locals.data[i].atomic;
  }
  if (!atomic) return;
  str_add(name, "quiet");
  l->quiet_place = add_place(l, name, 1);
}

static bool can_be_shaken(const Tts *tts, const TtsThreads *t) {
  for (uint32_t i = 0; i < t->initial_count; i++)
    for (uint32_t k = 0; k < tts->shakes.len; k++)
      if (tts->initials.data[t->first_initial + i] == tts->shakes.data[k].from)
        return true;
  return false;
}

static void add_threads(const Tts *tts, TtsLayout *l, uint32_t number, Str *name) {
  const TtsThreads *t = &tts->threads.data[number];
  const uint32_t *initials = tts->initials.data + t->first_initial;
  l->start_place[number] = l->chosen_place[number] = NET_NONE;
  uint32_t *tokens = l->net->initial.data + l->first_local;
  if (t->count == NET_OMEGA) {
    for (uint32_t i = 0; i < t->initial_count; i++) tokens[initials[i]] = NET_OMEGA;
  } else if (!is_choice(tts, t->first_initial, t->initial_count)) {
    if (tokens[initials[0]] != NET_OMEGA) tokens[initials[0]] += t->count;
  } else {
    str_addf(name, "start%u", number);
    l->start_place[number] = add_place(l, name, t->count);
    if (can_be_shaken(tts, t)) {
      str_addf(name, "started%u", number);
      l->chosen_place[number] = add_place(l, name, 0);
    }
    for (uint32_t i = 0; i < t->initial_count; i++)
      vec_push(&l->choices, (TtsChoice){NET_NONE, number, initials[i]});
  }
  if (t->count != NET_OMEGA) l->net->running += t->count;
}

/* ---- transitions and targets -------------------------------------------------------- */

static void wait_for_choices(const Tts *tts, TtsLayout *l) {
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    if (l->chosen_place[i] == NET_NONE) continue;
    net_add_pre(l->net, l->chosen_place[i], tts->threads.data[i].count);
    net_add_post(l->net, l->chosen_place[i], tts->threads.data[i].count);
  }
}

static void add_step(const Tts *tts, TtsLayout *l, uint32_t number) {
  const TtsStep *s = &tts->steps.data[number];
  Net *net = l->net;
  uint32_t t = net_begin_transition(net, NULL, 0);
  bool inside = tts->locals.data[s->from].atomic;
  bool enters = s->to != TTS_NONE && tts->locals.data[s->to].atomic;
  net_add_pre(net, l->first_local + s->from, 1);
  if (s->to != TTS_NONE) net_add_post(net, l->first_local + s->to, 1);
  if (l->quiet_place != NET_NONE) {
    if (l->quiet[number]) net_add_pre(net, l->quiet_place, 1);
    if ((l->quiet[number] || inside) && !enters) net_add_post(net, l->quiet_place, 1);
  }
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *touch = &tts->touches.data[s->first_touch + i];
    uint32_t place = l->group_place[touch->group];
    if (place == NET_NONE) continue;
    net_add_pre(net, place + touch->before, 1);
    net_add_post(net, place + touch->after, 1);
  }
  for (uint32_t i = 0; i < s->spawn_count; i++)
    net_add_post(net, l->first_local + tts->spawns.data[s->first_spawn + i], 1);
  for (uint32_t i = 0; i < s->shake_count; i++) {
    TtsShake shake = tts->shakes.data[s->first_shake + i];
    net_add_transfer(net, l->first_local + shake.from,
                     shake.to == TTS_NONE ? NET_NOWHERE : l->first_local + shake.to);
  }
  if (s->shake_count) wait_for_choices(tts, l);
  net_end_transition(net);
  net->transitions.data[t].spawns = s->spawn_count;
}

static void add_choice(const Tts *tts, TtsLayout *l, const TtsChoice *choice) {
  assert((choice->group == NET_NONE) != (choice->origin == NET_NONE));
  (void)tts;
  net_begin_transition(l->net, NULL, 0);
  if (choice->group != NET_NONE) {
    net_add_pre(l->net, l->open_place[choice->group], 1);
    net_add_post(l->net, l->group_place[choice->group] + choice->value, 1);
  } else {
    net_add_pre(l->net, l->start_place[choice->origin], 1);
    net_add_post(l->net, l->first_local + choice->value, 1);
    if (l->chosen_place[choice->origin] != NET_NONE)
      net_add_post(l->net, l->chosen_place[choice->origin], 1);
  }
  net_end_transition(l->net);
}

static void add_error(const Tts *tts, TtsLayout *l, uint32_t number) {
  const TtsError *e = &tts->errors.data[number];
  Marking tokens = {0};
  bool inside = false;
  for (uint32_t i = 0; i < 2; i++) {
    if (e->locals[i] == TTS_NONE) continue;
    vec_push(&tokens, (Tokens){l->first_local + e->locals[i], 1});
    inside = inside || tts->locals.data[e->locals[i]].atomic;
  }
  if (l->quiet_place != NET_NONE && !inside)
    vec_push(&tokens, (Tokens){l->quiet_place, 1});
  for (uint32_t i = 0; i < e->touch_count; i++) {
    const TtsTouch *touch = &tts->touches.data[e->first_touch + i];
    if (l->group_place[touch->group] != NET_NONE)
      vec_push(&tokens, (Tokens){l->group_place[touch->group] + touch->before, 1});
  }
  net_add_target(l->net, tokens.data, tokens.len, NULL);
  vec_free(&tokens);
}

void tts_layout_new(const Tts *tts, TtsLayout *ret) {
  assert(tts_is_valid(tts, NULL));
  *ret = (TtsLayout){.net = net_new(NULL)};
  size_t groups = (tts->groups.len + 1) * sizeof(uint32_t);
  size_t threads = (tts->threads.len + 1) * sizeof(uint32_t);
  ret->group_place = mem_alloc(groups), ret->open_place = mem_alloc(groups);
  ret->start_place = mem_alloc(threads), ret->chosen_place = mem_alloc(threads);
  ret->quiet = mem_alloc_zero(tts->steps.len + 1);
  Str name = {0};
  for (uint32_t i = 0; i < tts->groups.len; i++) add_group(tts, ret, i, &name);
  add_locals(tts, ret, &name);
  for (uint32_t i = 0; i < tts->threads.len; i++) add_threads(tts, ret, i, &name);
  if (ret->quiet_place != NET_NONE) find_quiet(tts, ret);
  for (uint32_t i = 0; i < tts->steps.len; i++) add_step(tts, ret, i);
  for (uint32_t i = 0; i < ret->choices.len; i++)
    add_choice(tts, ret, &ret->choices.data[i]);
  for (uint32_t i = 0; i < tts->errors.len; i++) add_error(tts, ret, i);
  /* transition i is step i, and target i error i */
  assert(ret->net->transitions.len == tts->steps.len + ret->choices.len);
  assert(ret->net->targets.len == tts->errors.len);
  ret->net->programs = true;
  net_index(ret->net);
  str_free(&name);
}

void tts_layout_free(TtsLayout *layout) {
  net_free(layout->net);
  mem_free(layout->group_place);
  mem_free(layout->open_place);
  mem_free(layout->start_place);
  mem_free(layout->chosen_place);
  mem_free(layout->quiet);
  vec_free(&layout->choices);
}

Net *tts_net(const Tts *tts) {
  TtsLayout layout;
  tts_layout_new(tts, &layout);
  Net *net = layout.net;
  layout.net = NULL;
  tts_layout_free(&layout);
  return net;
}

/* ---- solving ------------------------------------------------------------------------ */

void tts_answer_free(TtsAnswer *answer) {
  mem_free(answer->reason);
  tts_run_free(&answer->run);
  net_free(answer->net);
  evidence_free(&answer->evidence);
}

static void take_run(const Tts *tts, const TtsLayout *layout, const NetEvidence *evidence,
                     TtsAnswer *ret) {
  Str why = {0};
  tts_follow(tts, layout, evidence, &ret->run);
  if (!tts_run_check(tts, &ret->run, &why)) {
    ret->verdict = NET_UNKNOWN;
    ret->defect = true;
    ret->reason =
        str_printf("the run of the net is none of the system: %s", str_text(&why));
  }
  str_free(&why);
}

void tts_solve(const Tts *tts, const NetLimits *limits, TtsAnswer *ret) {
  TtsLayout layout;
  NetResult result;
  tts_layout_new(tts, &layout);
  NetOptions options = {.limits = *limits, .search = NET_ALL};
  net_solve(layout.net, &options, &result);
  *ret = (TtsAnswer){.verdict = result.verdict,
                     .method = result.method,
                     .reason = result.reason,
                     .defect = result.defect};
  result.reason = NULL;
  if (result.verdict == NET_UNSAFE) take_run(tts, &layout, &result.evidence, ret);
  if (result.verdict == NET_SAFE) {
    ret->net = layout.net, layout.net = NULL;
    ret->evidence = result.evidence, result.evidence = (NetEvidence){0};
  }
  net_result_free(&result);
  tts_layout_free(&layout);
}
