# Pictures and videos with a high dynamic range. Sourced by testdata/generate.

landscape "$tmp/base.png" 480 320 1.7 0.6 0.25 40,70,140 250,200,150 120,110,140 70,90,80 30,60,35 90,70,20
vips jpegsave "$tmp/base.png" "$tmp/base.jpg" --Q 80 --strip
# The gain map: bright where the sky is, at half the size.
ff -f lavfi -i "color=black:s=240x160:d=1:r=1,format=gray,geq=lum='255*exp(-hypot(X-144,Y-40)/50)'" -frames:v 1 "$tmp/gain.png"
vips jpegsave "$tmp/gain.png" "$tmp/gain.jpg" --Q 80 --strip

# The right picture is the base: shown alone, a gain map is a grey spot.
base_sky='[{"x":240,"y":20,"rgb":[59,85,143],"tolerance":40}]'
for kind in xmp iso; do
  perl "$parts/gainmap.pl" $kind "$tmp/base.jpg" "$tmp/gain.jpg" hdr/gainmap-$kind.jpg
done
record hdr/gainmap-xmp.jpg "JPEG with a gain map behind it (Ultra HDR: XMP and MPF): the SDR picture is what is shown" \
  "formula landscape, vips jpegsave, joined by gainmap.pl" \
  '{"type":"image/jpeg","width":480,"height":320,"hdr":"gainmap","mismatch":null,"error":null}' "$base_sky"
record hdr/gainmap-iso.jpg "JPEG with a gain map by ISO 21496-1 alone" "formula landscape, vips jpegsave, joined by gainmap.pl" \
  '{"type":"image/jpeg","width":480,"height":320,"hdr":"gainmap","mismatch":null,"error":null}' "$base_sky"

ramp=(-f lavfi -i "color=black:s=160x96:r=10:d=1,format=gbrp10le,geq=r='1023*X/W':g='1023*Y/H':b='300+10*N',format=yuv420p10le")
bt2020=(-color_primaries bt2020 -colorspace bt2020nc)
for curve in pq:smpte2084 hlg:arib-std-b67; do
  IFS=: read -r name trc <<<"$curve"
  filter="setparams=color_primaries=bt2020:color_trc=$trc:colorspace=bt2020nc:range=tv"
  ff "${ramp[@]}" -frames:v 1 -vf "$filter" "${bt2020[@]}" -color_trc "$trc" -c:v libaom-av1 -still-picture 1 -crf 30 -cpu-used 4 hdr/$name.avif
  record hdr/$name.avif "AVIF whose transfer is ${name^^}, 10 bits" "ffmpeg geq, libaom" \
    "{\"type\":\"image/avif\",\"width\":160,\"height\":96,\"hdr\":\"$name\",\"error\":null}"
  ff "${ramp[@]}" -vf "$filter" "${bt2020[@]}" -color_trc "$trc" -c:v libx265 -crf 28 -x265-params log-level=none:pools=1:frame-threads=1 -tag:v hvc1 hdr/$name.mp4
  record hdr/$name.mp4 "HEVC video whose transfer is ${name^^}" "ffmpeg geq, x265" \
    "{\"kind\":\"video\",\"type\":\"video/mp4\",\"width\":160,\"height\":96,\"hdr\":\"$name\",\"videoCodec\":\"hevc\",\"audioCodec\":null,\"duration\":1.0,\"error\":null}"
done

# Patches of known light: shown as they are stored they are pale and dark; what they are on a standard display is worked out by formula.
for form in pq:pq:BT.2020 hlg:hlg:BT.2020 pq-p3:pq:"Display P3"; do
  IFS=: read -r name transfer primaries <<<"$form"
  perl "$parts/colors.pl" "$name" "hdr/$name.png"
  record "hdr/$name.png" "${transfer^^} in primaries of $primaries, 16 bits, by cICP: has to be mapped to a standard display" \
    "hand-written PNG, signals by formula" "{\"type\":\"image/png\",\"width\":192,\"height\":128,\"hdr\":\"$transfer\",\"error\":null}" \
    "$(perl "$parts/colors.pl" answers 2 hdr)"
done
