# The smallest, the longest and the largest. Sourced by testdata/generate.

facts() { echo "{\"type\":\"$1\",\"width\":$2,\"height\":$3${4:+,$4}}"; }

# flat OUT.png WIDTH HEIGHT [BITS]: one grey value, row by row without an image in memory.
flat() { perl "$parts/flat.pl" "$@"; }

flat "$tmp/dot.png" 1 1
vips copy "$tmp/dot.png" "$tmp/dot.v"
cp "$tmp/dot.png" sizes/1x1.png
vips jpegsave "$tmp/dot.v" sizes/1x1.jpg --strip
vips gifsave "$tmp/dot.v" sizes/1x1.gif
vips webpsave "$tmp/dot.v" sizes/1x1.webp --strip
vips heifsave "$tmp/dot.v" sizes/1x1.heic --strip
vips heifsave "$tmp/dot.v" sizes/1x1.avif --compression av1 --strip
vips tiffsave "$tmp/dot.v" sizes/1x1.tif --strip
ff -i "$tmp/dot.png" -pix_fmt bgr24 sizes/1x1.bmp
vips jxlsave "$tmp/dot.v" sizes/1x1.jxl --strip
vips jp2ksave "$tmp/dot.v" sizes/1x1.jp2
echo '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="gray"/></svg>' >sizes/1x1.svg
for format in png:png jpg:jpeg gif:gif webp:webp heic:heic avif:avif tif:tiff bmp:bmp jxl:jxl jp2:jp2 svg:svg+xml; do
  record "sizes/1x1.${format%:*}" "the smallest picture of its format" "vips, ffmpeg or by hand" "$(facts "image/${format#*:}" 1 1 '"error":null')"
done

long="extremely long: the short side of a thumbnail is one pixel, never none"
flat sizes/5000x3.png 5000 3
record sizes/5000x3.png "$long" "flat.pl" "$(facts image/png 5000 3 '"error":null')"
flat sizes/3x5000.png 3 5000
record sizes/3x5000.png "$long" "flat.pl" "$(facts image/png 3 5000 '"error":null')"
flat sizes/20000x1.png 20000 1
record sizes/20000x1.png "$long; longer than WebP can be" "flat.pl" "$(facts image/png 20000 1 '"error":null')"
vips jpegsave sizes/20000x1.png sizes/20000x1.jpg --strip
record sizes/20000x1.jpg "$long" "vips jpegsave" "$(facts image/jpeg 20000 1 '"error":null')"
flat "$tmp/16383x1.png" 16383 1
vips webpsave "$tmp/16383x1.png" sizes/16383x1.webp --strip
record sizes/16383x1.webp "the longest WebP" "vips webpsave" "$(facts image/webp 16383 1 '"error":null')"

flat sizes/200-megapixels.png 20000 10000 1
record sizes/200-megapixels.png "200 megapixels, within the limit, in a file of a few kilobytes" "flat.pl, one bit a pixel" \
  "$(facts image/png 20000 10000 '"error":null')"
flat sizes/537-megapixels.png 32768 16384 1
record sizes/537-megapixels.png "beyond the limit of 268,402,689 pixels: facts, but no picture (tooManyPixels)" "flat.pl, one bit a pixel" \
  "$(facts image/png 32768 16384)"
vips jpegsave "$tmp/dot.v" "$tmp/base-dot.jpg" --strip
bytes '
  my $jpeg = slurp($ARGV[0]);
  $jpeg =~ s/(\xFF\xC0..\x08)..../$1 . pack("n2", 65500, 65500)/es or die "no frame header\n";
  spew($ARGV[1], $jpeg);' "$tmp/base-dot.jpg" sizes/claims-65500x65500.jpg
record sizes/claims-65500x65500.jpg "a few hundred bytes that claim 4 gigapixels: nothing may be allocated for them" \
  "1x1 JPEG with another size in its frame header" "$(facts image/jpeg 65500 65500)"
