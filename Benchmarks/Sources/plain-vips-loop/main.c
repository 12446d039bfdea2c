// plain-vips-loop THREADS OUT FILE…: a 256-pixel WebP of each file, with nothing around libvips that is not needed for that.
// One process, libvips itself single-threaded, a queue of files worked off by that many threads.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static const char *out;
static char **files;
static int count;
static atomic_int next, failures;

static int thumbnail(const char *path, int index) {
  const char *slash = strrchr(path, '/');
  char target[4096];
  // The number keeps apart files of one name in several folders.
  snprintf(target, sizeof target, "%s/%d-%s.webp", out, index, slash ? slash + 1 : path);
  VipsImage *image = NULL;
  if (vips_thumbnail(path, &image, 256, "height", 256, NULL)) return -1;
  int result = vips_webpsave(image, target, "Q", 79, "strip", TRUE, NULL);
  g_object_unref(image);
  return result;
}

static void *work(void *unused) {
  int index;
  while ((index = atomic_fetch_add(&next, 1)) < count)
    if (thumbnail(files[index], index)) atomic_fetch_add(&failures, 1);
  vips_thread_shutdown();
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 4 || VIPS_INIT(argv[0])) return 64;
  int threads = atoi(argv[1]);
  out = argv[2];
  files = argv + 3;
  count = argc - 3;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  pthread_t *handles = calloc((size_t)threads, sizeof *handles);
  if (!handles) return 70;
  for (int i = 0; i < threads; i++)
    if (pthread_create(&handles[i], NULL, work, NULL)) return 70;
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  free(handles);
  if (failures) fprintf(stderr, "%d failed: %s", (int)failures, vips_error_buffer());
  return failures ? 1 : 0;
}
