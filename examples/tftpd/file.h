/* The files that are served: names from the network made into paths below the root,
 * contents cut into blocks, and netascii made from text and back.
 *
 * A File belongs to one transfer. Files that come in grow under a temporary name and get
 * their own when they are complete; so nobody ever sees half a file, and of two uploads
 * of the same name at the same time the one that ends last wins as a whole. */
#ifndef TFTPD_FILE_H
#define TFTPD_FILE_H

#include "packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FILE_PATH = 1024, FILE_NOTHING_PENDING = -1 };

/* What went wrong, in the words of the protocol. */
typedef struct {
  ErrorCode code;
  const char *text;
} Failure;

typedef struct {
  FILE *stream;
  Mode mode;
  uint64_t size;             /* on disk, when it was opened for reading */
  int pending;               /* reading netascii: the second byte of a pair, or nothing */
  bool after_return;         /* writing netascii: the last byte was a carriage return */
  char path[FILE_PATH];      /* its own name */
  char part[FILE_PATH + 24]; /* the temporary one; empty when it is read */
} File;

bool file_open(File *ret, const char *root, const char *name, Mode mode,
               Failure *failure);

/* `number` is that of the request: it makes the temporary name unique. */
bool file_create(File *ret, const char *root, const char *name, Mode mode, bool overwrite,
                 unsigned number, Failure *failure);

/* Fills a block; it is shorter than `room` only at the end of the file. */
bool file_read_block(File *file, uint8_t *to, size_t room, size_t *ret_length,
                     Failure *failure);

bool file_write_block(File *file, const uint8_t *from, size_t length, Failure *failure);

/* Gives a file that came in its name. */
bool file_complete(File *file, Failure *failure);

/* Closes the file, and removes it if it came in and is not complete. */
void file_close(File *file);

#endif
