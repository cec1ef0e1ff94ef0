/* A crew of threads that do the same work together, again and again.
 *
 * The threads begin when the crew is first asked to work and wait in between; the caller
 * is worker 0. Where no further thread can be started, the crew is smaller. */
#ifndef HEDDLE_CSP_CREW_H
#define HEDDLE_CSP_CREW_H

#include <stdint.h>

typedef struct CspCrew CspCrew;

typedef void CspCrewWork(void *user, uint32_t worker);

CspCrew *csp_crew_new(uint32_t workers); /* at least 1 */
void csp_crew_free(CspCrew *crew);       /* accepts NULL */

/* Calls `work` for worker 0, and at the same time for the others that find the time, at
 * most once each; returns when all have returned. So the work must be such that the
 * workers take pieces of it until nothing is left. */
void csp_crew_run(CspCrew *crew, CspCrewWork *work, void *user);

#endif
