/* Variable arguments: of a call itself, or through a va_list in the program's memory.
 *
 * The va_list is the one of the x86-64 ABI: the offsets of the next general and the next
 * floating register in the area where the callee saved them, that area's address, and the
 * address of the next argument on the stack. A wrong class or a missing argument would
 * read registers that hold anything: the run stops there. */
#include "model/exec/libc_format.h"

#include "model/expr.h"

enum { GP_END = 48, FP_END = 176 };

LibcArgs libc_args_plain(NativeCall *call, unsigned first) {
  return (LibcArgs){.call = call, .next = first};
}

bool libc_args_list(NativeCall *call, unsigned i, LibcArgs *ret_args) {
  struct {
    uint32_t gp_offset, fp_offset;
    uint64_t overflow, save;
  } list;
  uint64_t address = arg_u64(call, i);
  if (!exec_read(call->exec, address, &list, sizeof list)) return false;
  *ret_args = (LibcArgs){.call = call,
                         .is_list = true,
                         .list = address,
                         .gp_offset = list.gp_offset,
                         .fp_offset = list.fp_offset,
                         .overflow = list.overflow,
                         .save = list.save};
  return true;
}

bool libc_args_end(LibcArgs *args) {
  if (!args->is_list) return true;
  struct {
    uint32_t gp_offset, fp_offset;
    uint64_t overflow;
  } used = {args->gp_offset, args->fp_offset, args->overflow};
  return exec_write(args->call->exec, args->list, &used, sizeof used);
}

/* The next argument of the call must be of this sort and width at most. */
static bool take_plain(LibcArgs *args, bool want_float, bool want_wide,
                       uint32_t *ret_index) {
  NativeCall *call = args->call;
  uint32_t i = args->next;
  if (i >= call->argc) {
    exec_stop(call->exec, "the format asks for more arguments than the %u of the call",
              call->argc);
    return false;
  }
  bool is_float = call->arg_sort[i] == SORT_FLOAT;
  bool is_wide = call->arg_bits[i] > 64;
  if (is_float != want_float || is_wide != want_wide ||
      (call->arg_passing && call->arg_passing[i].byval_size)) {
    exec_stop(call->exec,
              "the format does not fit argument %u of the call: it asks for %s", i + 1,
              want_wide    ? "a long double"
              : want_float ? "a double"
                           : "an integer or pointer");
    return false;
  }
  *ret_index = i;
  args->next++;
  return true;
}

static bool take_listed(LibcArgs *args, bool in_fp, void *to, size_t size) {
  uint64_t from;
  if (size > 8) {
    args->overflow = (args->overflow + 15) & ~UINT64_C(15);
    from = args->overflow;
    args->overflow += 16;
  } else if (in_fp && args->fp_offset < FP_END) {
    from = args->save + args->fp_offset;
    args->fp_offset += 16;
  } else if (!in_fp && args->gp_offset < GP_END) {
    from = args->save + args->gp_offset;
    args->gp_offset += 8;
  } else {
    from = args->overflow;
    args->overflow += 8;
  }
  return exec_read(args->call->exec, from, to, size);
}

bool libc_args_int(LibcArgs *args, uint64_t *ret_value) {
  if (args->is_list) return take_listed(args, false, ret_value, 8);
  uint32_t i;
  if (!take_plain(args, false, false, &i)) return false;
  *ret_value = args->call->args[i];
  return true;
}

bool libc_args_double(LibcArgs *args, double *ret_value) {
  if (args->is_list) return take_listed(args, true, ret_value, 8);
  uint32_t i;
  if (!take_plain(args, true, false, &i)) return false;
  *ret_value = arg_double(args->call, i);
  return true;
}

bool libc_args_long_double(LibcArgs *args, long double *ret_value) {
  *ret_value = 0;
  if (args->is_list) return take_listed(args, true, ret_value, 10);
  uint32_t i;
  return take_plain(args, true, true, &i) && arg_long_double(args->call, i, ret_value);
}
