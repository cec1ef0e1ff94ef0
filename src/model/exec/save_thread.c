/* Copies of threads. Frames lie in chunks and point to each other: they are copied chunk
 * by chunk, and when they are put back their pointers are moved to where the new chunks
 * are. See save.h. */
#include "model/exec/eval.h"
#include "model/exec/save.h"

/* A native function that waits (sleep) can be copied if all it has are numbers. */
static bool is_simple(const NativeFrame *n) {
  bool simple = !n->call.state && !n->next;
  for (uint32_t i = 0; i < n->call.argc; i++) simple = simple && !n->args_wide[i];
  return simple;
}

static bool can_save(const ExecThread *t) {
  if (t->pending && !is_simple(t->pending)) return false;
  for (const Frame *f = t->frame; f; f = f->up)
    if (f->va || f->native) return false;
  return true;
}

static NativeFrame *copy_native(const NativeFrame *from) {
  NativeFrame *n = mem_dup(from, sizeof *from);
  n->args = mem_dup(from->args, from->room * sizeof *n->args);
  n->args_wide = mem_dup(from->args_wide, from->room * sizeof *n->args_wide);
  n->arg_bits = mem_dup(from->arg_bits, from->room * sizeof *n->arg_bits);
  n->arg_sort = mem_dup(from->arg_sort, from->room * sizeof *n->arg_sort);
  n->arg_passing = mem_dup(from->arg_passing, from->room * sizeof *n->arg_passing);
  n->call.args = n->args;
  n->call.args_wide = n->args_wide;
  n->call.arg_bits = n->arg_bits;
  n->call.arg_sort = n->arg_sort;
  n->call.arg_passing = n->arg_passing;
  return n;
}

static void copy_lists(ExecThread *to, const ExecThread *from) {
  memset(&to->keys, 0, sizeof to->keys);
  memset(&to->cleanups, 0, sizeof to->cleanups);
  for (uint32_t i = 0; i < from->keys.len; i++) vec_push(&to->keys, from->keys.data[i]);
  for (uint32_t i = 0; i < from->cleanups.len; i++)
    vec_push(&to->cleanups, from->cleanups.data[i]);
}

/* From the innermost chunk outwards; the outermost ends up first. */
static void save_chunks(const ExecThread *t, SavedThread *ret) {
  const uint8_t *end = t->chunk_next;
  uint32_t count = 0;
  for (Chunk *c = t->chunk; c; c = c->up) count++;
  SavedChunk *chunks = count ? vec_extend(&ret->chunks, count) : NULL;
  for (Chunk *c = t->chunk; c; c = c->up) {
    size_t used = (size_t)(end - c->bytes);
    chunks[--count] = (SavedChunk){.old = c->bytes,
                                   .bytes = mem_dup(c->bytes, used ? used : 1),
                                   .room = (size_t)(c->end - c->bytes),
                                   .used = used,
                                   .up_next = c->up_next};
    end = c->up_next;
  }
}

bool thread_save(const ExecThread *t, SavedThread *ret) {
  if (!can_save(t)) return false;
  *ret = (SavedThread){.thread = *t};
  copy_lists(&ret->thread, t);
  if (t->pending) ret->thread.pending = copy_native(t->pending);
  save_chunks(t, ret);
  return true;
}

static void *moved(const SavedThread *saved, Chunk *const *chunks, const void *old) {
  const uint8_t *p = old;
  for (uint32_t i = 0; p && i < saved->chunks.len; i++) {
    const SavedChunk *c = &saved->chunks.data[i];
    if (p >= c->old && p <= c->old + c->used &&
        (p < c->old + c->used || p == saved->thread.chunk_next ||
         (i + 1 < saved->chunks.len && p == saved->chunks.data[i + 1].up_next)))
      return chunks[i]->bytes + (p - c->old);
  }
  return NULL;
}

void thread_restore(Exec *x, ExecThread *t, const SavedThread *saved) {
  if (t->pending) native_drop(x, t->pending);
  vec_free(&t->keys);
  vec_free(&t->cleanups);
  *t = saved->thread;
  copy_lists(t, &saved->thread);
  if (saved->thread.pending) t->pending = copy_native(saved->thread.pending);
  t->spare = NULL;
  t->chunk = NULL;
  uint32_t n = saved->chunks.len;
  Chunk **chunks = mem_alloc_zero((n + 1) * sizeof(Chunk *));
  for (uint32_t i = 0; i < n; i++) {
    const SavedChunk *c = &saved->chunks.data[i];
    chunks[i] = mem_alloc_zero(sizeof(Chunk) + c->room);
    memcpy(chunks[i]->bytes, c->bytes, c->used);
    chunks[i]->up = t->chunk;
    chunks[i]->end = chunks[i]->bytes + c->room;
    t->chunk = chunks[i];
  }
  for (uint32_t i = 0; i < n; i++)
    chunks[i]->up_next = moved(saved, chunks, saved->chunks.data[i].up_next);
  t->chunk_next = moved(saved, chunks, saved->thread.chunk_next);
  t->frame = moved(saved, chunks, saved->thread.frame);
  for (Frame *f = t->frame; f; f = f->up) f->up = moved(saved, chunks, f->up);
  mem_free(chunks);
}

void thread_saved_free(SavedThread *saved) {
  for (uint32_t i = 0; i < saved->chunks.len; i++) mem_free(saved->chunks.data[i].bytes);
  vec_free(&saved->chunks);
  vec_free(&saved->thread.keys);
  vec_free(&saved->thread.cleanups);
  if (saved->thread.pending) {
    NativeFrame *n = saved->thread.pending;
    mem_free(n->args);
    mem_free(n->args_wide);
    mem_free(n->arg_bits);
    mem_free(n->arg_sort);
    mem_free(n->arg_passing);
    mem_free(n);
  }
}
