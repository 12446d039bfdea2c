#define _GNU_SOURCE
#include <dlfcn.h>
#include <gmodule.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "deferred_libraries.h"
#include "mediatool_vips.h"

// libvips opens all of its modules when it starts, among them ImageMagick and OpenSlide, which are not allowed here:
// 25 ms, and a thousand decoders in the process. So it starts without modules, and each one is opened when it is
// needed.

int mediatool_vips_init_without_modules(void) {
  // libvips looks for its modules below the folder in VIPSHOME, and exports the variable to its child processes.
  char *before = g_strdup(getenv("VIPSHOME"));
  setenv("VIPSHOME", "/nonexistent", 1);
  int result = vips_init("mediatool");
  if (before) setenv("VIPSHOME", before, 1);
  else unsetenv("VIPSHOME");
  g_free(before);
  return result;
}

// Next to the library, for example /usr/lib/x86_64-linux-gnu/vips-modules-8.14/vips-heif.so.
static void open_module(const char *name) {
  mediatool_will_load();
  Dl_info library;
  // An address inside the library; its functions are called through CDeferredLibraries.
  if (!dladdr(vips_version_string(), &library) || !library.dli_fname) return;
  char *folder = g_path_get_dirname(library.dli_fname);
  char *path = g_strdup_printf(
    "%s/vips-modules-%d.%d/vips-%s." G_MODULE_SUFFIX, folder, VIPS_MAJOR_VERSION, VIPS_MINOR_VERSION, name);
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
  if (module) g_module_make_resident(module);
  g_free(path);
  g_free(folder);
}

// If libvips was built without modules, the loaders are in the library.
static bool is_there(const char *loader) { return vips_type_find("VipsForeignLoad", loader) != 0; }

static void open_heif(void) {
  if (!is_there("heifload")) open_module("heif");
}

static void open_jxl(void) {
  if (!is_there("jxlload")) open_module("jxl");
}

static void open_poppler(void) {
  if (!is_there("pdfload")) open_module("poppler");
}

void mediatool_vips_need(mediatool_vips_module module) {
  static pthread_once_t heif = PTHREAD_ONCE_INIT, jxl = PTHREAD_ONCE_INIT, poppler = PTHREAD_ONCE_INIT;
  switch (module) {
  case MEDIATOOL_MODULE_HEIF: pthread_once(&heif, open_heif); break;
  case MEDIATOOL_MODULE_JXL: pthread_once(&jxl, open_jxl); break;
  case MEDIATOOL_MODULE_POPPLER: pthread_once(&poppler, open_poppler); break;
  }
}

// librsvg renders embedded images with GdkPixbuf, which has one module per format. libvips brings it if it supports SVG.
static void open_pixbuf_modules(void) {
  GSList *(*formats_of)(void) = (GSList * (*)(void)) dlsym(RTLD_DEFAULT, "gdk_pixbuf_get_formats");
  char *(*name_of)(void *) = (char *(*)(void *))dlsym(RTLD_DEFAULT, "gdk_pixbuf_format_get_name");
  GObject *(*loader_of)(const char *, GError **) =
    (GObject * (*)(const char *, GError **)) dlsym(RTLD_DEFAULT, "gdk_pixbuf_loader_new_with_type");
  int (*close_loader)(GObject *, GError **) =
    (int (*)(GObject *, GError **))dlsym(RTLD_DEFAULT, "gdk_pixbuf_loader_close");
  if (!formats_of || !name_of || !loader_of || !close_loader) return;
  GSList *formats = formats_of();
  for (GSList *format = formats; format; format = format->next) {
    char *name = name_of(format->data);
    GObject *loader = loader_of(name, NULL);
    // This fails, because it was given no image.
    if (loader) close_loader(loader, NULL);
    g_clear_object(&loader);
    g_free(name);
  }
  g_slist_free(formats);
}

static bool is_drawing_prepared;

void mediatool_prepare_drawing(void) {
  mediatool_will_load();
  int (*read_fonts)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "FcInit");
  if (read_fonts) read_fonts();
  open_pixbuf_modules();
  // Reads the MIME database of the system.
  char *(*guess)(const char *, const unsigned char *, gsize, gboolean *) =
    (char *(*)(const char *, const unsigned char *, gsize, gboolean *))dlsym(RTLD_DEFAULT, "g_content_type_guess");
  if (guess) g_free(guess(NULL, (const unsigned char *)"GIF8", 4, NULL));
  is_drawing_prepared = true;
}

void mediatool_need_drawing(void) {
  if (!is_drawing_prepared) mediatool_will_load();
}
