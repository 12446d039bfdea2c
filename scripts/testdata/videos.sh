# Videos whose poster has to be found and shown in its true colours. Sourced by testdata/generate.

# Four patches, and the same as one turned picture would show them.
ff -f lavfi -i "color=black:s=160x96:r=1:d=1,format=gbrp,geq=r='if(lt(Y,48),if(lt(X,80),200,40),if(lt(X,80),50,220))':
  g='if(lt(Y,48),if(lt(X,80),60,160),if(lt(X,80),70,200))':b='if(lt(Y,48),if(lt(X,80),40,70),if(lt(X,80),190,60))'" \
  -frames:v 1 -pix_fmt rgb24 "$tmp/patches.png"
red='"rgb":[200,60,40]' green='"rgb":[40,160,70]' blue='"rgb":[50,70,190]' yellow='"rgb":[220,200,60]'
# patches WIDTH HEIGHT TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT [TOLERANCE]: what is to be seen in the four corners.
patches() {
  local w=$(($1 / 4)) h=$(($2 / 4)) t=",\"tolerance\":${7:-6}"
  echo "[{\"x\":$w,\"y\":$h,$3$t},{\"x\":$(($1 - w)),\"y\":$h,$4$t},{\"x\":$w,\"y\":$(($2 - h)),$5$t},{\"x\":$(($1 - w)),\"y\":$(($2 - h)),$6$t}]"
}
upright=$(patches 160 96 "$red" "$green" "$blue" "$yellow")

still=(-loop 1 -framerate 5 -i "$tmp/patches.png" -t 1)
x264=(-c:v libx264 -preset veryfast -crf 16 -pix_fmt yuv420p -x264-params threads=1)
to() { echo "scale=out_color_matrix=$1:out_range=${2:-tv}:flags=accurate_rnd+full_chroma_inp"; }
# video FILE PROVES FACTS PIXELS ARGUMENTS…
video() {
  ff "${still[@]}" "${@:5}" "videos/$1"
  record "videos/$1" "$2" "four patches, ffmpeg: ${*:5}" "{\"kind\":\"video\",\"error\":null,$3}" "$4"
}
at_160='"width":160,"height":96'

# --- codecs that formats/ and hdr/ do not have ---
video h263.3gp "H.263" '"width":176,"height":144,"videoCodec":"h263"' "$(patches 176 144 "$red" "$green" "$blue" "$yellow" 10)" \
  -vf "scale=176:144:flags=neighbor:out_color_matrix=bt601,setsar=1" -c:v h263 -q:v 3 -f 3gp
video mpeg2.mpg "MPEG-2 in a program stream" "$at_160,\"videoCodec\":\"mpeg2video\"" "$upright" -vf "$(to bt601)" -r 25 -c:v mpeg2video -q:v 3 -f vob
video hevc.mp4 "HEVC, 8 bits" "$at_160,\"videoCodec\":\"hevc\"" "$upright" -vf "$(to bt601)" -pix_fmt yuv420p -c:v libx265 -crf 18 \
  -x265-params log-level=none:pools=1:frame-threads=1 -tag:v hvc1
video hevc10.mkv "HEVC, 10 bits, standard range" "$at_160,\"videoCodec\":\"hevc\",\"hdr\":null" "$upright" -vf "$(to bt601)" -pix_fmt yuv420p10le \
  -c:v libx265 -crf 18 -x265-params log-level=none:pools=1:frame-threads=1
video av1.mp4 "AV1" "$at_160,\"videoCodec\":\"av1\"" "$upright" -vf "$(to bt601)" -pix_fmt yuv420p -c:v libaom-av1 -crf 20 -cpu-used 8
video mjpeg.avi "Motion JPEG, full range by its layout" "$at_160,\"videoCodec\":\"mjpeg\"" "$upright" -vf "$(to bt601 pc)" -pix_fmt yuvj420p -c:v mjpeg -q:v 3
video h264.flv "H.264 in FLV" "$at_160,\"videoCodec\":\"h264\"" "$upright" -vf "$(to bt601)" "${x264[@]}" -f flv
video prores.mov "ProRes 4444 without alpha" "$at_160,\"videoCodec\":\"prores\"" "$upright" -frames:v 1 -vf "$(to bt601)" -pix_fmt yuv444p10le -c:v prores_ks -profile:v 4444 -alpha_bits 0 -qscale:v 20

