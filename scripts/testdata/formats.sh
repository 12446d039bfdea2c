# One small file of each format. Sourced by testdata/generate.

landscape "$tmp/picture.png" 160 120 3.1 0.7 0.2 60,130,220 190,220,245 130,160,190 80,140,90 60,110,40 60,60,40
vips copy "$tmp/picture.png" "$tmp/picture.v"

# --- pictures ---
picture="formula landscape, "
image() { # FILE TYPE MADE [FACTS]
  record "formats/$1" "${1##*.} picture" "$picture$3" "{\"kind\":\"image\",\"type\":\"$2\",\"width\":160,\"height\":120${4:+,$4},\"error\":null}"
}
vips jpegsave "$tmp/picture.v" formats/picture.jpg --Q 75 --strip
image picture.jpg image/jpeg "vips jpegsave"
vips jpegsave "$tmp/picture.v" formats/progressive.jpg --Q 75 --strip --interlace
image progressive.jpg image/jpeg "vips jpegsave, progressive"
vips pngsave "$tmp/picture.v" formats/interlaced.png --interlace --palette --strip
image interlaced.png image/png "vips pngsave, interlaced"
vips gifsave "$tmp/picture.v" formats/picture.gif
image picture.gif image/gif "vips gifsave" '"frames":1,"animated":false'
vips webpsave "$tmp/picture.v" formats/lossy.webp --Q 75 --strip
image lossy.webp image/webp "vips webpsave" '"alpha":false'
vips webpsave "$tmp/picture.v" formats/lossless.webp --lossless --near-lossless --Q 40 --strip
image lossless.webp image/webp "vips webpsave, lossless"
vips heifsave "$tmp/picture.v" formats/picture.heic --Q 50 --strip
image picture.heic image/heic "vips heifsave (x265)"
# A thumbnail in another colour than its picture shows which of the two was used.
ff -f lavfi -i "color=0x2060c0:s=320x240:d=1:r=1" -frames:v 1 "$tmp/blue.png"
ff -f lavfi -i "color=0xc06020:s=128x96:d=1:r=1" -frames:v 1 "$tmp/orange.png"
for name in blue orange; do vips heifsave "$tmp/$name.png" "$tmp/$name.heic" --Q 80 --strip; done
perl "$parts/heif-thumbnail.pl" "$tmp/blue.heic" "$tmp/orange.heic" formats/thumbnail.heic
record formats/thumbnail.heic "HEIC with an embedded thumbnail, orange, of a blue picture" "vips heifsave, joined by heif-thumbnail.pl" \
  '{"type":"image/heic","width":320,"height":240,"embeddedThumbnail":{"width":128,"height":96},"error":null}' '[{"x":160,"y":120,"rgb":[32,96,192],"tolerance":4}]'
perl "$parts/heif-thumbnail.pl" "$tmp/blue.heic" "$tmp/orange.heic" formats/thumbnail-broken.heic broken
record formats/thumbnail-broken.heic "HEIC whose embedded thumbnail cannot be decoded: the picture has to do" "vips heifsave, joined by heif-thumbnail.pl" \
  '{"type":"image/heic","width":320,"height":240,"embeddedThumbnail":{"width":128,"height":96},"error":null}' '[{"x":160,"y":120,"rgb":[32,96,192],"tolerance":4}]'
perl "$parts/heif-thumbnail.pl" "$tmp/blue.heic" "$tmp/orange.heic" formats/collection.heic collection
record formats/collection.heic "HEIC of two pictures, of which the blue one is the primary" "vips heifsave, joined by heif-thumbnail.pl" \
  '{"type":"image/heic","width":320,"height":240,"pages":2,"tracks":null,"embeddedThumbnail":null,"error":null}' '[{"x":160,"y":120,"rgb":[32,96,192],"tolerance":4}]'
vips heifsave "$tmp/picture.v" formats/picture.avif --Q 50 --compression av1 --strip
image picture.avif image/avif "vips heifsave (aom)"
vips tiffsave "$tmp/picture.v" formats/picture.tif --compression jpeg --Q 75 --strip
image picture.tif image/tiff "vips tiffsave"
bytes 'spew($ARGV[0], tiff([[long(0x100, 160), long(0x101, 120), short(0x102, 8, 8, 8), short(0x103, 1), short(0x106, 2),
  short(0x115, 3), same_rows(join("", map { pack "C3", $_, 90, 200 - $_ } 1 .. 160), 120)]]))' formats/plain.tif
