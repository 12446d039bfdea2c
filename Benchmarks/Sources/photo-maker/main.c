// photo-maker OUT COUNT VARIANTS WIDTH HEIGHT: JPEG files that weigh and decode like a camera's, with EXIF and an EXIF thumbnail.
// COUNT files of VARIANTS different images; files of one image differ in their date. The same arguments give the same files.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

// Where every file's date stands before it is set: 19 characters, three times in the EXIF block.
static const char placeholder_date[] = "2024:01:01 00:00:00";

// Adds octaves of Perlin noise, each half as strong and a quarter as coarse: hills, clouds, leaves.
static VipsImage *fractal(VipsObject *scope, int width, int height, int seed) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 16);
  VipsImage *sum = NULL;
  double strength = 1;
  for (int octave = 0, cell = 512; cell >= 8; octave += 1, cell /= 4, strength /= 2) {
    VipsImage **step = t + 3 * octave;
    if (vips_perlin(&step[0], width, height, "cell_size", cell, "seed", seed + octave, NULL) ||
        vips_linear1(step[0], &step[1], strength, 0, NULL))
      return NULL;
    if (sum && vips_add(sum, step[1], &step[2], NULL)) return NULL;
    sum = sum ? step[2] : step[1];
  }
  return sum;
}

// One large image that all photos are cut out of, and the grain of a sensor, both in memory.
static int prepare(int width, int height, VipsImage **scene, VipsImage **grain) {
  VipsObject *scope = VIPS_OBJECT(vips_image_new());
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 8);
  VipsImage *light = fractal(scope, width, height, 1), *hue = fractal(scope, width, height, 100);
  double red[] = {105, 100, 80}, tint[] = {35, 0, -45}, base[] = {0, 0, 0}, middle[] = {120, 125, 120};
  int failed = !light || !hue || vips_linear(light, &t[0], red, middle, 3, NULL) ||
               vips_linear(hue, &t[1], tint, base, 3, NULL) || vips_add(t[0], t[1], &t[2], NULL) ||
               vips_cast(t[2], &t[3], VIPS_FORMAT_UCHAR, NULL) ||
               vips_gaussnoise(&t[4], width, height, "sigma", 11.0, "mean", 0.0, "seed", 7, NULL) ||
               vips_cast(t[4], &t[5], VIPS_FORMAT_CHAR, NULL) || !(*scene = vips_image_copy_memory(t[3])) ||
               !(*grain = vips_image_copy_memory(t[5]));
  g_object_unref(scope);
  return failed ? -1 : 0;
}

static void describe(VipsImage *image, int variant) {
  char text[64];
  vips_image_set_string(image, "exif-ifd0-Make", "Kestrel");
  vips_image_set_string(image, "exif-ifd0-Model", "Kestrel 7");
  vips_image_set_string(image, "exif-ifd0-Software", "7.4.1");
  vips_image_set_string(image, "exif-ifd0-DateTime", placeholder_date);
  vips_image_set_string(image, "exif-ifd2-DateTimeOriginal", placeholder_date);
  vips_image_set_string(image, "exif-ifd2-DateTimeDigitized", placeholder_date);
  vips_image_set_string(image, "exif-ifd2-ExposureTime", "1/250");
  vips_image_set_string(image, "exif-ifd2-FNumber", "18/10");
  vips_image_set_string(image, "exif-ifd2-ISOSpeedRatings", "64");
  vips_image_set_string(image, "exif-ifd2-FocalLength", "57/10");
  vips_image_set_string(image, "exif-ifd2-LensModel", "Kestrel 7 back camera 5.7mm f/1.8");
  vips_image_set_string(image, "exif-ifd3-GPSLatitudeRef", "N");
  snprintf(text, sizeof text, "46/1 %d/1 123/10", variant % 60);
  vips_image_set_string(image, "exif-ifd3-GPSLatitude", text);
  vips_image_set_string(image, "exif-ifd3-GPSLongitudeRef", "E");
  vips_image_set_string(image, "exif-ifd3-GPSLongitude", "7/1 53/1 301/10");
}

