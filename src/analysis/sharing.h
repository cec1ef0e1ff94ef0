/* Sharing: which objects more than one thread can ever reach.
 *
 * A thread gets hold of an object that it did not make itself only through memory that others
 * reach too (a global variable, or what is reachable from one), through its argument, through
 * the result of a thread that it joins, or through the library and code outside of the program.
 * Everything that no such way leads to is private: each instance of it belongs to the thread
 * that made it, and two threads that access such an object access different instances. */
#ifndef HEDDLE_ANALYSIS_SHARING_H
#define HEDDLE_ANALYSIS_SHARING_H

#include "analysis/pointsto.h"

typedef struct Sharing Sharing;

Sharing *sharing_new(const Program *program, const PointsTo *pointsto);
void sharing_free(Sharing *sharing);

/* Every instance of the object is known to one thread only. */
bool sharing_is_private(const Sharing *sharing, AObject object);

#endif
