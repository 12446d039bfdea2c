// libvips and FFmpeg, loaded at the first call of one of their functions.
//
// Together they bring some 160 shared objects, and loading them is most of the start of a program. A photo needs half of them, and the facts of a
// photo need none.
#ifndef MEDIATOOL_DEFERRED_LIBRARIES_H
#define MEDIATOOL_DEFERRED_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

// From now on whatever would have to load a library ends the process with this status instead, at once and without a message.
void mediatool_exit_instead_of_loading(int status);

// From now on libraries that libvips and FFmpeg ask for and that nothing here calls (for network protocols, graphics cards, encoders) are not
// loaded: the dynamic linker is given placeholders. With `with_rare`, so are those that few files need (for SVG, text and JPEG 2000). A call of one
// ends the process as mediatool_will_load does. For a process that loads nothing else, because who loads such a library later is given the
// placeholder.
void mediatool_skip_libraries(bool with_rare);

// The name of a library that was skipped until now, or that a process with `with_rare` skips: `always` is false for the latter. NULL after the last.
const char *mediatool_skipped_library(size_t number, bool *always);

// Calls this with the path of each shared object that is loaded now.
void mediatool_list_loaded_libraries(void (*body)(const char *path, void *context), void *context);

// Calls this with what cannot be loaded and why, before the process ends for it.
void mediatool_report_load_failure(void (*report)(const char *what));

// Ends the process if nothing may be loaded any more. Call it before loading a module or what else can only be opened early.
void mediatool_will_load(void);

#endif