record formats/plain.tif "little-endian TIFF, uncompressed, a strip a row" "hand-written bytes" \
  '{"type":"image/tiff","width":160,"height":120,"error":null}' '[{"x":100,"y":60,"rgb":[101,90,99]}]'
vips replicate "$tmp/picture.v" "$tmp/three.v" 1 3
vips tiffsave "$tmp/three.v" formats/pages.tif --compression jpeg --Q 75 --page-height 120 --strip
image pages.tif image/tiff "vips tiffsave, three pages" '"pages":3'
ff -i "$tmp/picture.png" -vf scale=64:48 -pix_fmt bgr24 formats/picture.bmp
record formats/picture.bmp "BMP, 24 bits" "ffmpeg" '{"type":"image/bmp","width":64,"height":48,"error":null}'
ff -i "$tmp/picture.png" -vf scale=64:48 -pix_fmt bgr24 formats/picture.tga
record formats/picture.tga "TGA" "ffmpeg"
ff -i "$tmp/picture.png" -vf scale=64:48 -c:v qoi formats/picture.qoi
record formats/picture.qoi "QOI" "ffmpeg"
vips jxlsave "$tmp/picture.v" formats/picture.jxl --Q 75 --strip
image picture.jxl image/jxl "vips jxlsave"
vips jp2ksave "$tmp/picture.v" formats/picture.jp2 --Q 40
image picture.jp2 image/jp2 "vips jp2ksave"
vips thumbnail "$tmp/picture.png" "$tmp/icon.png[strip]" 32
perl "$parts/oddments.pl" ico "$tmp/icon.png" formats/icon.ico
record formats/icon.ico "an icon that holds a PNG" "hand-written directory" '{"kind":"image","type":"image/vnd.microsoft.icon"}'
perl "$parts/oddments.pl" psd "" formats/flat.psd
record formats/flat.psd "Photoshop, 48 by 32, flat" "hand-written" '{"kind":"image","type":"image/vnd.adobe.photoshop"}'
cp "$new/files/vector/plain.svg" formats/drawing.svg
record formats/drawing.svg "SVG" "hand-written" '{"kind":"image","type":"image/svg+xml","width":120,"height":80,"error":null}'

# --- bitmaps and icons of other layouts ---
bitmap() { # FILE FORM TYPE PROVES ANSWERS
  perl "$parts/bitmaps.pl" "$2" "formats/$1"
  # shellcheck disable=SC2086
  record "formats/$1" "$4" "hand-written bytes" "{\"kind\":\"image\",\"type\":\"$3\",\"width\":24,\"height\":16,\"error\":null}" \
    "$(perl "$parts/bitmaps.pl" answers $5)"
}
bitmap fields-565.bmp bmp-565 image/bmp "BMP with masks, 16 bits" 5
bitmap fields-4444.bmp bmp-4444 image/bmp "BMP with masks in an odd order, 16 bits, alpha among them" "9 transparent"
bitmap fields-rgba.bmp bmp-rgba image/bmp "BMP with masks, big-endian RGBA: no layout that Windows itself writes" "0 transparent"
bitmap fields-1010.bmp bmp-1010 image/bmp "BMP with masks of ten bits" 1
bitmap alpha.ico ico-32 image/vnd.microsoft.icon "an icon that holds a bitmap of 32 bits: alpha counts" "0 transparent"
bitmap mask.ico ico-32-mask image/vnd.microsoft.icon "an icon of 32 bits without any alpha: the mask counts" "0 transparent"
bitmap palette8.ico ico-8 image/vnd.microsoft.icon "an icon of 256 colours" "0 transparent"
bitmap palette4.ico ico-4 image/vnd.microsoft.icon "an icon of 16 colours" "0 transparent"
bitmap bilevel.ico ico-1 image/vnd.microsoft.icon "an icon of two colours" "0 bilevel"
bitmap pointer.cur cur-24 image/x-win-bitmap "a pointer: an icon with another number and a hot spot" "0 transparent"
bitmap bilevel.wbmp wbmp image/vnd.wap.wbmp "WBMP, one bit a pixel" "0 bilevel"