# --- alpha: the left half opaque, the right half gone ---
half="format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(X,80)'"
alpha='[{"x":20,"y":20,"rgb":[200,60,40],"alpha":255,"tolerance":8},{"x":140,"y":20,"alpha":0,"tolerance":2}]'
video alpha.mov "ProRes 4444 with alpha" "$at_160,\"alpha\":true,\"videoCodec\":\"prores\"" "$alpha" -frames:v 1 -vf "$half,$(to bt601)" -pix_fmt yuva444p10le \
  -c:v prores_ks -profile:v 4444 -qscale:v 20
video alpha.webm "VP9 with alpha in a second picture" "$at_160,\"alpha\":true,\"videoCodec\":\"vp9\"" "$alpha" -vf "$half,$(to bt601)" -pix_fmt yuva420p -c:v libvpx-vp9 -crf 20 -b:v 0 -auto-alt-ref 0

# --- colours ---
video range-full.mp4 "H.264, full range by its tag" "$at_160" "$upright" -vf "$(to bt601 pc)" -color_range pc -colorspace smpte170m "${x264[@]}"
video matrix-601.mp4 "BT.601 by its tag" "$at_160" "$upright" -vf "$(to bt601)" -colorspace smpte170m "${x264[@]}"
video matrix-709.mp4 "BT.709 by its tag" "$at_160" "$upright" -vf "$(to bt709)" -colorspace bt709 "${x264[@]}"
video untagged-small.mp4 "no tags, below 720 rows: BT.601" "$at_160" "$upright" -vf "$(to bt601)" "${x264[@]}"
video untagged-large.mp4 "no tags, 720 rows: BT.709" '"width":1280,"height":720' "$(patches 1280 720 "$red" "$green" "$blue" "$yellow")" \
  -frames:v 1 -vf "scale=1280:720:flags=neighbor:out_color_matrix=bt709,setsar=1" "${x264[@]}"
video untagged-wide.mp4 "no tags, 1280 columns: BT.709" '"width":1280,"height":96' "$(patches 1280 96 "$red" "$green" "$blue" "$yellow")" \
  -frames:v 1 -vf "scale=1280:96:flags=neighbor:out_color_matrix=bt709,setsar=1" "${x264[@]}"
# The colours in sRGB: worked out with the matrix of ITU-R BT.2087 and sRGB's curve.
video bt2020.mp4 "BT.2020 primaries with a standard range" "$at_160,\"hdr\":null" \
  "$(patches 160 96 '"rgb":[247,0,23]' '"rgb":[0,169,51]' '"rgb":[0,70,199]' '"rgb":[237,198,0]')" \
  -vf "$(to bt2020)" -colorspace bt2020nc -color_primaries bt2020 -color_trc bt2020-10 "${x264[@]}"
video odd-tags.mp4 "tags that contradict one another: there is a poster all the same" "$at_160" "" \
  -vf "$(to bt601)" -colorspace ycgco -color_primaries film -color_trc log316 "${x264[@]}"

