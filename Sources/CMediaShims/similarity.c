#include "mediatool_similarity.h"

#include "vips_error.h"

// Sums over the samples of two planes: of each plane, of the squares of both, and of the products.
typedef struct {
  int64_t one, other, squares, products;
} sums;

static void add_block(sums *to, const uint8_t *one, const uint8_t *other, size_t stride, int width, int height) {
  for (int y = 0; y < height; y++, one += stride, other += stride)
    for (int x = 0; x < width; x++) {
      int a = one[x], b = other[x];
      to->one += a;
      to->other += b;
      to->squares += a * a + b * b;
      to->products += a * b;
    }
}

// The similarity of a window with n samples. All terms of the definition are multiplied by n², and variances are
// divided by n - 1.
static double of_window(sums s, double n) {
  double c1 = 0.01 * 0.01 * 255 * 255 * n * n, c2 = 0.03 * 0.03 * 255 * 255 * n * (n - 1);
  double one = (double)s.one, other = (double)s.other;
  double variances = (double)s.squares * n - one * one - other * other;
  double covariance = (double)s.products * n - one * other;
  return (2 * one * other + c1) * (2 * covariance + c2) / ((one * one + other * other + c1) * (variances + c2));
}

double mediatool_similarity(const uint8_t *one, const uint8_t *other, int width, int height) {
  size_t stride = (size_t)width;
  if (width < 8 || height < 8) {
    sums all = {0};
    add_block(&all, one, other, stride, width, height);
    // For a single sample n - 1 is 0.
    return of_window(all, VIPS_MAX(2.0, (double)width * height));
  }
  int across = width / 4, down = height / 4;
  // A window is 2 × 2 blocks of 4 × 4 samples; two rows of blocks are kept at a time.
  sums *blocks = g_try_new0(sums, (gsize)across * 2);
  if (!blocks) return -1;
  double total = 0;
  for (int y = 0; y < down; y++) {
    sums *row = blocks + (y % 2) * across, *above = blocks + ((y + 1) % 2) * across;
    for (int x = 0; x < across; x++) {
      size_t start = (size_t)y * 4 * stride + (size_t)x * 4;
      row[x] = (sums){0};
      add_block(&row[x], one + start, other + start, stride, 4, 4);
    }
    for (int x = 1; y > 0 && x < across; x++) {
      const sums *parts[4] = {&row[x - 1], &row[x], &above[x - 1], &above[x]};
      sums window = {0};
      for (int i = 0; i < 4; i++) {
        window.one += parts[i]->one;
        window.other += parts[i]->other;
        window.squares += parts[i]->squares;
        window.products += parts[i]->products;
      }
      total += of_window(window, 64);
    }
  }
  g_free(blocks);
  return total / ((double)(across - 1) * (down - 1));
}

// One or three 8-bit bands without alpha.
static int plain(VipsImage *in, VipsImage **out) {
  VipsImage *t[3] = {NULL};
  int page_height = vips_image_get_page_height(in);
  int result = vips_extract_area(in, &t[0], 0, 0, in->Xsize, page_height, NULL);
  VipsInterpretation target = in->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  if (!result) result = vips_colourspace(t[0], &t[1], target, NULL);
  if (!result && vips_image_hasalpha(t[1])) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    result = vips_flatten(t[1], &t[2], "background", white, NULL);
    vips_area_unref((VipsArea *)white);
  } else if (!result)
    result = vips_copy(t[1], &t[2], NULL);
  if (!result) result = vips_cast_uchar(t[2], out, NULL);
  for (int i = 0; i < 3; i++) VIPS_UNREF(t[i]);
  return result;
}

int mediatool_vips_luma(VipsImage *in, int width, int height, uint8_t **luma, mediatool_vips_error *error) {
  *luma = NULL;
  VipsImage *t[3] = {NULL};
  int result = plain(in, &t[0]);
  if (!result && (t[0]->Xsize != width || t[0]->Ysize != height))
    result = vips_resize(
      t[0], &t[1], width / (double)t[0]->Xsize, "vscale", height / (double)t[0]->Ysize, "kernel", VIPS_KERNEL_LINEAR, NULL);
  else if (!result)
    result = vips_copy(t[0], &t[1], NULL);
  if (!result) t[2] = vips_image_copy_memory(t[1]);
  if (!result && !t[2]) result = -1;
  if (!result && (t[2]->Xsize != width || t[2]->Ysize != height)) {
    vips_error("luma", "an image is %d x %d, expected %d x %d", t[2]->Xsize, t[2]->Ysize, width, height);
    result = -1;
  }
  size_t count = (size_t)width * (size_t)height;
  if (!result && !(*luma = g_try_malloc(count))) {
    vips_error("luma", "out of memory");
    result = -1;
  }
  if (!result) {
    const uint8_t *from = VIPS_IMAGE_ADDR(t[2], 0, 0);
    int bands = t[2]->Bands;
    for (size_t i = 0; i < count; i++, from += bands)
      (*luma)[i] = bands < 3 ? from[0] : (uint8_t)((77 * from[0] + 150 * from[1] + 29 * from[2] + 128) >> 8);
  }
  for (int i = 0; i < 3; i++) VIPS_UNREF(t[i]);
  return mediatool_vips_check(result, error);
}

int mediatool_vips_luma_of_file(
  const void *bytes, size_t length, mediatool_loader loader, int width, int height, uint8_t **luma,
  mediatool_vips_error *error) {
  *luma = NULL;
  VipsSource *source = vips_source_new_from_memory(bytes, length);
  if (!source) return mediatool_vips_check(-1, error);
  mediatool_load_options options = {.loader = loader, .shrink = 1, .scale = 1, .pages = 1, .strict = true};
  VipsImage *image = NULL;
  int result = mediatool_vips_load(source, options, &image, error);
  if (!result) result = mediatool_vips_luma(image, width, height, luma, error);
  VIPS_UNREF(image);
  g_object_unref(source);
  return result;
}