# --- camera raws ---
vips jpegsave "$tmp/picture.v" "$tmp/preview.jpg" --Q 70 --strip
for raw in dng:image/x-adobe-dng cr2:image/x-canon-cr2 nef:image/x-nikon-nef arw:image/x-sony-arw; do
  IFS=: read -r extension type <<<"$raw"
  perl "$parts/raw.pl" "$extension" "$tmp/preview.jpg" "formats/raw.$extension"
  record "formats/raw.$extension" "${extension^^}: the raw's size, and its preview of 160 by 120" "hand-written TIFF around a formula landscape" \
    "{\"kind\":\"image\",\"type\":\"$type\",\"width\":640,\"height\":480,\"takenAt\":\"2024-05-01T05:52:33\",\"embeddedThumbnail\":{\"width\":160,\"height\":120}}"
done

# --- video ---
scene=(-f lavfi -i "testsrc2=s=96x64:r=25:d=1" -f lavfi -i "sine=f=440:r=44100:d=1")
video() { # FILE TYPE FACTS FFMPEG-ARGUMENTS…
  ff "${scene[@]}" -t 1 "${@:4}" "formats/$1"
  record "formats/$1" "${1##*.} video" "ffmpeg testsrc2 and sine: ${*:4}" \
    "{\"kind\":\"video\",\"type\":\"$2\",\"width\":96,\"height\":64,\"error\":null,$3}"
}
x264=(-c:v libx264 -preset slow -crf 32 -pix_fmt yuv420p)
aac=(-c:a aac -b:a 32k)
second='"duration":1.0,"frameRate":25'
video clip.mp4 video/mp4 "$second,\"videoCodec\":\"h264\",\"audioCodec\":\"aac\",\"sampleRate\":44100,\"channels\":1" "${x264[@]}" "${aac[@]}"
video clip.mov video/quicktime "$second,\"videoCodec\":\"h264\",\"audioCodec\":\"pcm_s16le\"" "${x264[@]}" -c:a pcm_s16le -ar 8000
video clip.m4v video/mp4 "$second,\"videoCodec\":\"h264\",\"audioCodec\":null" "${x264[@]}" -an -f mp4 -brand "M4V "
video clip.3gp video/3gpp "\"duration\":1.0,\"videoCodec\":\"h264\",\"audioCodec\":\"aac\",\"latitude\":-33.8568,\"longitude\":151.2153" \
  "${x264[@]}" "${aac[@]}" -metadata location=-33.8568+151.2153/
video clip.3g2 video/3gpp2 "\"duration\":1.0,\"videoCodec\":\"mpeg4\"" -c:v mpeg4 -q:v 12 "${aac[@]}"
video clip.webm video/webm "$second,\"videoCodec\":\"vp9\",\"audioCodec\":\"opus\"" -c:v libvpx-vp9 -crf 45 -b:v 0 -c:a libopus -b:a 16k
video alpha.webm video/webm "\"duration\":1.0,\"videoCodec\":\"vp8\",\"audioCodec\":null" -vf "format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*lt(X,48)'" \
  -c:v libvpx -crf 40 -b:v 100k -auto-alt-ref 0 -an
video clip.mkv video/matroska "$second,\"videoCodec\":\"h264\",\"audioCodec\":\"vorbis\",\"title\":\"Bars\",\"takenAt\":\"2024-05-02T15:20:05Z\"" \
  "${x264[@]}" -c:a libvorbis -q:a 0 -metadata title=Bars -metadata creation_time=2024-05-02T15:20:05Z
video clip.avi video/x-msvideo "$second,\"videoCodec\":\"mpeg4\",\"audioCodec\":\"mp3\"" -c:v mpeg4 -q:v 12 -c:a libmp3lame -b:a 32k
video clip.ts video/mp2t "\"videoCodec\":\"mpeg2video\",\"audioCodec\":\"mp2\"" -c:v mpeg2video -q:v 12 -c:a mp2 -b:a 64k
video clip.mpg video/mpeg "\"videoCodec\":\"mpeg1video\",\"audioCodec\":\"mp2\"" -c:v mpeg1video -q:v 12 -c:a mp2 -b:a 64k -f mpeg
video clip.ogv video/ogg "$second,\"videoCodec\":\"theora\",\"audioCodec\":\"vorbis\"" -c:v libtheora -q:v 2 -c:a libvorbis -q:a 0
video clip.flv video/x-flv "\"duration\":1.0,\"videoCodec\":\"flv1\",\"audioCodec\":\"mp3\"" -c:v flv -q:v 12 -c:a libmp3lame -b:a 32k
video clip.wmv video/x-ms-asf "\"duration\":1.09,\"videoCodec\":\"wmv2\",\"audioCodec\":\"wmav2\"" -c:v wmv2 -q:v 12 -c:a wmav2 -b:a 32k
ff -f lavfi -i "testsrc2=s=120x90:r=25:d=1" -vf setsar=4/3 "${x264[@]}" formats/anamorphic.mp4
record formats/anamorphic.mp4 "pixels that are wider than high: 120 columns are shown as 160" "ffmpeg setsar" \
  '{"type":"video/mp4","width":160,"height":90,"duration":1.0,"error":null}'