# Signals of known light; what a standard display shows of them comes from the formulas (ToneMapTests): a paper white of 203 cd/m², a
# grey, a skin and a highlight. A skin that stays grey, or a highlight that is as white as paper, is what to look for.
signals=(-f lavfi -i "color=black:s=160x96:r=5:d=1,format=gbrp10le,geq=r='if(lt(Y,48),if(lt(X,80),593,409),if(lt(X,80),460,665))':
  g='if(lt(Y,48),if(lt(X,80),593,409),if(lt(X,80),307,665))':b='if(lt(Y,48),if(lt(X,80),593,409),if(lt(X,80),205,665))'")
high() { # NAME TRANSFER PATCHES
  local tags=(-color_primaries bt2020 -colorspace bt2020nc -color_trc "$2")
  ff "${signals[@]}" -vf "$(to bt2020),format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=$2:colorspace=bt2020nc:range=tv" "${tags[@]}" \
    -c:v libx265 -crf 12 -x265-params log-level=none:pools=1:frame-threads=1 -tag:v hvc1 "videos/$1.mp4"
  record "videos/$1.mp4" "HEVC of 10 bits, BT.2020, $2: mapped to a standard display" "ffmpeg geq, x265" \
    "{\"kind\":\"video\",$at_160,\"hdr\":\"${1/10/}\",\"error\":null}" "$3"
}
high pq10 smpte2084 "$(patches 160 96 '"rgb":[229,229,229]' '"rgb":[111,111,111]' '"rgb":[174,41,11]' '"rgb":[249,249,249]' 8)"
high hlg10 arib-std-b67 "$(patches 160 96 '"rgb":[165,165,165]' '"rgb":[107,107,107]' '"rgb":[135,72,46]' '"rgb":[194,194,194]' 8)"

# Dolby Vision 8.4, as telephones record it: the HLG video with the box that announces it (ETSI TS 103 572; Dolby Vision Streams Within the
# ISO Base Media File Format, 3.2). Who does not know it plays the video below, and so does a poster.
# shellcheck disable=SC2016 # perl's variables
bytes 'my ($in, $out) = @ARGV; my $b = slurp($in); my $box = pack "Na4CCn", 32, "dvvC", 1, 0, 8 << 9 | 4 << 3 | 5; $box .= pack "Cx19", 4 << 4;
  my $entry = index($b, "hvc1", index($b, "stsd")) - 4; my $end = $entry + unpack("N", substr($b, $entry, 4));
  for my $name (qw(moov trak mdia minf stbl stsd hvc1)) { my $at = index($b, $name, index($b, "moov")) - 4;
    substr($b, $at, 4) = pack "N", unpack("N", substr($b, $at, 4)) + length $box }
  substr($b, $end, 0) = $box; spew($out, $b)' videos/hlg10.mp4 videos/dolby-vision-8.mp4
record videos/dolby-vision-8.mp4 "Dolby Vision 8.4 over HLG: shown as the video below it is" "hlg10.mp4 with a dvvC box" \
  "{\"kind\":\"video\",$at_160,\"hdr\":\"hlg\",\"error\":null}" \
  "$(patches 160 96 '"rgb":[165,165,165]' '"rgb":[107,107,107]' '"rgb":[135,72,46]' '"rgb":[194,194,194]' 8)"

# --- shapes ---
ff "${still[@]}" -vf "$(to bt601)" "${x264[@]}" "$tmp/plain.mp4"
# turned FILE PROVES FACTS PIXELS MATRIX: the nine numbers of the track header's matrix, the first four and the two of the place in whole numbers.
turned() {
  # shellcheck disable=SC2016 # perl's variables
  bytes 'my ($in, $out, @m) = @ARGV; my $b = slurp($in); my ($a, $c, $d, $e, $x, $y) = map { ($_ << 16) & 0xFFFFFFFF } @m;
    substr($b, index($b, "tkhd") + 44, 36) = pack "N9", $a, $c, 0, $d, $e, 0, $x, $y, 0x40000000; spew($out, $b)' "$tmp/plain.mp4" "videos/$1" "${@:5}"
  record "videos/$1" "$2" "four patches, the matrix written in" "{\"kind\":\"video\",$3,\"error\":null}" "$4"
}
turned turn-90.mp4 "a display matrix that turns by 90°" '"width":96,"height":160,"rotation":90' "$(patches 96 160 "$blue" "$red" "$yellow" "$green")" 0 1 -1 0 96 0
turned turn-180.mp4 "a display matrix that turns by 180°" "$at_160,\"rotation\":180" "$(patches 160 96 "$yellow" "$blue" "$green" "$red")" -1 0 0 -1 160 96
turned turn-270.mp4 "a display matrix that turns by 270°" '"width":96,"height":160,"rotation":270' "$(patches 96 160 "$green" "$yellow" "$red" "$blue")" 0 -1 1 0 0 160
turned mirrored.mp4 "a display matrix that mirrors, as front cameras write it" "$at_160" "$(patches 160 96 "$green" "$red" "$yellow" "$blue")" -1 0 0 1 160 0
video anamorphic.mpg "pixels 16:11 as wide as high in MPEG-2, which only the pictures say" '"width":171,"height":96' "$(patches 171 96 "$red" "$green" "$blue" "$yellow")" \
  -vf "$(to bt601),setdar=16/9" -r 25 -c:v mpeg2video -q:v 3 -f vob
# A white bar that jumps from one field to the next: the weaving of both shows a comb.
# Without ff, whose own -flags would replace these.
ffmpeg -hide_banner -loglevel error -nostdin -y -f lavfi -i "color=black:s=96x96:r=50:d=0.4,format=yuv420p,geq=lum='16+219*lt(mod(X+48*mod(N,2),96),48)':cb=128:cr=128,tinterlace=interleave_top" \
  -c:v mpeg2video -q:v 2 -flags +ilme+ildct+bitexact -top 1 -fflags +bitexact -threads 1 -pix_fmt yuv420p -f vob videos/interlaced.mpg
record videos/interlaced.mpg "interlaced: of two fields one is shown" "ffmpeg tinterlace" '{"kind":"video","width":96,"height":96,"error":null}' \
  '[{"x":20,"y":40,"rgb":[255,255,255],"tolerance":8},{"x":20,"y":41,"rgb":[255,255,255],"tolerance":8},{"x":80,"y":40,"rgb":[0,0,0],"tolerance":8},{"x":80,"y":41,"rgb":[0,0,0],"tolerance":8}]'

# --- the choice: a fifth of something that is no poster, then a landscape ---
landscape "$tmp/scene.png" 192 108 1.7 0.6 0.25 40,70,140 250,200,150 120,110,140 70,90,80 30,60,35 90,70,20
ground='[{"x":96,"y":100,"rgb":[17,41,21],"tolerance":25},{"x":60,"y":8,"rgb":[71,84,140],"tolerance":25}]'
choice() { # NAME PROVES FILTER-OF-THE-FIRST-PART
  ff -f lavfi -i "$3" -loop 1 -framerate 5 -i "$tmp/scene.png" -filter_complex \
    "[0:v]scale=192:108,setsar=1,format=yuv420p,trim=end_frame=10,setpts=N/5/TB[a];[1:v]format=yuv420p,setsar=1,trim=end_frame=30,setpts=N/5/TB[b];[a][b]concat=n=2:v=1" \
    -r 5 -c:v libx264 -preset veryfast -crf 28 -g 5 -keyint_min 5 -sc_threshold 0 -x264-params threads=1 "videos/choice-$1.mp4"
  record "videos/choice-$1.mp4" "$2 loses to a picture with content" "two seconds of $1, six of a landscape; a key frame each second" \
    '{"kind":"video","width":192,"height":108,"duration":8.0,"error":null}' "$ground"
}
choice black "a black intro" "color=black:s=192x108:r=5:d=2"
choice white "a white flash" "color=white:s=192x108:r=5:d=2"
choice uniform "one colour" "color=0x306090:s=192x108:r=5:d=2"
choice blurred "a frame out of focus" "movie='$tmp/scene.png',loop=loop=-1:size=1,setpts=N/5/TB,boxblur=14:3"
choice fade "a frame that is fading in" "movie='$tmp/scene.png',loop=loop=-1:size=1,setpts=N/5/TB,lutrgb=r=val*0.12:g=val*0.12:b=val*0.12"
choice title "a title card" "color=0x101830:s=192x108:r=5:d=2,drawtext=fontfile=$font:text='A FILM':fontcolor=white:fontsize=24:x=50:y=42"

# --- odd videos ---
ffmpeg -hide_banner -loglevel error -nostdin -y -i "$tmp/patches.png" -c copy -disposition:v:0 attached_pic -fflags +bitexact videos/cover-only.mp4
record videos/cover-only.mp4 "the only picture is a cover" "four patches as the cover of an empty movie, ffmpeg" \
  '{"kind":"video","type":"video/mp4","coverArt":true,"width":null,"videoCodec":null,"error":null}' "$upright"
video one-frame.mp4 "a video of one frame" "$at_160" "$upright" -frames:v 1 -vf "$(to bt601)" "${x264[@]}"
ff -loop 1 -framerate 10 -i "$tmp/scene.png" -t 2 -vf "fade=in:0:8,format=yuv420p" -c:v libx264 -preset veryfast -crf 28 -g 250 -x264-params threads=1 videos/fade-in.mp4
record videos/fade-in.mp4 "the only key frame is black: what follows is looked at" "a landscape that fades in, ffmpeg" \
  '{"kind":"video","width":192,"height":108,"error":null}' "$ground"
ff -loop 1 -framerate 5 -i "$tmp/scene.png" -t 8 -pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 28 -g 5 -x264-params threads=1 -movflags +faststart "$tmp/whole.mp4"
head -c $(($(stat -c %s "$tmp/whole.mp4") * 6 / 10)) "$tmp/whole.mp4" >videos/cut.mp4
record videos/cut.mp4 "cut short behind its index: a poster of what there is, and truncated" "the first 60 % of a video with its index in front" \
  '{"kind":"video","width":192,"height":108}' "$ground"
ff -loop 1 -framerate 5 -i "$tmp/scene.png" -t 4 -pix_fmt yuv420p -c:v mpeg4 -q:v 6 -g 5 "$tmp/whole.avi"
# shellcheck disable=SC2016 # perl's variables
bytes 'my ($in, $none, $bad) = @ARGV; my $b = slurp($in); my $at = rindex($b, "idx1"); spew($none, substr($b, 0, $at));
  my $size = length($b) - $at - 8; substr($b, $at + 8, $size) = "\xA5" x $size; spew($bad, $b)' "$tmp/whole.avi" videos/no-index.avi videos/bad-index.avi
record videos/no-index.avi "AVI without an index" "a landscape, ffmpeg mpeg4, its idx1 cut off" '{"kind":"video","width":192,"height":108}' "$ground"
record videos/bad-index.avi "AVI whose index is nonsense" "a landscape, ffmpeg mpeg4, its idx1 overwritten" '{"kind":"video","width":192,"height":108}' "$ground"
ff -loop 1 -framerate 5 -i "$tmp/scene.png" -t 4 -pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 28 -g 5 -x264-params threads=1 \
  -movflags frag_keyframe+empty_moov+default_base_moof videos/fragmented.mp4
record videos/fragmented.mp4 "a fragmented video with an index of fragments at its end" "a landscape, ffmpeg" '{"kind":"video","width":192,"height":108,"duration":4.0,"error":null}' "$ground"

# --- a still with a video behind it ---
vips jpegsave "$tmp/patches.png" videos/motion.jpg --Q 90 --strip
exif videos/motion.jpg -XMP-GCamera:MicroVideo=1 -XMP-GCamera:MicroVideoVersion=1 "-XMP-GCamera:MicroVideoOffset=$(stat -c %s "$tmp/plain.mp4")"
cat "$tmp/plain.mp4" >>videos/motion.jpg
record videos/motion.jpg "a motion photo: the still is shown, the video inside is a fact" "four patches, vips jpegsave, a video appended" \
  "{\"kind\":\"image\",\"type\":\"image/jpeg\",$at_160,\"motionPhoto\":true,\"duration\":null,\"error\":null}" "$upright"

# --- further tracks: a player may show another than the first ---
ff -loop 1 -framerate 5 -t 1 -i "$tmp/patches.png" -f lavfi -i "color=0x20b040:s=160x96:r=5:d=1" -map 0:v -map 1:v -vf "$(to bt601)" "${x264[@]}" "videos/two-tracks.mp4"
record videos/two-tracks.mp4 "two video tracks" "four patches and ffmpeg color, ffmpeg" \
  "{\"kind\":\"video\",\"error\":null,$at_160,\"videoCodec\":\"h264\",\"tracks\":2}" "$upright"
