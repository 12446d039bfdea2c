// What happens to a system call that the filter traps.
#ifndef MEDIATOOL_TRAPPED_H
#define MEDIATOOL_TRAPPED_H

// From now on a trapped newfstatat about an open descriptor is answered by fstat, and any other with EPERM; 0 or -1.
int mediatool_answer_fstat(void);

#endif
