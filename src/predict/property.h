/* Properties of the user: assertions of a CSP_M file about PROGRAM, the recorded run in all
 * orders of its steps (section 6.3 of the paper).
 *
 * A counterexample of the checker becomes a schedule. It is an error of the program only
 * when the same assertion fails for the one run that the replay has seen. */
#ifndef HEDDLE_PREDICT_PROPERTY_H
#define HEDDLE_PREDICT_PROPERTY_H

#include "predict/predict.h"

/* Checks every assertion and tries what fails in the program. Appends predictions. False
 * after filling `err`. */
bool property_predict(const Run *run, const PredictOptions *options, Predictions *ret,
                      Err *err);

/* Whether the schedule's assertion fails for what a replay of it saw. `why` (or NULL)
 * gets the sentence of the checker. */
bool property_judge(const Schedule *schedule, const Control *seen, bool *ret_fails,
                    Str *why, Err *err);

#endif
