/* Proofs about all schedules as text, for the file of evidence and heddle verify.
 *
 * A certificate says to which bounds the program is unwound, and which obligations no schedule of it
 * violates. Whoever checks it collects the obligations of the program anew, unwinds it anew and asks the
 * second solver (judge.c). The format is described in docs/certificate.md. */
#ifndef HEDDLE_ENGINE_KISS_CERTIFICATE_H
#define HEDDLE_ENGINE_KISS_CERTIFICATE_H

#include "base/str.h"
#include "engine/kiss/prove.h"

/* Adds the text of the proof, which is of these obligations (KissQuestion.obligation). */
void kiss_certificate_write(const Program *program, const Obligations *obligations,
                            const KissProof *proof, const KissQuestion *questions,
                            uint32_t count, Str *out);

/* The text begins as such a certificate does. */
bool kiss_certificate_is(const char *text, size_t length);

typedef struct {
  Judgement judgement;
  const char *why;   /* unless accepted; in the arena or constant */
  const char *about; /* what it is about, in words; in the arena */
} KissCertified;

void kiss_certificate_check(const Program *program, const char *text, size_t length,
                            double deadline, Arena *arena, KissCertified *ret_result);

#endif
