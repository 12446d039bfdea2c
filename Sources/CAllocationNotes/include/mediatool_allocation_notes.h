// The allocator of a worker: glibc's own, that says when it has no more. For programs only, never for a library: it takes the place of
// malloc and its like in the whole process.
#ifndef MEDIATOOL_ALLOCATION_NOTES_H
#define MEDIATOOL_ALLOCATION_NOTES_H

// Refers to the allocator, so that it is linked.
void mediatool_note_allocations(void);

#endif
