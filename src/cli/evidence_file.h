/* The file that --evidence of heddle check writes and heddle verify reads: how to load the
 * program again, and certificates (docs/certificate.md). */
#ifndef HEDDLE_CLI_EVIDENCE_FILE_H
#define HEDDLE_CLI_EVIDENCE_FILE_H

#include "cli/cli.h"

#include "base/arena.h"

typedef struct {
  const char *text;
  size_t length;
} EvidenceItem;

typedef struct {
  SourceOptions source; /* texts in the arena; free the lists */
  VEC(EvidenceItem) items;
} EvidenceFile;

/* `certificates` has a line "certificate BYTES" before each text. */
bool evidence_file_print(const SourceOptions *source, const OptStrings *more_flags,
                         const Str *certificates, Str *out, Err *err);
/* False after filling `err`. `text` must outlive the result. */
bool evidence_file_read(const char *path, const Str *text, Arena *arena,
                        EvidenceFile *ret_file, Err *err);
void evidence_file_free(EvidenceFile *file);

#endif
