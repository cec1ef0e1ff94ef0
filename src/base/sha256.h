/* SHA-256 (FIPS 180-4), by which files are named in documents that others read. */
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32, SHA256_TEXT = 65 };

void sha256(const void *bytes, size_t length, unsigned char ret[SHA256_BYTES]);
/* The same in hexadecimal digits. */
void sha256_text(const void *bytes, size_t length, char ret[SHA256_TEXT]);

#endif
