/* See pack.h. A trace is written through mappings, in blocks with room to spare, because
 * whatever ends the program must find it complete. What is kept afterwards need not have
 * that form: each block is packed on its own, in the order of the file, so that a reader
 * needs one block at a time, and a file that was cut off is good up to its last whole
 * block.
 *
 * Nobody should wait for it after a short run: zstd's fastest level reads several hundred
 * megabytes a second, and where accesses jump about so much that it does not make a block
 * a third as large, the next ones are taken as they are, up to some distance. */
#include "trace/pack.h"

#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/temp.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { LEVEL = 1, WORTH = 3, MOST_PASSED = 7 };

typedef struct {
  ZSTD_CCtx *context;
  uint8_t *room;
  size_t room_size;
  unsigned passed; /* blocks still to take as they are */
  TraceSink sink;
  void *data;
} Packer;

/* ---- packing ---------------------------------------------------------------------- */

static bool pack_block(Packer *p, TraceBlock *block, const uint8_t *events) {
  bool pays = false;
  size_t n = 0;
  if (p->passed) {
    p->passed--;
  } else {
    n = ZSTD_compressCCtx(p->context, p->room, p->room_size, events, block->used, LEVEL);
    pays = !ZSTD_isError(n) && n < block->used;
    if (block->used >= TRACE_UNIT && (!pays || n > block->used / WORTH))
      p->passed = MOST_PASSED;
  }
  block->magic = TRACE_PACKED_MAGIC;
  block->packed = pays ? (uint32_t)n : block->used;
  return p->sink(p->data, block, sizeof *block) &&
         p->sink(p->data, pays ? p->room : events, block->packed);
}

/* Those with this magic, in the order of the file. */
static bool pack_blocks(Packer *p, const uint8_t *at, size_t size, uint32_t magic) {
  bool ok = true;
  for (size_t offset = TRACE_UNIT; ok && offset + sizeof(TraceBlock) <= size;) {
    TraceBlock block;
    memcpy(&block, at + offset, sizeof block);
    size_t step = TRACE_UNIT;
    bool wanted = block.magic == magic;
    if (block.magic == TRACE_BLOCK_MAGIC || block.magic == TRACE_OPEN_MAGIC) {
      step = block.size;
      ok = step >= TRACE_UNIT && step <= TRACE_LARGEST_BLOCK && step <= size - offset &&
           block.used <= step - sizeof block &&
           (!wanted || pack_block(p, &block, at + offset + sizeof block));
    }
    offset += step;
  }
  return ok;
}

bool trace_pack_bytes(const void *bytes, size_t size, TraceSink sink, void *data) {
  const uint8_t *at = bytes;
  union {
    TraceHeader header;
    uint8_t page[TRACE_PAGE];
  } head = {0};
  if (size < TRACE_PAGE) return false;
  memcpy(&head.header, at, sizeof head.header);
  if (memcmp(head.header.magic, TRACE_MAGIC, 8) != 0 ||
      head.header.version < TRACE_OLDEST_VERSION || head.header.version > TRACE_VERSION ||
      head.header.state & TRACE_PACKED)
    return false;
  head.header.state |= TRACE_PACKED;
  Packer p = {.context = ZSTD_createCCtx(), .sink = sink, .data = data};
  p.room_size = ZSTD_compressBound(TRACE_LARGEST_BLOCK);
  p.room = mem_alloc(p.room_size);
  bool ok = p.context && sink(data, head.page, sizeof head.page);
  ok = ok && pack_blocks(&p, at, size, TRACE_BLOCK_MAGIC) &&
       pack_blocks(&p, at, size, TRACE_OPEN_MAGIC);
  mem_free(p.room);
  ZSTD_freeCCtx(p.context);
  return ok;
}

/* ---- the file --------------------------------------------------------------------- */

static bool to_file(void *data, const void *bytes, size_t size) {
  return proc_write_all(*(int *)data, bytes, size);
}

/* A second file beside the first, which then takes its name: whoever looks finds the one
 * or the other. */
static bool pack_file(const char *path) {
  struct stat info;
  const void *bytes;
  size_t size;
  bool ok = false;
  int in = open(path, O_RDONLY | O_CLOEXEC);
  char *fresh = str_printf("%s.%ld.packing", path, (long)getpid());
  if (in >= 0 && fstat(in, &info) == 0 && S_ISREG(info.st_mode) &&
      proc_map_fd(in, &bytes, &size)) {
    temp_register(fresh);
    int out = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, info.st_mode & 0777);
    if (out >= 0) {
      ok = trace_pack_bytes(bytes, size, to_file, &out);
      ok = close(out) == 0 && ok && rename(fresh, path) == 0;
      if (!ok) unlink(fresh);
    }
    temp_forget(fresh);
    proc_unmap(bytes, size);
  }
  if (in >= 0) close(in);
  mem_free(fresh);
  return ok;
}

bool trace_pack(const char *path) {
  char *real = realpath(path, NULL); /* a link stays one */
  bool ok = real && pack_file(real);
  free(real);
  return ok;
}

/* ---- unpacking -------------------------------------------------------------------- */

bool trace_unpack(const TraceBlock *block, const void *packed, void *room) {
  if (block->packed == block->used) {
    memcpy(room, packed, block->used);
    return true;
  }
  size_t n = ZSTD_decompress(room, TRACE_LARGEST_BLOCK, packed, block->packed);
  return !ZSTD_isError(n) && n == block->used;
}
