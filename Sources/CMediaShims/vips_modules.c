#define _GNU_SOURCE
#include <dlfcn.h>
#include <gmodule.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mediatool_vips.h"

// From libraries that libvips depends on if it supports SVG; weak, because it may not.
extern int FcInit(void) __attribute__((weak));
extern GSList *gdk_pixbuf_get_formats(void) __attribute__((weak));
extern char *gdk_pixbuf_format_get_name(void *format) __attribute__((weak));
extern GObject *gdk_pixbuf_loader_new_with_type(const char *name, GError **error) __attribute__((weak));
extern int gdk_pixbuf_loader_close(GObject *loader, GError **error) __attribute__((weak));
extern char *g_content_type_guess(const char *name, const unsigned char *data, gsize size, gboolean *uncertain)
  __attribute__((weak));

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
  Dl_info library;
  if (!dladdr((void *)vips_init, &library) || !library.dli_fname) return;
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

// librsvg renders embedded images with GdkPixbuf, which has one module per format.
static void open_pixbuf_modules(void) {
  if (!gdk_pixbuf_get_formats || !gdk_pixbuf_format_get_name || !gdk_pixbuf_loader_new_with_type ||
      !gdk_pixbuf_loader_close)
    return;
  GSList *formats = gdk_pixbuf_get_formats();
  for (GSList *format = formats; format; format = format->next) {
    char *name = gdk_pixbuf_format_get_name(format->data);
    GObject *loader = gdk_pixbuf_loader_new_with_type(name, NULL);
    // This fails, because it was given no image.
    if (loader) gdk_pixbuf_loader_close(loader, NULL);
    g_clear_object(&loader);
    g_free(name);
  }
  g_slist_free(formats);
}

void mediatool_prepare_drawing(void) {
  if (FcInit) FcInit();
  open_pixbuf_modules();
  // Reads the MIME database of the system.
  if (g_content_type_guess) g_free(g_content_type_guess(NULL, (const unsigned char *)"GIF8", 4, NULL));
}
