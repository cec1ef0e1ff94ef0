/* Chased rules of a machine: internal steps that are taken at once. See machine_chase.c.
 */
#ifndef HEDDLE_CSP_MACHINE_CHASE_H
#define HEDDLE_CSP_MACHINE_CHASE_H

#include "csp/machine.h"

/* Makes m->chase when rules of the machine are chased; called by csp_machine_finish. */
void csp_chase_finish(CspMachine *m);
void csp_chase_free(CspChase *chase); /* accepts NULL */

/* What a thread needs to settle states. */
CspChaser *csp_chaser_new(const CspMachine *m);
void csp_chaser_free(CspChaser *chaser); /* accepts NULL */
/* Follows chased rules from a state that `rule` led to from a settled one; UINT32_MAX:
 * from any state. What was followed is appended to `taken` (or NULL). */
void csp_chase_settle(CspChaser *chaser, uint64_t *state, uint32_t rule,
                      CspRuleVec *taken);
/* What is followed from the first state of the machine. */
void csp_chase_start(const CspMachine *m, CspRuleVec *taken);

#endif
