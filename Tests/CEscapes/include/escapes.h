// What a helper that a file has taken over would try. For tests.
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

#pragma clang assume_nonnull end
#endif
