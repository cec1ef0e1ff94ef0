/* The certificate of a lock set proof: what flow found, as plain data. */
#ifndef HEDDLE_ENGINE_LOCKSET_CERTIFY_H
#define HEDDLE_ENGINE_LOCKSET_CERTIFY_H

#include "analysis/flow.h"
#include "verdict/certificate.h"

/* Of a complete flow. Free with certificate_free. */
void lockset_certify(const Flow *flow, Certificate *ret_certificate);

#endif