// One photo as JPEG bytes: a cutting of the scene, flipped and lit in its own way, with its own grain.
static int photo(VipsImage *scene, VipsImage *grain, int width, int height, int variant, void **bytes, size_t *length) {
  VipsObject *scope = VIPS_OBJECT(vips_image_new());
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 8);
  int spare_x = scene->Xsize - width, spare_y = scene->Ysize - height;
  unsigned random = (unsigned)variant * 2654435761u;
  int left = (int)((random >> 8) % (unsigned)spare_x), top = (int)((random >> 4) % (unsigned)spare_y);
  double gain[] = {0.8 + variant % 5 * 0.1, 0.8 + variant % 7 * 0.07, 0.8 + variant % 3 * 0.15};
  double lift[] = {variant % 11 * 2.0, variant % 13 * 1.5, variant % 17};
  void *thumbnail = NULL;
  size_t thumbnail_length = 0;
  int failed = vips_extract_area(scene, &t[0], left, top, width, height, NULL) ||
               vips_flip(t[0], &t[1], variant % 2 ? VIPS_DIRECTION_HORIZONTAL : VIPS_DIRECTION_VERTICAL, NULL) ||
               vips_linear(t[1], &t[2], gain, lift, 3, NULL) ||
               vips_extract_area(grain, &t[3], spare_x - left, spare_y - top, width, height, NULL) ||
               vips_add(t[2], t[3], &t[4], NULL) || vips_cast(t[4], &t[5], VIPS_FORMAT_UCHAR, NULL) ||
               vips_copy(t[5], &t[6], "interpretation", VIPS_INTERPRETATION_sRGB, NULL) ||
               !(t[7] = vips_image_copy_memory(t[6]));
  VipsImage *small = NULL;
  failed = failed || vips_thumbnail_image(t[7], &small, 160, "height", 160, NULL) ||
           vips_jpegsave_buffer(small, &thumbnail, &thumbnail_length, "Q", 75, "strip", TRUE, NULL);
  if (small) g_object_unref(small);
  if (!failed) {
    vips_image_set_blob(t[7], "jpeg-thumbnail-data", (VipsCallbackFn)vips_area_free_cb, thumbnail, thumbnail_length);
    describe(t[7], variant);
    failed = vips_jpegsave_buffer(t[7], bytes, length, "Q", 92, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON, NULL);
  }
  g_object_unref(scope);
  return failed ? -1 : 0;
}

// Writes a date of its own, of the same length, over every placeholder in the EXIF block.
static void set_date(char *bytes, size_t length, int number) {
  char date[sizeof placeholder_date];
  snprintf(date, sizeof date, "20%02d:%02d:%02d %02d:%02d:%02d", 10 + number / 336 % 15, 1 + number / 28 % 12, 1 + number % 28,
           number % 24, number % 60, number * 7 % 60);
  size_t end = length < 65536 ? length : 65536;
  for (size_t at = 0; at + sizeof placeholder_date < end; at++)
    if (!memcmp(bytes + at, placeholder_date, sizeof placeholder_date - 1)) memcpy(bytes + at, date, sizeof date - 1);
}

int main(int argc, char **argv) {
  if (argc != 6 || VIPS_INIT(argv[0])) return 64;
  int count = atoi(argv[2]), variants = atoi(argv[3]), width = atoi(argv[4]), height = atoi(argv[5]);
  VipsImage *scene, *grain;
  if (count < 1 || variants < 1 || prepare(width * 5 / 4, height * 5 / 4, &scene, &grain)) vips_error_exit(NULL);
  for (int variant = 0; variant < variants; variant++) {
    void *bytes;
    size_t length;
    if (photo(scene, grain, width, height, variant, &bytes, &length)) vips_error_exit(NULL);
    for (int number = variant; number < count; number += variants) {
      char path[4096];
      snprintf(path, sizeof path, "%s/IMG_%04d.jpg", argv[1], number);
      // A date of its own in every file; the placeholder comes back for the next one.
      char *copy = g_memdup2(bytes, length);
      set_date(copy, length, number);
      if (!g_file_set_contents(path, copy, (gssize)length, NULL)) return 70;
      g_free(copy);
    }
    g_free(bytes);
  }
  return 0;
}
