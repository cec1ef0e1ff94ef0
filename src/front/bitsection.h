/* What `heddle cc` leaves in the files it makes: the section `.heddle.bc`.
 *
 * The section is a row of records. Linkers lay the sections of their inputs one after the
 * other, so a program holds the records of all its objects, in link order; `ar` and
 * `ld -r` keep them too. A record says of one source file how it was compiled and holds
 * its bitcode, or the reason why there is none. A link record says where libraries were
 * looked for.
 *
 * Layout of a record, numbers with the least significant byte first:
 *   0  8  "HEDDLEBC"
 *   8  4  version (1)
 *  12  4  kind (BitRecordKind)
 *  16  8  size of the whole record, a multiple of 8
 *  24  4+4+4+4  lengths of source, directory, arguments, reason
 *  40  8  stored size of the bitcode
 *  48  8  size of the bitcode itself; the stored bytes are zstd when the two differ
 *  56  8  XXH3 of everything from offset 64 to the end of the record
 *  64  source, directory, arguments (each ended by NUL), reason, bitcode, NUL padding
 * NUL bytes between records are skipped, as a linker may align its inputs. */
#ifndef HEDDLE_FRONT_BITSECTION_H
#define HEDDLE_FRONT_BITSECTION_H

#include "base/err.h"
#include "base/str.h"
#include "front/ccargs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITSECTION_NAME ".heddle.bc"

typedef enum {
  BIT_UNIT = 1, /* a compiled source with its bitcode */
  BIT_NONE = 2, /* a compiled source without; `reason` says why */
  BIT_LINK = 3, /* a link; the arguments are directories with libraries */
} BitRecordKind;

typedef struct {
  BitRecordKind kind;
  const char *source;    /* as named on the command line */
  const char *directory; /* of the compiler's process, absolute */
  CcWords arguments;     /* of the compile, without the compiler */
  const char *reason;
  /* Bitcode: as given when writing, still as stored when reading (see bit_bitcode). */
  const void *bytes;
  size_t size, stored;
  uint64_t hash; /* when reading: of the record's contents */
} BitRecord;

/* Appends the record's bytes. */
void bit_write(const BitRecord *record, Str *out);

/* Calls back for each record of a section's bytes, until it returns false (then this does
 * too, with `err` as the callback left it). The record and its strings die after the
 * call. Damage gives false and an error about `path`. */
typedef bool BitCall(void *user, const BitRecord *record, Err *err);
bool bit_each(const void *section, size_t size, const char *path, BitCall *call,
              void *user, Err *err);

/* The bitcode of a record that was read: fresh memory of record->size bytes (mem_free),
 * or NULL and an error about `path`. */
void *bit_bitcode(const BitRecord *record, const char *path, Err *err);

#endif
