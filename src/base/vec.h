/* Typed growable arrays.
 *
 *   VEC(int) numbers = {0};            a type and its empty value
 *   vec_push(&numbers, 7);
 *   for (uint32_t i = 0; i < numbers.len; i++) use(numbers.data[i]);
 *   vec_free(&numbers);
 *
 * A vector owns its `data`. Two uses of VEC(T) are two types: give the type a name (typedef
 * VEC(int) IntVec;) when vectors travel between functions. */
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H

#include "base/mem.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VEC(T)                                                                           \
  struct {                                                                               \
    T *data;                                                                             \
    uint32_t len, cap;                                                                   \
  }

/* Makes room for `extra` more elements. */
#define vec_reserve(v, extra)                                                            \
  vec_grow_((void **)&(v)->data, &(v)->cap, (v)->len, (extra), sizeof *(v)->data)

#define vec_push(v, ...)                                                                 \
  (vec_reserve((v), 1), (void)((v)->data[(v)->len++] = (__VA_ARGS__)))

/* Appends `n` zeroed elements and yields the address of the first. */
#define vec_extend(v, n)                                                                 \
  (vec_reserve((v), (n)), memset((v)->data + (v)->len, 0, (n) * sizeof *(v)->data),      \
   (v)->len += (uint32_t)(n), (v)->data + ((v)->len - (uint32_t)(n)))

#define vec_pop(v)   (assert((v)->len > 0), (v)->data[--(v)->len])
#define vec_last(v)  (assert((v)->len > 0), &(v)->data[(v)->len - 1])
#define vec_at(v, i) (assert((i) < (v)->len), &(v)->data[i])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_free(v)  (mem_free((v)->data), (v)->data = NULL, (v)->len = 0, (v)->cap = 0)

void vec_grow_(void **data, uint32_t *cap, uint32_t len, size_t extra, size_t size);

#endif
