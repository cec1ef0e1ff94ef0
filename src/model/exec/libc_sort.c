/* Sorting and searching with the program's own comparison: qsort, bsearch, lfind,
 * lsearch.
 *
 * qsort is the merge sort of glibc 2.36, with the same comparisons in the same order:
 * halves [0, n/2) and [n/2, n), left half first, and the left element wins ties. Elements
 * of more than 32 bytes are sorted through pointers to their first places and moved at
 * the end. Each comparison is a callback, so the recursion is a stack of frames that
 * lives in call->state. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

enum { DIRECT_MAX = 32 }; /* bytes of an element that is moved at once */

/* One activation of the merge sort: elements first..first+count. */
typedef struct {
  uint64_t first, count;
  uint64_t left, left_end, right, right_end; /* merging: what is not yet taken */
  uint64_t merged;                           /* elements in the temporary space */
  uint8_t phase;                             /* 0: sort left, 1: sort right, 2: merge */
} Frame;

typedef struct {
  uint64_t base, size, arg;
  uint32_t argc; /* 2, or 3 for qsort_r */
  bool indirect;
  uint64_t *order; /* indirect: element numbers in their present order */
  uint64_t *order_merged;
  uint8_t *merged; /* direct: temporary space */
  VEC(Frame) frames;
} Sorting;

static void sort_drop(void *state) {
  Sorting *sort = state;
  mem_free(sort->order);
  mem_free(sort->order_merged);
  mem_free(sort->merged);
  vec_free(&sort->frames);
  mem_free(sort);
}

static uint64_t place(const Sorting *sort, uint64_t i) {
  return sort->base + (sort->indirect ? sort->order[i] : i) * sort->size;
}

static NativeStatus ask(NativeCall *call, uint64_t function, uint64_t a, uint64_t b,
                        uint64_t arg, uint32_t argc) {
  call->callback = function;
  call->callback_args[0] = a;
  call->callback_args[1] = b;
  call->callback_args[2] = arg;
  call->callback_argc = argc;
  return NATIVE_CALL;
}

/* Takes the next element of the left or the right half. */
static bool take(NativeCall *call, Sorting *sort, Frame *f, bool from_left) {
  uint64_t i = from_left ? f->left++ : f->right++;
  if (sort->indirect) {
    sort->order_merged[f->merged++] = sort->order[i];
    return true;
  }
  return exec_read(call->exec, sort->base + i * sort->size,
                   sort->merged + f->merged++ * sort->size, sort->size);
}

/* What remains of the left half follows; then everything goes back to its place. */
static bool finish_merge(NativeCall *call, Sorting *sort, Frame *f) {
  while (f->left < f->left_end)
    if (!take(call, sort, f, true)) return false;
  if (sort->indirect) {
    memcpy(sort->order + f->first, sort->order_merged, f->merged * sizeof *sort->order);
    return true;
  }
  return libc_put(call, sort->base + f->first * sort->size, sort->merged,
                  f->merged * sort->size);
}

/* Moves the elements to the order found. */
static bool permute(NativeCall *call, Sorting *sort, uint64_t n) {
  uint64_t total = n * sort->size;
  const uint8_t *old = libc_bytes(call, sort->base, total);
  if (!old) return false;
  uint8_t *sorted = mem_alloc(total);
  for (uint64_t i = 0; i < n; i++)
    memcpy(sorted + i * sort->size, old + sort->order[i] * sort->size, sort->size);
  bool ok = libc_put(call, sort->base, sorted, total);
  mem_free(sorted);
  return ok;
}

static void push_range(Sorting *sort, uint64_t first, uint64_t count) {
  if (count > 1) vec_push(&sort->frames, (Frame){.first = first, .count = count});
}

/* Goes on until the next comparison or the end. */
static NativeStatus sort_go_on(NativeCall *call, Sorting *sort) {
  while (sort->frames.len > 0) {
    Frame *f = vec_last(&sort->frames);
    uint64_t half = f->count / 2, first = f->first, count = f->count;
    switch (f->phase++) {
    case 0: push_range(sort, first, half); continue;
    case 1: push_range(sort, first + half, count - half); continue;
    case 2:
      f->left = first;
      f->left_end = f->right = first + half;
      f->right_end = first + count;
      f->merged = 0;
      break;
    default: f->phase = 3;
    }
    if (f->left < f->left_end && f->right < f->right_end)
      return ask(call, arg_u64(call, 3), place(sort, f->left), place(sort, f->right),
                 sort->arg, sort->argc);
    if (!finish_merge(call, sort, f)) return NATIVE_STOP;
    (void)vec_pop(&sort->frames);
  }
  return NATIVE_DONE;
}