# --- audio ---
tone=(-f lavfi -i "sine=f=440:r=44100:d=1" -vn)
audio() { # FILE TYPE FACTS FFMPEG-ARGUMENTS…
  ff "${tone[@]}" "${@:4}" "formats/$1"
  record "formats/$1" "${1##*.} audio" "ffmpeg sine: ${*:4}" "{\"kind\":\"audio\",\"type\":\"$2\",\"width\":null,\"videoCodec\":null,\"error\":null,$3}"
}
audio tone.mp3 audio/mpeg '"duration":1.0,"audioCodec":"mp3","sampleRate":44100,"channels":1' -c:a libmp3lame -b:a 32k
audio tone.m4a audio/mp4 '"duration":1.0,"audioCodec":"aac"' "${aac[@]}"
audio alac.m4a audio/mp4 '"duration":1.0,"audioCodec":"alac"' -c:a alac -ar 8000
cp formats/tone.m4a formats/audio-only.mp4
record formats/audio-only.mp4 "an MP4 without pictures is audio, whatever it is called" "tone.m4a under another name" \
  '{"kind":"audio","type":"audio/mp4","duration":1.0,"mismatch":null,"error":null}'
audio tone.aac audio/aac '"audioCodec":"aac","sampleRate":44100,"channels":1' "${aac[@]}" -f adts
audio tone.ogg audio/ogg '"duration":1.0,"audioCodec":"vorbis"' -c:a libvorbis -q:a 0
audio tone.opus audio/ogg '"duration":1.0,"audioCodec":"opus","sampleRate":48000' -c:a libopus -b:a 16k
audio tone.flac audio/flac '"duration":1.0,"audioCodec":"flac","title":"A","artist":"The Sines"' -c:a flac -ar 8000 -metadata title=A -metadata "artist=The Sines"
audio tone.wav audio/wav '"duration":1.0,"audioCodec":"pcm_s16le","sampleRate":8000,"channels":1' -c:a pcm_s16le -ar 8000
audio tone.aiff audio/aiff '"duration":1.0,"audioCodec":"pcm_s16be","sampleRate":8000' -c:a pcm_s16be -ar 8000
audio tone.mka audio/matroska '"duration":1.0,"audioCodec":"opus"' -c:a libopus -b:a 16k
audio tone.weba audio/webm '"duration":1.0,"audioCodec":"opus"' -c:a libopus -b:a 16k -f webm
audio tone.wma audio/x-ms-wma '"duration":1.0,"audioCodec":"wmav2"' -c:a wmav2 -b:a 32k -f asf
audio tone.3gp audio/3gpp '"duration":1.0,"audioCodec":"aac"' "${aac[@]}" -f 3gp
perl "$parts/oddments.pl" amr "" formats/tone.amr
record formats/tone.amr "AMR: fifty frames of 20 ms" "hand-written frames" '{"kind":"audio","type":"audio/amr","duration":1.0,"audioCodec":"amr_nb","sampleRate":8000,"channels":1,"error":null}'
perl "$parts/oddments.pl" midi "" formats/scale.mid
record formats/scale.mid "MIDI: eight notes" "hand-written" '{"kind":"audio","type":"audio/midi","error":null}'

# --- documents, text, archives ---
other() { # FILE KIND TYPE PROVES
  record "formats/$1" "${4:-${1##*.}}" "hand-written, or the usual packer" "{\"kind\":\"$2\",\"type\":\"$3\",\"width\":null,\"error\":null}"
}
perl "$parts/pdf.pl" formats/page.pdf Invoice "42.00"
record formats/page.pdf "PDF, one page" "hand-written" '{"kind":"document","type":"application/pdf","pages":1,"error":null}'

