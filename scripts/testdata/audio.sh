# Audio files with covers, known levels and voices. Sourced by testdata/generate.

# The front is red and the back is blue.
ff -f lavfi -i "color=0xC02020:s=48x48" -frames:v 1 -update 1 -pix_fmt rgb24 "$tmp/front.png"
ff -f lavfi -i "color=0x2040C0:s=48x48" -frames:v 1 -update 1 -pix_fmt rgb24 "$tmp/back.png"
ff -f lavfi -i "color=0x20A040:s=48x48" -frames:v 1 -update 1 -pix_fmt rgb24 "$tmp/other.png"
hum=(-f lavfi -i "sine=f=440:r=22050:d=0.3")
bare=$tmp/bare.mp3
ff "${hum[@]}" -c:a libmp3lame -b:a 32k -write_xing 0 -id3v2_version 0 "$bare"

cover() { echo "{\"kind\":\"audio\",\"type\":\"$1\",\"coverArt\":true,\"width\":null,\"error\":null}"; }
pictures() { # OUT KIND-OF-PICTURE… ; the pictures are $tmp/KIND.png
  local inputs=() maps=(-map 0) index=0 kind
  for kind in "${@:2}"; do
    inputs+=(-i "$tmp/${kind%%:*}.png")
    maps+=(-map $((index + 1)) "-metadata:s:v:$index" "comment=${kind#*:}")
    index=$((index + 1))
  done
  ff "${hum[@]}" "${inputs[@]}" "${maps[@]}" -disposition:v attached_pic -c:v copy "${codec[@]}" "$1"
}

codec=(-c:a libmp3lame -b:a 32k -id3v2_version 3)
pictures audio/back-front.mp3 "back:Cover (back)" "front:Cover (front)"
record audio/back-front.mp3 "ID3v2.3, APIC: the front cover behind the back cover" "ffmpeg, attached pictures" "$(cover audio/mpeg)"
pictures audio/no-front.mp3 "other:Other" "back:Cover (back)"
record audio/no-front.mp3 "no front cover: the first picture" "ffmpeg, attached pictures" "$(cover audio/mpeg)"
codec=(-c:a aac -b:a 24k -f ipod)
pictures audio/covr.m4a "front:Cover (front)"
record audio/covr.m4a "MP4, covr" "ffmpeg, attached picture" "$(cover audio/mp4)"
codec=(-c:a flac)
pictures audio/picture.flac "back:Cover (back)" "front:Cover (front)"
record audio/picture.flac "FLAC, PICTURE blocks: the front cover behind the back cover" "ffmpeg, attached pictures" "$(cover audio/flac)"

block=$(perl "$parts/tag-cover.pl" block - - "3:$tmp/front.png")
ff "${hum[@]}" -c:a libvorbis -q:a 0 -metadata "METADATA_BLOCK_PICTURE=$block" audio/block.ogg
record audio/block.ogg "Vorbis comment, METADATA_BLOCK_PICTURE" "ffmpeg, block of tag-cover.pl" "$(cover audio/ogg)"
ff -f lavfi -i "sine=f=440:r=48000:d=0.3" -c:a libopus -b:a 16k -metadata "METADATA_BLOCK_PICTURE=$block" audio/block.opus
record audio/block.opus "the same in Opus" "ffmpeg, block of tag-cover.pl" "$(cover audio/ogg)"

perl "$parts/tag-cover.pl" id3v22 "$bare" audio/id3v22.mp3 "4:$tmp/back.png" "3:$tmp/front.png"
record audio/id3v22.mp3 "ID3v2.2, PIC" "tag of tag-cover.pl" "$(cover audio/mpeg)"
ff -i "$tmp/front.png" -q:v 2 "$tmp/front.jpg"
perl "$parts/tag-cover.pl" unsync "$bare" audio/unsync.mp3 "3:$tmp/front.jpg"
record audio/unsync.mp3 "ID3v2.4, APIC, unsynchronised" "tag of tag-cover.pl" "$(cover audio/mpeg)"
perl "$parts/tag-cover.pl" ape "$bare" audio/ape.mp3 "4:$tmp/back.png" "3:$tmp/front.png"
record audio/ape.mp3 "APEv2 behind MP3" "tag of tag-cover.pl" "$(cover audio/mpeg)"
ff "${hum[@]}" -c:a wavpack -f wv "$tmp/bare.wv"
perl "$parts/tag-cover.pl" ape "$tmp/bare.wv" audio/ape.wv "4:$tmp/back.png" "3:$tmp/front.png"
record audio/ape.wv "APEv2 behind WavPack" "ffmpeg, tag of tag-cover.pl" "$(cover audio/x-wavpack)"

