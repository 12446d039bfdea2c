// The allocator of a worker: glibc's own, which reports failed allocations. For programs only, never for a library, because it replaces
// malloc and related functions in the whole process.
#ifndef MEDIATOOL_ALLOCATION_NOTES_H
#define MEDIATOOL_ALLOCATION_NOTES_H

// Refers to the allocator, so that it is linked.
void mediatool_note_allocations(void);

#endif
