# One picture that must always look the same: red and green above, blue and yellow below, an F in the middle.
# Sourced by testdata/generate.

# upright OUT WIDTH HEIGHT
upright() {
  local w=$2 h=$3 u=$(($2 < $3 ? $2 / 12 : $3 / 12))
  ff -f lavfi -i "color=0xd02020:s=${w}x$h:d=1:r=1,drawbox=$((w / 2)):0:$((w / 2)):$((h / 2)):0x20a040:fill,
    drawbox=0:$((h / 2)):$((w / 2)):$((h / 2)):0x2040c0:fill,drawbox=$((w / 2)):$((h / 2)):$((w / 2)):$((h / 2)):0xe0c020:fill,
    drawbox=$((w / 2 - u)):$((h / 2 - 3 * u)):$u:$((6 * u)):white:fill,drawbox=$((w / 2 - u)):$((h / 2 - 3 * u)):$((3 * u)):$u:white:fill,
    drawbox=$((w / 2 - u)):$((h / 2 - u)):$((2 * u)):$u:white:fill,format=rgb24" -frames:v 1 "$1"
}

# stored IN ORIENTATION OUT: the pixels that stand upright once the orientation is applied.
stored() {
  case $2 in
  1) cp "$1" "$3" ;;
  2) vips flip "$1" "$3" horizontal ;;
  3) vips rot "$1" "$3" d180 ;;
  4) vips flip "$1" "$3" vertical ;;
  5) vips rot "$1" "$tmp/turned.png" d90 && vips flip "$tmp/turned.png" "$3" horizontal ;;
  6) vips rot "$1" "$3" d270 ;;
  7) vips rot "$1" "$tmp/turned.png" d270 && vips flip "$tmp/turned.png" "$3" horizontal ;;
  8) vips rot "$1" "$3" d90 ;;
  esac
}

# corners WIDTH HEIGHT: the four colours as displayed.
corners() {
  local x0=$(($1 / 8)) x1=$(($1 - $1 / 8)) y0=$(($2 / 8)) y1=$(($2 - $2 / 8))
  echo "[{\"x\":$x0,\"y\":$y0,\"rgb\":[208,32,32],\"tolerance\":6},{\"x\":$x1,\"y\":$y0,\"rgb\":[32,160,64],\"tolerance\":6},
    {\"x\":$x0,\"y\":$y1,\"rgb\":[32,64,192],\"tolerance\":6},{\"x\":$x1,\"y\":$y1,\"rgb\":[224,192,32],\"tolerance\":6}]"
}

made="ffmpeg drawbox, vips rot and flip, exiftool"
for shape in landscape:192:128 portrait:128:192; do
  IFS=: read -r name width height <<<"$shape"
  upright "$tmp/$name.png" "$width" "$height"
  for value in 1 2 3 4 5 6 7 8; do
    stored "$tmp/$name.png" $value "$tmp/stored.png"
    vips jpegsave "$tmp/stored.png" "orientation/$name-$value.jpg" --Q 92 --strip --subsample-mode off
    exif "orientation/$name-$value.jpg" -Orientation=$value
    # A thumbnail of the stored pixels, as cameras write it: it has to be turned as well.
    exif_thumbnail "orientation/$name-$value.jpg" "$tmp/stored.png"
    record "orientation/$name-$value.jpg" "EXIF orientation $value of a picture that is $name when upright" "$made" \
      "{\"type\":\"image/jpeg\",\"width\":$width,\"height\":$height,\"orientation\":$value,\"error\":null}" "$(corners "$width" "$height")"
  done
done

# The other places where an orientation can stand.
stored "$tmp/landscape.png" 6 "$tmp/stored.png"
facts() { echo "{\"type\":\"$1\",\"width\":192,\"height\":128,\"orientation\":$2,\"error\":null}"; }

vips pngsave "$tmp/stored.png" orientation/png-6.png --strip
exif orientation/png-6.png -Orientation=6
record orientation/png-6.png "orientation in PNG's eXIf chunk" "$made" "$(facts image/png 6)" "$(corners 192 128)"

vips webpsave "$tmp/stored.png" orientation/webp-6.webp --lossless --strip
exif orientation/webp-6.webp -Orientation=6
record orientation/webp-6.webp "orientation in WebP's EXIF chunk" "$made" "$(facts image/webp 6)" "$(corners 192 128)"

# Two frames: the picture, then all white.
ff -f lavfi -i "color=white:s=128x192:d=1:r=1,format=rgb24" -frames:v 1 "$tmp/stored-2.png"
cp "$tmp/stored.png" "$tmp/stored-1.png"
ff -framerate 5 -i "$tmp/stored-%d.png" -c:v libwebp_anim -lossless 1 orientation/animated-6.webp
exif orientation/animated-6.webp -Orientation=6
record orientation/animated-6.webp "orientation of an animated WebP: every frame has to be turned" "ffmpeg drawbox, vips rot, libwebp_anim, exiftool" \
  '{"type":"image/webp","width":192,"height":128,"orientation":6,"animated":true,"frames":2,"error":null}' "$(corners 192 128)"

vips tiffsave "$tmp/stored.png" orientation/tiff-6.tif --compression deflate --strip
exif orientation/tiff-6.tif -Orientation=6
record orientation/tiff-6.tif "orientation in the TIFF directory itself" "$made" "$(facts image/tiff 6)" "$(corners 192 128)"

# HEIF turns by its own properties; an EXIF orientation beside them has to be left alone, or the picture is turned twice.
vips heifsave "$tmp/stored.png" "$tmp/plain.heic" --Q 80 --strip
perl "$parts/heif-turn.pl" "$tmp/plain.heic" orientation/heic-irot.heic 3
record orientation/heic-irot.heic "HEIC turned by irot" "$made, irot by hand" \
  '{"type":"image/heic","width":192,"height":128,"error":null}' "$(corners 192 128)"
cp orientation/heic-irot.heic orientation/heic-irot-exif-6.heic
exif orientation/heic-irot-exif-6.heic -Orientation=6
record orientation/heic-irot-exif-6.heic "irot and EXIF say the same thing once each: turned once" "$made, irot by hand" \
  '{"type":"image/heic","width":192,"height":128,"error":null}' "$(corners 192 128)"
