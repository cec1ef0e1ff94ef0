/* The bitcode that binaries carry: objects, archives, programs and shared libraries made
 * by `heddle cc`, and the shared libraries that those need. */
#ifndef HEDDLE_FRONT_CARRIED_H
#define HEDDLE_FRONT_CARRIED_H

#include "base/err.h"
#include "base/map.h"
#include "front/inputs.h"

#include <stdbool.h>
#include <stddef.h>

/* What one run has seen already. Zero-initialise; release with carried_free. */
typedef struct {
  Map records;   /* hashes of the records taken */
  StrMap files;  /* real paths of the ELF files visited */
  unsigned rank; /* of the last shared library */
} Carried;

void carried_free(Carried *carried);

/* True when the bytes are an ELF file or an archive. */
bool carried_is_binary(const void *data, size_t size);

/* Adds the units and notes of the file `path`, whose bytes are given, to `inputs`. An
 * error when it carries no bitcode at all. */
bool carried_collect(Carried *carried, const char *path, const void *data, size_t size,
                     Inputs *inputs, Err *err);

#endif