head -c 100 "$tmp/front.png" >"$tmp/cut.png"
perl "$parts/tag-cover.pl" id3v22 "$bare" audio/cut-cover.mp3 "3:$tmp/cut.png"
record audio/cut-cover.mp3 "a cover that is cut short: the waveform" "tag of tag-cover.pl" "$(cover audio/mpeg)"
# The header of a PNG of 40,000 by 40,000 pixels, and nothing behind it.
bytes 'spew($ARGV[0], "\x89PNG\r\n\x1a\n" . png_chunk("IHDR", pack("N2 C5", 40000, 40000, 8, 2, 0, 0, 0)) . png_chunk("IDAT", "x") . png_chunk("IEND", ""))' "$tmp/huge.png"
perl "$parts/tag-cover.pl" id3v22 "$bare" audio/huge-cover.mp3 "3:$tmp/huge.png"
record audio/huge-cover.mp3 "a cover that says it has 1.6 gigapixels: the waveform" "tag of tag-cover.pl" "$(cover audio/mpeg)"

# Levels: a quarter each at 1/4, at 1/2, at all there is, and silent.
steps="if(lt(t,0.25),0.25,if(lt(t,0.5),0.5,if(lt(t,0.75),0.99,0)))*sin(2*PI*500*t)"
level() { # FILE PROVES FFMPEG-ARGUMENTS…
  ff -f lavfi -i "aevalsrc='$steps':s=8000:d=1" "${@:3}" "audio/$1"
  record "audio/$1" "$2: levels 1/4, 1/2, 1 and 0, a quarter of a second each" "ffmpeg aevalsrc: ${*:3}" '{"kind":"audio","coverArt":null,"error":null}'
}
level steps-u8.wav "samples of 8 bits" -c:a pcm_u8
level steps-s16.wav "samples of 16 bits" -c:a pcm_s16le
level steps-s24.wav "samples of 24 bits" -c:a pcm_s24le
level steps-f32.wav "samples in floating point" -c:a pcm_f32le
level steps.flac "FLAC" -c:a flac
level steps.mp3 "MP3" -ar 22050 -c:a libmp3lame -b:a 32k
level steps.opus "a voice note: Opus in Ogg" -c:a libopus -b:a 16k
level steps.3gp "a voice note: AAC in 3GP" -c:a aac -b:a 24k -f 3gp

ff -f lavfi -i "aevalsrc='0.5*sin(2*PI*500*t)|-0.5*sin(2*PI*500*t)':s=8000:d=0.5" -c:a pcm_s16le audio/opposite.wav
record audio/opposite.wav "two channels that cancel out: silent in one" "ffmpeg aevalsrc" '{"kind":"audio","channels":2,"error":null}'
ff -f lavfi -i "aevalsrc='0.5*sin(2*PI*500*t)|0':s=8000:d=0.5" -c:a pcm_s16le audio/one-side.wav
record audio/one-side.wav "two channels, one of them silent" "ffmpeg aevalsrc" '{"kind":"audio","channels":2,"error":null}'
ff -f lavfi -i "anullsrc=r=8000:cl=mono:d=1" -c:a flac audio/silence.flac
record audio/silence.flac "nothing to be heard" "ffmpeg anullsrc" '{"kind":"audio","duration":1.0,"error":null}'
ff -f lavfi -i "aevalsrc='0.5':s=8000:d=0.000125" -c:a pcm_s16le audio/one-sample.wav
record audio/one-sample.wav "a single sample" "ffmpeg aevalsrc" '{"kind":"audio","error":null}'
perl "$parts/oddments.pl" amr-wb "" audio/voice.awb
record audio/voice.awb "AMR-WB: fifty frames of 20 ms" "hand-written frames" \
  '{"kind":"audio","type":"audio/amr-wb","duration":1.0,"audioCodec":"amr_wb","sampleRate":16000,"channels":1,"error":null}'
