/* What is single: an object of which a run has only one, and a place in it that is no element
 * of an array. Only such a place is one and the same wherever its address comes from, as far
 * as points-to tells, which takes all elements of an array and all instances of an object
 * together. */
#ifndef HEDDLE_ANALYSIS_SINGLE_H
#define HEDDLE_ANALYSIS_SINGLE_H

#include "analysis/pointsto.h"

/* A global, state of the library, or a variable of main, which nobody calls again. */
bool single_object(const Program *program, const PointsTo *pointsto, ObjectId object);
/* The byte belongs to no array, so its folded offset is its only one. */
bool single_offset(const Program *program, ObjectId object, uint64_t offset);
/* The address is that of one single place, whenever it is computed. */
bool single_target(const Program *program, const PointsTo *pointsto, ExprId address,
                   ObjectId *ret_object, uint32_t *ret_offset);

/* How far elements are apart that an address of this place may mean (pointsto_place_step); 0 also where every
 * object that is allocated there has room for one only. */
uint32_t single_step(const Program *program, const PointsTo *pointsto, AObject object,
                     uint32_t offset);

/* The function runs at most once: main, or what one call in such a function calls that is on no
 * cycle. Where functions return a second time (FUNCTION_RETURNS_TWICE) that says nothing. */
bool single_function(const Program *program, const PointsTo *pointsto, FuncId function);
/* … and so does the edge. */
bool single_edge(const Program *program, const PointsTo *pointsto, EdgeId edge);
/* An activation of its function runs the edge at most once: what it makes there has one instance. */
bool single_in_activation(const Program *program, EdgeId edge);

#endif