static NativeStatus sort_start(NativeCall *call, uint32_t argc) {
  uint64_t n = arg_u64(call, 1), size = arg_u64(call, 2), total;
  if (n < 2 || size == 0) return ret_void(call);
  if (__builtin_mul_overflow(n, size, &total))
    return libc_overrun(call, arg_u64(call, 0));
  if (!libc_bytes(call, arg_u64(call, 0), total)) return NATIVE_STOP;
  Sorting *sort = mem_alloc_zero(sizeof *sort);
  sort->base = arg_u64(call, 0);
  sort->size = size;
  sort->argc = argc;
  sort->arg = argc == 3 ? arg_u64(call, 4) : 0;
  sort->indirect = size > DIRECT_MAX;
  if (sort->indirect) {
    sort->order = mem_alloc(n * sizeof *sort->order);
    sort->order_merged = mem_alloc(n * sizeof *sort->order);
    for (uint64_t i = 0; i < n; i++) sort->order[i] = i;
  } else {
    sort->merged = mem_alloc(total);
  }
  push_range(sort, 0, n);
  call->state = sort;
  call->drop = sort_drop;
  return NATIVE_CALL;
}

static NativeStatus run_sort(NativeCall *call, uint32_t argc) {
  if (call->stage == 0) {
    NativeStatus status = sort_start(call, argc);
    if (status != NATIVE_CALL) return status;
  } else {
    Sorting *sort = call->state;
    Frame *f = vec_last(&sort->frames);
    if (!take(call, sort, f, (int32_t)call->returned <= 0)) return NATIVE_STOP;
  }
  Sorting *sort = call->state;
  NativeStatus status = sort_go_on(call, sort);
  if (status != NATIVE_DONE) return status;
  if (sort->indirect && !permute(call, sort, arg_u64(call, 1))) return NATIVE_STOP;
  return ret_void(call);
}

static NativeStatus native_qsort(NativeCall *call) {
  return run_sort(call, 2);
}
static NativeStatus native_qsort_r(NativeCall *call) {
  return run_sort(call, 3);
}

/* ---- searches ---------------------------------------------------------------------- */

typedef struct {
  uint64_t low, high; /* bsearch: candidates; linear: the next element, the count */
} Search;

static NativeStatus native_bsearch(NativeCall *call) {
  uint64_t key = arg_u64(call, 0), base = arg_u64(call, 1), size = arg_u64(call, 3);
  Search *search = call->state;
  if (call->stage == 0) {
    search = mem_alloc_zero(sizeof *search);
    search->high = arg_u64(call, 2);
    call->state = search;
    call->drop = mem_free;
  } else {
    uint64_t middle = (search->low + search->high) / 2;
    int order = (int32_t)call->returned;
    if (order == 0) return ret_u64(call, base + middle * size);
    if (order < 0)
      search->high = middle;
    else
      search->low = middle + 1;
  }
  if (search->low >= search->high) return ret_u64(call, 0);
  uint64_t middle = (search->low + search->high) / 2;
  return ask(call, arg_u64(call, 4), key, base + middle * size, 0, 2);
}

static NativeStatus linear_search(NativeCall *call, bool append) {
  uint64_t key = arg_u64(call, 0), base = arg_u64(call, 1), size = arg_u64(call, 3);
  Search *search = call->state;
  if (call->stage == 0) {
    search = mem_alloc_zero(sizeof *search);
    call->state = search;
    call->drop = mem_free;
    if (!exec_read(call->exec, arg_u64(call, 2), &search->high, 8)) return NATIVE_STOP;
  } else if ((int32_t)call->returned == 0) {
    return ret_u64(call, base + search->low * size);
  } else {
    search->low++;
  }
  if (search->low < search->high)
    return ask(call, arg_u64(call, 4), key, base + search->low * size, 0, 2);
  if (!append) return ret_u64(call, 0);
  uint64_t place_of_new = base + search->high * size;
  if (!libc_move(call, place_of_new, key, size) ||
      !libc_put_u64(call, arg_u64(call, 2), search->high + 1))
    return NATIVE_STOP;
  return ret_u64(call, place_of_new);
}

static NativeStatus native_lfind(NativeCall *call) {
  return linear_search(call, false);
}
static NativeStatus native_lsearch(NativeCall *call) {
  return linear_search(call, true);
}

static const Native natives[] = {
    {"bsearch", native_bsearch, 5}, {"lfind", native_lfind, 5},
    {"lsearch", native_lsearch, 5}, {"qsort", native_qsort, 4},
    {"qsort_r", native_qsort_r, 5},
};
NATIVE_TABLE(sort, natives);
