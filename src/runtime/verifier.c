/* Functions that verification tasks declare and nobody defines (rules/verifier.rules), for
 * programs that follow a guide: unknown values are those of the guide, an assumption that
 * does not hold ends the replay, an error is where the caller is. Atomic sections need
 * nothing: the guide keeps them together.
 *
 * Every name comes twice: heddle_NAME is for programs that define NAME themselves, where
 * the linker puts it in its place; NAME is for those that do not. A value in the register
 * of integers serves every type that travels there. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint64_t __heddle_value(void);
void __heddle_failed(uintptr_t pc);
void __heddle_refuse(uintptr_t pc);

#define CALLER      ((uintptr_t)__builtin_return_address(0))
#define ALIAS(name) __attribute__((weak, alias("heddle_" #name)))

#define INTEGER(name)                                                                    \
  uint64_t heddle_##name(void);                                                          \
  uint64_t heddle_##name(void) {                                                         \
    return __heddle_value();                                                             \
  }                                                                                      \
  ALIAS(name) uint64_t name(void);

#define NUMBER(name, type, bits)                                                         \
  type heddle_##name(void);                                                              \
  type heddle_##name(void) {                                                             \
    bits raw = (bits)__heddle_value();                                                   \
    type value;                                                                          \
    memcpy(&value, &raw, sizeof value);                                                  \
    return value;                                                                        \
  }                                                                                      \
  ALIAS(name) type name(void);

#define NONDET(prefix)                                                                   \
  INTEGER(prefix##bool)                                                                  \
  INTEGER(prefix##_Bool)                                                                 \
  INTEGER(prefix##char)                                                                  \
  INTEGER(prefix##schar)                                                                 \
  INTEGER(prefix##uchar)                                                                 \
  INTEGER(prefix##unsigned_char)                                                         \
  INTEGER(prefix##short)                                                                 \
  INTEGER(prefix##ushort)                                                                \
  INTEGER(prefix##int)                                                                   \
  INTEGER(prefix##uint)                                                                  \
  INTEGER(prefix##unsigned)                                                              \
  INTEGER(prefix##unsigned_int)                                                          \
  INTEGER(prefix##long)                                                                  \
  INTEGER(prefix##ulong)                                                                 \
  INTEGER(prefix##longlong)                                                              \
  INTEGER(prefix##ulonglong)                                                             \
  INTEGER(prefix##size_t)                                                                \
  INTEGER(prefix##ssize_t)                                                               \
  INTEGER(prefix##loff_t)                                                                \
  INTEGER(prefix##sector_t)                                                              \
  INTEGER(prefix##pthread_t)                                                             \
  INTEGER(prefix##u8)                                                                    \
  INTEGER(prefix##u16)                                                                   \
  INTEGER(prefix##u32)                                                                   \
  INTEGER(prefix##u64)                                                                   \
  INTEGER(prefix##pointer)                                                               \
  INTEGER(prefix##pchar)                                                                 \
  INTEGER(prefix##charp)                                                                 \
  NUMBER(prefix##float, float, uint32_t)                                                 \
  NUMBER(prefix##double, double, uint64_t)

NONDET(__VERIFIER_nondet_)
NONDET(nondet_)

/* As the model gives them: numbers of eight bytes, the last one may have fewer. */
void heddle___VERIFIER_nondet_memory(void *to, size_t size);
void heddle___VERIFIER_nondet_memory(void *to, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = __heddle_value();
    memcpy((char *)to + at, &word, size - at < sizeof word ? size - at : sizeof word);
  }
}
ALIAS(__VERIFIER_nondet_memory) void __VERIFIER_nondet_memory(void *to, size_t size);

void heddle___VERIFIER_assume(int condition);
void heddle___VERIFIER_assume(int condition) {
  if (!condition) __heddle_refuse(CALLER);
}
ALIAS(__VERIFIER_assume) void __VERIFIER_assume(int condition);

void heddle___VERIFIER_assert(int condition);
void heddle___VERIFIER_assert(int condition) {
  if (!condition) __heddle_failed(CALLER);
}
ALIAS(__VERIFIER_assert) void __VERIFIER_assert(int condition);

#define ERROR(name)                                                                      \
  void heddle_##name(void);                                                              \
  void heddle_##name(void) {                                                             \
    __heddle_failed(CALLER);                                                             \
  }                                                                                      \
  ALIAS(name) void name(void);
ERROR(__VERIFIER_error)
ERROR(reach_error)

#define NOTHING(name)                                                                    \
  void heddle_##name(void);                                                              \
  void heddle_##name(void) {}                                                            \
  ALIAS(name) void name(void);
NOTHING(__VERIFIER_atomic_begin)
NOTHING(__VERIFIER_atomic_end)
