/* The clock that deadlines are measured by: seconds since some moment, never set back. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

double clock_now(void);

#endif