# zipped OUT ENTRY=TEXT…: a zip whose entries stand in that order, the first one stored.
zipped() {
  local folder=$tmp/zip out=$PWD/$1 entry
  rm -rf "$folder" && mkdir "$folder"
  for entry in "${@:2}"; do
    mkdir -p "$folder/$(dirname "${entry%%=*}")"
    printf '%s' "${entry#*=}" >"$folder/${entry%%=*}"
  done
  (cd "$folder" && find . -exec touch -d 2024-01-01T00:00:00 {} + && for entry in "${@:2}"; do echo "${entry%%=*}"; done |
    zip -q -X -D -0 -@ "$out")
}
types='<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
relation='<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
office() { # FILE PART BODY MAINTYPE
  zipped "formats/$1" "[Content_Types].xml=$types<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/$2\" ContentType=\"application/vnd.openxmlformats-officedocument.$4.main+xml\"/></Types>" \
    "_rels/.rels=$relation<Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"$2\"/></Relationships>" \
    "$2=$3"
  other "$1" document "application/vnd.openxmlformats-officedocument.$4"
}
office letter.docx word/document.xml '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Dear Ada</w:t></w:r></w:p></w:body></w:document>' wordprocessingml.document
office sums.xlsx xl/workbook.xml '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>' spreadsheetml.sheet
office talk.pptx ppt/presentation.xml '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>' presentationml.presentation
manifest='<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
for open in odt:text ods:spreadsheet odp:presentation; do
  zipped "formats/open.${open%:*}" "mimetype=application/vnd.oasis.opendocument.${open#*:}" "META-INF/manifest.xml=$manifest" "content.xml=<x/>"
  other "open.${open%:*}" document "application/vnd.oasis.opendocument.${open#*:}"
done
zipped formats/book.epub "mimetype=application/epub+zip" "META-INF/container.xml=<container/>"
other book.epub document application/epub+zip
printf '{\\rtf1\\ansi Dear Ada\\par}\n' >formats/letter.rtf
other letter.rtf document application/rtf

printf 'Plain text.\nZwölf Boxkämpfer jagen Viktor.\n' >formats/utf8.txt
other utf8.txt text text/plain "UTF-8 text"
printf 'Zw\xf6lf Boxk\xe4mpfer jagen Viktor quer \xfcber den Sylter Deich.\n' >formats/latin1.txt
other latin1.txt text text/plain "ISO 8859-1 text"
printf '\xff\xfeP\0l\0a\0i\0n\0\n\0' >formats/utf16.txt
other utf16.txt text text/plain "UTF-16 text with a byte order mark"
printf '<!DOCTYPE html>\n<html><head><title>Page</title></head><body><p>Hello</p></body></html>\n' >formats/page.html
other page.html text text/html
printf 'name,count\napples,3\npears,4\nplums,5\n' >formats/table.csv
other table.csv text text/csv
printf '{"name": "Ada", "born": 1815}\n' >formats/person.json
other person.json text application/json
printf 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nFN:Charles Babbage\r\nEND:VCARD\r\n' >formats/two.vcf
other two.vcf contact text/vcard "two contacts in one vCard file"
printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\nDTSTAMP:20240501T120000Z\r\nDTSTART:20240502T120000Z\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' >formats/lunch.ics
other lunch.ics text text/calendar

zipped formats/archive.zip "notes.txt=Packed." "more/notes.txt=Packed as well."
other archive.zip archive application/zip
tar --create --file formats/archive.tar --sort=name --mtime=2024-01-01 --owner=0 --group=0 --numeric-owner -C "$tmp/zip" notes.txt more
other archive.tar archive application/x-tar
gzip -nc formats/utf8.txt >formats/text.gz
other text.gz archive application/gzip
bzip2 -c formats/utf8.txt >formats/text.bz2
other text.bz2 archive application/x-bzip2
xz -c formats/utf8.txt >formats/text.xz
other text.xz archive application/x-xz
zstd -qc formats/utf8.txt >formats/text.zst
other text.zst archive application/zstd
perl "$parts/oddments.pl" 7z "" formats/empty.7z
other empty.7z archive application/x-7z-compressed "7z, an empty archive"
printf '\x07\x01\x02\x03 no format that anybody knows \xfe\xfd' >formats/unknown.bin
record formats/unknown.bin "content of no known format" "hand-written" '{"kind":"other","type":"application/octet-stream","width":null,"error":{"code":"unrecognized"}}'
