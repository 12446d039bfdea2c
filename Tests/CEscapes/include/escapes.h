// What a worker that a file has taken over would try. For tests.
#ifndef ESCAPES_H
#define ESCAPES_H

#pragma clang assume_nonnull begin

enum { ESCAPE_COUNT_LIMIT = 128 };

// How many there are.
int escape_count(void);
// What an attempt is called.
const char *escape_name(int index);
// Tries it. 0 when it worked, else the errno that stopped it.
int escape_try(int index, int job_descriptor, int parent);

// Makes a system call in the words of another machine (32 bit, where there is one), for which the kernel ends the process.
void escape_in_other_words(void);
// Leaves another process so many bytes of address space beyond what it has. 0 or an errno.
int escape_squeeze(int process, long long bytes);

#pragma clang assume_nonnull end
#endif
