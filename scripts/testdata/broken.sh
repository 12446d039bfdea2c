# What arrives damaged, lies about itself, or means harm. Sourced by testdata/generate after formats.

# cut FILE PERCENT TYPE [FACTS]: the beginning of a whole file; its format says that there should be more.
cut_off() {
  local from=formats/$1 to=broken/truncated.${1##*.}
  head -c $(($(stat -c %s "$from") * $2 / 100)) "$from" >"$to"
  record "$to" "${1##*.}: breaks off, and the format says that more should follow" "the first $2 % of $from" \
    "{\"type\":\"$3\"${4:+,$4},\"error\":{\"code\":\"truncated\"}}"
}
size='"width":160,"height":120'
cut_off picture.jpg 60 image/jpeg "$size"
cut_off interlaced.png 60 image/png "$size"
cut_off picture.gif 60 image/gif "$size"
cut_off lossy.webp 60 image/webp "$size"
cut_off picture.heic 80 image/heic "$size"
cut_off picture.avif 80 image/avif "$size"
cut_off picture.bmp 60 image/bmp '"width":64,"height":48'
cut_off clip.mp4 40 video/mp4 # its index stands at the end, so nothing else is known
cut_off tone.wav 60 audio/wav '"audioCodec":"pcm_s16le"'

# left_over FILE PERCENT: a cut that cannot be detected for certain, or only by decoding. Probe and thumbnail must end well.
left_over() {
  local from=formats/$1 to=broken/cut.${1##*.}
  head -c $(($(stat -c %s "$from") * $2 / 100)) "$from" >"$to"
  record "$to" "${1##*.}: breaks off; any answer will do, as long as there is one" "the first $2 % of $from"
}
for file in plain.tif:50 picture.jxl:60 picture.jp2:50 clip.mov:60 clip.mkv:60 clip.webm:60 clip.avi:50 clip.ts:55 \
  clip.mpg:50 clip.ogv:50 clip.flv:50 clip.wmv:50 clip.3gp:50 tone.mp3:50 tone.m4a:50 tone.ogg:50 tone.opus:50 tone.flac:50 \
  tone.aiff:50 tone.amr:50 scale.mid:50 page.pdf:60 letter.docx:50 archive.zip:50 raw.dng:30 icon.ico:50 drawing.svg:60; do
  left_over "${file%:*}" "${file#*:}"
done

for extension in jpg mp4 txt; do
  : >broken/empty.$extension
  record broken/empty.$extension "no bytes, whatever the name promises" "hand-written" '{"error":{"code":"empty"},"width":null}'
done

# Numbers from a linear congruential generator (Numerical Recipes' constants), so that they are the same everywhere.
bytes 'my $x = 1; spew($ARGV[0], join "", map { $x = ($x * 1664525 + 1013904223) % 4294967296; chr($x >> 24) } 1 .. 4096)' broken/garbage.jpg
record broken/garbage.jpg "noise under a picture's name" "linear congruential generator" '{"type":"application/octet-stream","width":null,"error":{"code":"unrecognized"}}'
{ head -c 300 formats/picture.jpg && cat broken/garbage.jpg; } >broken/noise-after-header.jpg
record broken/noise-after-header.jpg "a JPEG's beginning, then noise" "300 bytes of picture.jpg and garbage.jpg"
cat formats/picture.jpg broken/garbage.jpg >broken/noise-behind.jpg
record broken/noise-behind.jpg "a whole JPEG with noise behind its end: still a good picture" "picture.jpg and garbage.jpg" \
  '{"type":"image/jpeg","width":160,"height":120,"error":null}'

# lies FILE NAME TYPE CLASS: content under another format's name.
lies() {
  cp "formats/$1" "broken/$2"
  record "broken/$2" "$1 under the name $2" "copied" \
    "{\"type\":\"$3\",\"mismatch\":{\"declared\":\"${2##*.}\",\"by\":\"extension\",\"class\":\"$4\"}}"
}
lies interlaced.png png.jpg image/png format
lies clip.mp4 video.jpg video/mp4 kind
lies page.html page.png text/html active
lies drawing.svg drawing.jpg image/svg+xml active
lies archive.zip archive.gif application/zip active
lies tone.wav audio.mov audio/wav kind
lies picture.jpg picture.txt image/jpeg kind
cp formats/picture.jpg broken/no-extension
record broken/no-extension "a name without an extension claims nothing" "copied" '{"type":"image/jpeg","mismatch":null,"error":null}'
cp formats/picture.jpg broken/UPPER.JPEG
record broken/UPPER.JPEG "an extension in capitals" "copied" '{"type":"image/jpeg","mismatch":null,"error":null}'

# Metadata that means harm: whatever it says, the picture is good and the fact is absent.
hostile() { # NAME PROVES FACTS
  perl "$parts/hostile-exif.pl" "$1" formats/picture.jpg "broken/exif-$1.jpg"
  record "broken/exif-$1.jpg" "$2" "hand-written EXIF in picture.jpg" "{\"type\":\"image/jpeg\",$size,\"error\":null,$3}"
}
hostile loop "IFD chain that leads back to its beginning" '"make":"Loop"'
hostile self "EXIF directory that is its own sub-directory" '"make":"Self"'
hostile count "values that claim four billion elements" '"takenAt":null,"model":"Counted"'
hostile offset "values far behind the end, and at the largest offset" '"takenAt":null,"make":null'
hostile nul "texts with NUL bytes inside and nothing but spaces" '"make":"Before","model":null'
hostile utf8 "texts that are not UTF-8" '"width":160'
hostile zero-date "dates of zeros, spaces and a 30th of February" '"takenAt":null,"takenAtSource":null'
hostile zero-place "0,0 with its references is a place that the file states" '"latitude":0,"longitude":0'
hostile far-place "latitude 200, a denominator of zero" '"latitude":null,"longitude":null,"altitude":null'
hostile orientation "orientation 9" '"orientation":null'
hostile thumbnail "thumbnail that lies behind the end of the file" '"embeddedThumbnail":null'

# libvips 8.14.1's own sniffing never comes back from this (its issue 4693): the loader has to be named, not guessed.
{ gzip -nc formats/utf8.txt && printf 'more'; } >broken/behind-gzip.gz
record broken/behind-gzip.gz "gzip with bytes behind its first member: must not hang" "gzip of utf8.txt and four bytes" \
  '{"kind":"archive","type":"application/gzip"}'
cp broken/behind-gzip.gz broken/behind-gzip.svg
record broken/behind-gzip.svg "the same under an SVG's name" "copied" '{"kind":"archive","type":"application/gzip"}'
