/* What a modular proof relies on, and its certificate (docs/certificate.md). */
#ifndef HEDDLE_ENGINE_CIRC_HORN_CERTIFY_H
#define HEDDLE_ENGINE_CIRC_HORN_CERTIFY_H

#include "engine/circ/certify.h"
#include "engine/circ/horn.h"

/* By ObjectId: must be free of races, because the needed part of the invariant is about its value, or a
 * block accesses it beside others. */
void horn_find_relied(const Horn *horn, uint8_t *ret_objects);
/* Appends the certificate. False: it cannot be written down, and `out` is as it was. */
bool horn_certify(const Horn *horn, const CircProof *proof, Str *out);

#endif
