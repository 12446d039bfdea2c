# Red pictures with a green preview of themselves, as large as the picture: what is shown must be red. Sourced by testdata/generate.

ff -f lavfi -i "color=0xd02020:s=320x240:d=1:r=1,format=rgb24" -frames:v 1 "$tmp/red.png"
ff -f lavfi -i "color=0x20b040:s=320x240:d=1:r=1,format=rgb24" -frames:v 1 "$tmp/green.png"
for color in red green; do
  vips jpegsave "$tmp/$color.png" "$tmp/$color.jpg" --Q 75 --strip
  vips heifsave "$tmp/$color.png" "$tmp/$color.heic" --Q 80 --strip
  vips heifsave "$tmp/$color.png" "$tmp/$color.avif" --Q 80 --compression av1 --strip
done
vips webpsave "$tmp/red.png" "$tmp/red.webp" --Q 75 --strip
vips jxlsave "$tmp/red.png" "$tmp/red.jxl" --Q 75 --strip
vips jp2ksave "$tmp/red.png" "$tmp/red.jp2" --Q 40
perl "$parts/previews.pl" exif "" "$tmp/green.jpg" "$tmp/green.exif"

forged() { # FILE TYPE WHERE MADE [FACTS]
  record "previews/$1" "a red picture with a green preview of itself: $3" "$4" \
    "{\"kind\":\"image\",\"type\":\"$2\",\"width\":320,\"height\":240${5:+,$5},\"error\":null}" '[{"x":160,"y":120,"rgb":[208,32,32],"tolerance":6}]'
}
carried='"embeddedThumbnail":{"width":320,"height":240}'
preview() { # FILE KIND PICTURE TYPE WHERE [FACTS]
  perl "$parts/previews.pl" "$2" "$3" "$tmp/green.jpg" "previews/$1"
  forged "$1" "$4" "$5" "ffmpeg color, joined by previews.pl" "${6:-$carried}"
}
preview exif.jpg jpeg "$tmp/red.jpg" image/jpeg "EXIF"
preview mpf.jpg mpf "$tmp/red.jpg" image/jpeg "the index of several images" '"embeddedThumbnail":null,"tracks":2'
preview exif.png png "$tmp/red.png" image/png "EXIF"
preview exif.webp webp "$tmp/red.webp" image/webp "EXIF"
preview exif.jxl jxl "$tmp/red.jxl" image/jxl "EXIF"
preview exif.jp2 jp2 "$tmp/red.jp2" image/jp2 "EXIF"
preview resource.psd psd 320x240 image/vnd.adobe.photoshop "resource 1036"
preview second.tif tiff-second 320x240 image/tiff "the second directory" '"embeddedThumbnail":null,"pages":2'
preview first.tif tiff-first 320x240 image/tiff "the first directory" '"embeddedThumbnail":null,"pages":2,"tracks":2'
preview below.tif tiff-below 320x240 image/tiff "a directory below the picture's" '"embeddedThumbnail":null,"pages":1'
preview above.tif tiff-above 320x240 image/tiff "a directory above the picture's" '"embeddedThumbnail":null,"pages":1,"tracks":2'
# exiftool takes their marks at their word, so the register leaves the type to the tests.
for raw in dng cr2 nef arw; do
  perl "$parts/previews.pl" "tiff-$raw" 320x240 "$tmp/green.jpg" "previews/$raw.tif"
  record "previews/$raw.tif" "a red picture with a green preview of itself: a TIFF with the marks of a camera raw" "joined by previews.pl" \
    '{"kind":"image","width":320,"height":240,"embeddedThumbnail":null,"error":null}' '[{"x":160,"y":120,"rgb":[208,32,32],"tolerance":6}]'
done
for format in heic avif; do
  perl "$parts/heif-thumbnail.pl" "$tmp/red.$format" "$tmp/green.$format" "previews/item.$format"
  forged "item.$format" "image/$format" "an item" "vips heifsave, joined by heif-thumbnail.pl" "$carried"
  perl "$parts/heif-thumbnail.pl" "$tmp/red.$format" "$tmp/green.exif" "previews/exif.$format" exif
  forged "exif.$format" "image/$format" "EXIF" "vips heifsave, joined by heif-thumbnail.pl" "$carried"
done
