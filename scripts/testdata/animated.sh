# Animations: the same five frames in every format, each frame with a delay of its own. Sourced by testdata/generate.

delays=(100 200 50 300 150) # milliseconds, 0.8 s together
ff -f lavfi -i "color=black@0:s=96x64:r=10:d=0.5,format=rgba,geq=r='60+40*N':g='120':b='220-40*N'
  :a='if(lt(hypot(X-16-16*N,Y-32),14),255,0)'" "$tmp/frame-%d.png"
made="five frames by ffmpeg geq, delays written in by animate.pl"
facts() { echo "{\"kind\":\"image\",\"type\":\"$1\",\"width\":96,\"height\":64,\"frames\":5,\"animated\":true,\"duration\":0.8${2:+,$2},\"error\":null}"; }

perl "$parts/animate.pl" apng "$tmp/frame-%d.png" animated/disc.png "${delays[@]}"
record animated/disc.png "APNG, transparent, different delays" "$made" "$(facts image/png '"alpha":true')"

ff -framerate 10 -i "$tmp/frame-%d.png" -filter_complex "split[a][b];[a]palettegen=max_colors=16[p];[b][p]paletteuse=dither=none" "$tmp/disc.gif"
perl "$parts/animate.pl" gif "$tmp/disc.gif" animated/disc.gif "${delays[@]}"
record animated/disc.gif "GIF, transparent, different delays" "$made" "$(facts image/gif '"alpha":true')"

ff -framerate 10 -i "$tmp/frame-%d.png" -c:v libwebp_anim -lossless 1 -loop 0 "$tmp/disc.webp"
perl "$parts/animate.pl" webp "$tmp/disc.webp" animated/disc.webp "${delays[@]}"
record animated/disc.webp "animated WebP, transparent, different delays" "$made" "$(facts image/webp '"alpha":true')"

# A box that starts at the left and moves on by ten pixels a frame.
inside='between(X,10*N,10*N+23)*between(Y,16,39)'
box="color=black:s=96x64:r=10:d=0.8,format=rgb24,geq=r='if($inside,240,32)':g='if($inside,192,64)':b='if($inside,64,96)',format=yuv420p"
ff -f lavfi -i "$box" \
  -c:v libaom-av1 -crf 30 -cpu-used 6 animated/box.avif
record animated/box.avif "AVIF sequence (brand avis), eight frames" "ffmpeg geq, libaom" \
  '{"kind":"image","type":"image/avif","width":96,"height":64,"frames":8,"animated":true,"duration":0.8,"error":null}'

vips thumbnail "$tmp/frame-1.png" "$tmp/one.png" 64
vips gifsave "$tmp/one.png" animated/still.gif
record animated/still.gif "a GIF of one frame is not animated" "vips gifsave" \
  '{"type":"image/gif","width":64,"height":43,"frames":1,"animated":false,"duration":null,"error":null}'

perl "$parts/animate.pl" many animated/2000-frames.gif 2000
record animated/2000-frames.gif "more frames than are decoded (tooManyFrames), in a small file" "hand-written GIF of 2 by 2 pixels" \
  '{"type":"image/gif","width":2,"height":2,"frames":2000,"animated":true}'

ff -f lavfi -i "$box" \
  -c:v libx265 -preset fast -crf 30 -x265-params log-level=error -tag:v hvc1 -f mp4 -brand hevc "$tmp/box.mp4"
bytes 'my $file = slurp($ARGV[0]); $file =~ s/hevciso2mp41/hevcmsf1iso8/ or die; $file =~ s/(hdlr.{8})vide/$1pict/s or die;
  spew($ARGV[1], $file)' "$tmp/box.mp4" animated/box.heics
record animated/box.heics "HEIC sequence (brand hevc) without a still beside its track, eight frames" "ffmpeg geq, x265, brands and handler rewritten" \
  '{"kind":"image","type":"image/heic-sequence","width":96,"height":64,"frames":8,"animated":true,"duration":0.8,"error":null}'

# A red frame that flashes by, and a green one that lasts: a still has to show the green one.
flash=(10 100 2000 40)
colors=(red=0xd02020 blue=0x2060c0 green=0x20b040 yellow=0xe0c020)
for index in 0 1 2 3; do
  ff -f lavfi -i "color=${colors[index]#*=}:s=96x64:d=1:r=1,format=rgba" -frames:v 1 "$tmp/flash-$((index + 1)).png"
done
green='[{"x":48,"y":32,"rgb":[32,176,64],"tolerance":6}]'
flashes() { # FILE TYPE MADE [FACTS]
  record "animated/$1" "a red frame of 10 ms, then others; the green one of 2 s lasts" "four frames by ffmpeg color, $3" \
    "{\"kind\":\"image\",\"type\":\"$2\",\"width\":96,\"height\":64,\"frames\":4,\"animated\":true,\"duration\":2.15${4:+,$4},\"error\":null}" "$green"
}
perl "$parts/animate.pl" apng "$tmp/flash-%d.png" animated/flash.png "${flash[@]}"
flashes flash.png image/png "joined by animate.pl" '"tracks":null'
ff -framerate 10 -i "$tmp/flash-%d.png" -filter_complex "split[a][b];[a]palettegen=max_colors=16[p];[b][p]paletteuse=dither=none" "$tmp/flash.gif"
perl "$parts/animate.pl" gif "$tmp/flash.gif" animated/flash.gif "${flash[@]}"
flashes flash.gif image/gif "delays written in by animate.pl"
ff -framerate 10 -i "$tmp/flash-%d.png" -c:v libwebp_anim -lossless 1 -loop 0 "$tmp/flash.webp"
perl "$parts/animate.pl" webp "$tmp/flash.webp" animated/flash.webp "${flash[@]}"
flashes flash.webp image/webp "delays written in by animate.pl"

