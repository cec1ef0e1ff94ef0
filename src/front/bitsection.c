/* See bitsection.h for the format. The reader trusts nothing: lengths are checked before
 * they are used, the checksum before the contents are, and the size that a compressed
 * bitcode claims is bounded before memory is taken for it. */
#include "front/bitsection.h"

#include <inttypes.h>
#include <xxhash.h>
#include <zstd.h>

enum {
  HEADER = 64,
  VERSION = 1,
  COMPRESSION = 3, /* zstd's default: half a second per gigabyte is not felt in a build */
};

/* LLVM itself cannot read larger bitcode; a claim beyond this is damage. */
static const uint64_t most_bitcode = UINT64_C(4) << 30;

static const char magic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'B', 'C'};

static uint64_t get(const unsigned char *p, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)p[i] << (8 * i);
  return value;
}

static void put(char *p, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++) p[i] = (char)(value >> (8 * i));
}

/* Compressed bitcode, or the same bytes where compression does not pay. */
static size_t add_bitcode(Str *out, const void *bytes, size_t size) {
  size_t bound = ZSTD_compressBound(size);
  char *packed = mem_alloc(bound);
  size_t n = size ? ZSTD_compress(packed, bound, bytes, size, COMPRESSION) : 0;
  bool pays = size && !ZSTD_isError(n) && n < size;
  size_t stored = pays ? n : size;
  if (stored) str_add_bytes(out, pays ? packed : bytes, stored);
  mem_free(packed);
  return stored;
}

void bit_write(const BitRecord *record, Str *out) {
  size_t start = out->len;
  const char *reason = record->reason ? record->reason : "";
  char blank[HEADER] = {0};
  str_add_bytes(out, blank, HEADER);
  str_add(out, record->source);
  str_add(out, record->directory);
  size_t before = out->len;
  for (uint32_t i = 0; i < record->arguments.len; i++)
    str_add_bytes(out, record->arguments.data[i], strlen(record->arguments.data[i]) + 1);
  size_t arguments = out->len - before;
  str_add(out, reason);
  size_t stored = add_bitcode(out, record->bytes, record->size);
  while ((out->len - start) % 8 != 0) str_add_char(out, 0);

  char *p = out->data + start;
  memcpy(p, magic, sizeof magic);
  put(p + 8, 4, VERSION);
  put(p + 12, 4, record->kind);
  put(p + 16, 8, out->len - start);
  put(p + 24, 4, strlen(record->source));
  put(p + 28, 4, strlen(record->directory));
  put(p + 32, 4, arguments);
  put(p + 36, 4, strlen(reason));
  put(p + 40, 8, stored);
  put(p + 48, 8, record->size);
  put(p + 56, 8, XXH3_64bits(p + HEADER, out->len - start - HEADER));
}

static bool damaged(const char *path, const char *what, Err *err) {
  return err_input(err, path, "build it again", "its heddle section is damaged: %s",
                   what);
}

/* Fills the record from the bytes at `p`, of which `left` are there. */
static bool parse(const unsigned char *p, size_t left, const char *path, Arena *arena,
                  BitRecord *record, size_t *ret_size, Err *err) {
  if (left < HEADER || memcmp(p, magic, sizeof magic) != 0)
    return damaged(path, "a record does not start where one should", err);
  if (get(p + 8, 4) != VERSION)
    return err_input(
        err, path, "build it again with this version of heddle",
        "its bitcode was stored by another version of heddle (format %" PRIu64
        ", not %d)",
        get(p + 8, 4), VERSION);
  uint64_t size = get(p + 16, 8);
  if (size < HEADER || size > left || size % 8 != 0)
    return damaged(path, "a record is cut off", err);
  uint64_t room = size - HEADER, lengths[5];
  for (int i = 0; i < 5; i++) {
    lengths[i] = i < 4 ? get(p + 24 + 4 * i, 4) : get(p + 40, 8);
    if (lengths[i] > room)
      return damaged(path, "the lengths of a record do not add up", err);
    room -= lengths[i];
  }
  record->hash = XXH3_64bits(p + HEADER, (size_t)size - HEADER);
  if (record->hash != get(p + 56, 8))
    return damaged(path, "a checksum does not fit", err);
  uint64_t raw = get(p + 48, 8);
  if (raw < lengths[4] || raw > most_bitcode)
    return damaged(path, "the size of a bitcode makes no sense", err);
  record->kind = (BitRecordKind)get(p + 12, 4);
  if (record->kind < BIT_UNIT || record->kind > BIT_LINK)
    return damaged(path, "a record of an unknown kind", err);

  const char *at = (const char *)p + HEADER;
  record->source = arena_strndup(arena, at, (size_t)lengths[0]);
  at += lengths[0];
  record->directory = arena_strndup(arena, at, (size_t)lengths[1]);
  at += lengths[1];
  for (size_t i = 0; i < lengths[2];) {
    const char *word = arena_strndup(arena, at + i, strnlen(at + i, lengths[2] - i));
    vec_push(&record->arguments, word);
    i += strlen(word) + 1;
  }
  at += lengths[2];
  record->reason = arena_strndup(arena, at, (size_t)lengths[3]);
  record->bytes = at + lengths[3];
  record->stored = (size_t)lengths[4];
  record->size = (size_t)raw;
  *ret_size = (size_t)size;
  return true;
}

bool bit_each(const void *section, size_t size, const char *path, BitCall *call,
              void *user, Err *err) {
  const unsigned char *p = section;
  for (size_t at = 0; at < size;) {
    if (p[at] == 0) {
      at++;
      continue;
    }
    Arena *arena = arena_new();
    BitRecord record = {0};
    size_t length = 0;
    bool ok = parse(p + at, size - at, path, arena, &record, &length, err) &&
              call(user, &record, err);
    vec_free(&record.arguments);
    arena_free(arena);
    if (!ok) return false;
    at += length;
  }
  return true;
}

void *bit_bitcode(const BitRecord *record, const char *path, Err *err) {
  if (record->stored == record->size) return mem_dup(record->bytes, record->size);
  /* The frame says its size too; without agreement no memory is taken. */
  if (ZSTD_getFrameContentSize(record->bytes, record->stored) != record->size) {
    damaged(path, "a bitcode has another size than its record says", err);
    return NULL;
  }
  char *bytes = mem_alloc(record->size);
  size_t n = ZSTD_decompress(bytes, record->size, record->bytes, record->stored);
  if (ZSTD_isError(n) || n != record->size) {
    mem_free(bytes);
    damaged(path, "a bitcode cannot be unpacked", err);
    return NULL;
  }
  return bytes;
}
