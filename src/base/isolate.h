/* Cutting the calling process off from what it does not need, before it becomes a program
 * that is only to be watched. */
#ifndef HEDDLE_BASE_ISOLATE_H
#define HEDDLE_BASE_ISOLATE_H

/* No network, no changes in the file system but in `folder`, no core file, no large files,
 * no new processes, no signals to others, no new rights. What the system does not offer, or refuses, is left as it is. Makes only
 * system calls, so that a forked child may call it; the process must have one thread and
 * share its memory with no other. */
void isolate_self(const char *folder);

#endif
