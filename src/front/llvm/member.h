/* Members of variables, by the names that the debug information has: where `.head`, `[3].next` or
 * `[].next` lies in a global variable. */
#ifndef HEDDLE_FRONT_LLVM_MEMBER_H
#define HEDDLE_FRONT_LLVM_MEMBER_H

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes of a variable: those from `offset` on, and with a stride the same of every element. */
typedef struct {
  uint64_t offset, size;
  uint64_t stride;     /* 0: there is one */
  uint64_t begin, end; /* with a stride: where the array lies */
} Member;

/* False when the variable has no such member, or nothing is known of its type. At most one
 * pair of brackets may be empty. */
bool member_find(LLVMContextRef context, LLVMValueRef global, const char *path,
                 Member *ret);

/* How far a pointer lies behind the variable that it leads into; false when that is only known
 * when the program runs. */
bool member_offset(LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t *ret);

/* Whether an access of `size` bytes there may touch the member. */
bool member_touches(const Member *member, uint64_t offset, uint64_t size);

#endif
