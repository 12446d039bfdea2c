# What all parts of testdata/generate use. Sourced with $parts, $tmp and $new set, in the folder of the new files.

font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf

# need TOOL=PACKAGE…: ends with the packages of the tools that are missing. `make setup` installs what building and testing need; the
# rest of these only somebody who makes testdata/ again has use for.
need() {
  local pair missing=()
  for pair; do
    command -v "${pair%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  [[ -e $font ]] || missing+=(fonts-dejavu-core)
  if ((${#missing[@]} > 0)); then
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
    {
      echo "testdata/generate needs Debian packages that are not here: ${missing[*]}. As root:"
      echo "  apt-get install --no-install-recommends ${missing[*]}"
    } >&2
    exit 1
  fi
}

# record PATH PROVES MADE [FACTS [PIXELS]]: a line of the register.
# FACTS is a JSON object of `mediatool probe`'s keys; a null says that the key must be absent.
# PIXELS is a JSON array of {"x","y","rgb"[,"alpha"][,"tolerance"]}: what the upright sRGB picture shows there.
record() {
  [[ -e $1 ]] || { echo "$1 was not made" >&2 && exit 1; }
  printf '%s\0%s\0%s\0%s\0%s\0' "$1" "$2" "$3" "${4:-}" "${5:-}" >>"$new/records"
}

# ffmpeg that leaves out everything that changes from run to run; the last argument is the output.
ff() {
  local output=${*: -1}
  ffmpeg -hide_banner -loglevel error -nostdin -y "${@:1:$#-1}" -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -threads 1 "$output"
}

# exif FILE TAG…: writes metadata in place.
exif() { exiftool -q -q -n -overwrite_original "${@:2}" "$1"; }

# exif_thumbnail FILE PICTURE: the picture as a 160-pixel EXIF thumbnail of the file.
exif_thumbnail() {
  vips thumbnail "$2" "$tmp/thumbnail.jpg[Q=75,strip]" 160 --size down
  exiftool -q -q -overwrite_original "-ThumbnailImage<=$tmp/thumbnail.jpg" "$1"
}

# perl with the byte builders at hand: bytes SCRIPT ARGUMENTS…
bytes() { perl -I"$parts" -MBytes -we "$1" -- "${@:2}"; }

# landscape OUT WIDTH HEIGHT PHASE SUNX SUNY SKYTOP SKYBOTTOM HILL1 HILL2 HILL3 GLOW: hills under a sky, as a PNG.
# Colours are r,g,b; the phase moves the hills.
landscape() {
  local out=$1 size=$2x$3 phase=$4 sun_x=$5 sun_y=$6 channel expressions=()
  for channel in 1 2 3; do
    local c=()
    local colour
    for colour in "${@:7:6}"; do c+=("$(cut -d, -f$channel <<<"$colour")"); done
    expressions+=("'st(0,H*(0.46+0.05*sin(X/W*5+$phase)+0.02*sin(X/W*17+2*$phase)+0.004*sin(X/W*90)));
      st(1,H*(0.60+0.06*sin(X/W*3.1+1+$phase)+0.015*sin(X/W*23+$phase)+0.004*sin(X/W*130)));
      st(2,H*(0.78+0.05*sin(X/W*7+4+$phase)+0.008*sin(X/W*41)+0.006*sin(X/W*210)));
      st(3,hypot(X-$sun_x*W,Y-$sun_y*H)/W);
      clip(if(gt(Y,ld(2)),${c[4]}*(1-0.4*(Y-ld(2))/(H-ld(2)))+9*sin(X/5+Y/3)*sin(X/17)*sin(Y/7),
      if(gt(Y,ld(1)),${c[3]}*(1-0.2*(Y-ld(1))/(H-ld(1)))+5*sin(X/9+Y/4),
      if(gt(Y,ld(0)),${c[2]}+0.3*(Y-ld(0))*60/H,
      ${c[0]}+(${c[1]}-${c[0]})*Y/ld(0)+10*sin(X/W*9+3*sin(Y/H*14+$phase))*sin(Y/H*22)
      +${c[5]}*(exp(-ld(3)*9)+between(ld(3),0,0.03))))),0,255)'")
  done
  ffmpeg -hide_banner -loglevel error -nostdin -y -f lavfi -i "color=black:s=$size:r=1:d=1,format=gbrp,
    geq=r=${expressions[0]}:g=${expressions[1]}:b=${expressions[2]},noise=alls=5:all_seed=7" -frames:v 1 \
    -pix_fmt rgb24 -fflags +bitexact "$out"
}
