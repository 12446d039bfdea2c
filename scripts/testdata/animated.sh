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
