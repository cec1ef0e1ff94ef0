/* What is predicted and what was seen, brought together: a race that happened in the recorded
 * run is an error whatever its replays did, and one that a replay showed needs nothing else. */
#ifndef HEDDLE_PREDICT_SETTLE_H
#define HEDDLE_PREDICT_SETTLE_H

#include "predict/predict.h"

/* Raises predictions that were observed, and adds the observed races that none of them is
 * about. `trace` is the run's. */
void settle_observed(const Observed *observed, const Trace *trace,
                     Predictions *predictions);

#endif