# avif ARGUMENTS… OUT: avifenc without the times of the run, which it writes into the headers of the movie, tracks and media.
avif() {
  avifenc --speed 8 --jobs 1 --timescale 100 "$@" >/dev/null
  bytes 'my $file = slurp($ARGV[0]);
    $file =~ s/((?:mvhd|tkhd|mdhd)(?:\x01.{3}))(.{16})/$1 . "\0" x 16/gse; spew($ARGV[0], $file)' "${*: -1}"
}
# sequence OUT FRAME DURATION [FRAME DURATION]…: an AVIF sequence; durations are hundredths of a second.
sequence() {
  local out=$1 arguments=()
  shift
  while (($# > 0)); do
    arguments+=(--duration "$2" "$tmp/$1.png")
    shift 2
  done
  avif "${arguments[@]}" "$out"
}
sequence animated/flash.avif flash-1 1 flash-2 10 flash-3 200 flash-4 4
flashes flash.avif image/avif "avifenc" '"tracks":null'
sequence animated/disc.avif frame-1 10 frame-2 20 frame-3 5 frame-4 30 frame-5 15
record animated/disc.avif "AVIF sequence, transparent, different delays" "five frames by ffmpeg geq, avifenc" "$(facts image/avif '"alpha":true,"tracks":null')" \
  '[{"x":64,"y":32,"rgb":[180,120,100],"tolerance":8},{"x":4,"y":4,"alpha":0},{"x":90,"y":60,"alpha":0}]'

cp "$tmp/flash-1.png" "$tmp/other-1.png"
cp "$tmp/flash-3.png" "$tmp/other-2.png"
cp "$tmp/flash-2.png" "$tmp/other-3.png"
perl "$parts/animate.pl" default "$tmp/other-%d.png" animated/default.png 300 200
record animated/default.png "APNG with a red image for viewers without animations; all others show green, then blue" "frames by ffmpeg color, joined by animate.pl" \
  '{"kind":"image","type":"image/png","width":96,"height":64,"frames":2,"animated":true,"duration":0.5,"tracks":2,"error":null}' "$green"

for index in 1 2; do
  ff -f lavfi -i "color=black:s=96x64:d=1:r=1,format=rgba,geq=r=208:g=32:b=32:a=$((112 + 8 * index))" -frames:v 1 "$tmp/thin-$index.png"
done
avif --premultiply --duration 10 "$tmp/thin-1.png" --duration 30 "$tmp/thin-2.png" animated/premultiplied.avif
record animated/premultiplied.avif "AVIF sequence whose colours are multiplied by alpha" "two frames by ffmpeg geq, avifenc" \
  '{"kind":"image","type":"image/avif","width":96,"height":64,"frames":2,"animated":true,"duration":0.4,"alpha":true,"error":null}' \
  '[{"x":48,"y":32,"rgb":[208,32,32],"alpha":128,"tolerance":8}]'
avif --premultiply "$tmp/thin-2.png" animated/premultiplied-still.avif
record animated/premultiplied-still.avif "AVIF whose colours are multiplied by alpha" "ffmpeg geq, avifenc" \
  '{"kind":"image","type":"image/avif","width":96,"height":64,"frames":1,"animated":false,"alpha":true,"error":null}' \
  '[{"x":48,"y":32,"rgb":[208,32,32],"alpha":128,"tolerance":8}]'
for index in 0 1 2 3; do
  echo "file '$tmp/flash-$((index + 1)).png'"
  echo "duration $(printf '%d.%03d' $((flash[index] / 1000)) $((flash[index] % 1000)))"
done >"$tmp/flash.list"
ff -f concat -safe 0 -i "$tmp/flash.list" -vsync vfr -enc_time_base 1/100 -video_track_timescale 100 -pix_fmt yuv420p \
  -c:v libx265 -preset fast -crf 20 -x265-params log-level=error:pools=1:frame-threads=1 -tag:v hvc1 -f mp4 -brand hevc "$tmp/flash.mp4"
bytes 'my $file = slurp($ARGV[0]); $file =~ s/hevciso2mp41/hevcmsf1iso8/ or die; $file =~ s/(hdlr.{8})vide/$1pict/s or die;
  spew($ARGV[1], $file)' "$tmp/flash.mp4" animated/flash.heics
record animated/flash.heics "a red frame of 10 ms, then others; the green one of 2 s lasts" "four frames by ffmpeg color, x265, brands and handler rewritten" \
  '{"kind":"image","type":"image/heic-sequence","width":96,"height":64,"frames":4,"animated":true,"tracks":null,"error":null}' "$green"
