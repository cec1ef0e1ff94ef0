/* Leaves out of a run what the user does not want to hear of (sift.h). A deadlock that stopped
 * the recorded program is always told. */
#include "cli/run_report.h"

void run_sift(RunReport *r, Sift *sift, Predictions *all) {
  CheckResult told;
  r->predictions = all;
  run_tell(r, &told);
  uint32_t first = run_recorded_deadlock(r), count = told.findings.len - first, next = 0,
           kept = 0;
  Sifted *answers = mem_alloc_zero((count + 1) * sizeof *answers);
  sift_findings(sift, told.findings.data + first, count, answers);
  for (uint32_t i = 0; i < all->predictions.len; i++) {
    Prediction *x = &all->predictions.data[i];
    Sifted answer = x->state == PREDICT_DROPPED ? SIFT_NONE : answers[next++];
    r->left_out[answer]++;
    if (answer != SIFT_NONE)
      prediction_free(x);
    else
      all->predictions.data[kept++] = *x;
  }
  all->predictions.len = kept;
  mem_free(answers);
  result_free(&told);
}
