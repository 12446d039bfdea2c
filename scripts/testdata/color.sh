# Six flat patches whose right sRGB answer is known, in every way a picture can store colour. Sourced by testdata/generate.
# colors.pl works the codes out from the definitions of the colour spaces, not with a colour library: that would prove nothing
# about one.

# patches FORM OUT.png: see colors.pl for the forms.
patches() { perl "$parts/colors.pl" "$1" "$2"; }
# answers TOLERANCE: the centres of the six patches.
answers() { perl "$parts/colors.pl" answers "$1"; }
facts() { echo "{\"type\":\"$1\",\"width\":192,\"height\":128${2:+,$2},\"error\":null}"; }
colour() { record "color/$1" "$2" "$3" "$4" "$5"; }
by_hand="hand-written PNG, codes by formula"
in_jpeg="the PNG of the same patches through vips jpegsave at quality 98, profile kept"

patches srgb color/rgb8.png
colour rgb8.png "the patches in plain 8-bit sRGB" "$by_hand" "$(facts image/png '"alpha":false')" "$(answers 1)"
patches rgb16 color/rgb16.png
colour rgb16.png "16 bits a sample" "$by_hand" "$(facts image/png)" "$(answers 1)"
patches palette color/palette.png
colour palette.png "palette, two bits a pixel or more" "$by_hand" "$(facts image/png '"alpha":false')" "$(answers 1)"
patches palette-transparent color/palette-transparent.png
colour palette-transparent.png "palette whose last entry is transparent (tRNS)" "$by_hand" "$(facts image/png '"alpha":true')" \
  "$(perl "$parts/colors.pl" answers 1 transparent)"
patches rgba color/rgba.png
colour rgba.png "alpha channel: the last patch is transparent" "$by_hand" "$(facts image/png '"alpha":true')" \
  "$(perl "$parts/colors.pl" answers 1 transparent)"
patches key color/key-color.png
colour key-color.png "one colour declared transparent (tRNS of an RGB picture)" "$by_hand" "$(facts image/png '"alpha":true')" \
  "$(perl "$parts/colors.pl" answers 1 transparent)"
patches grey color/grey8.png
colour grey8.png "grey, 8 bits" "$by_hand" "$(facts image/png '"alpha":false')" "$(perl "$parts/colors.pl" answers 1 grey)"
patches grey16 color/grey16.png
colour grey16.png "grey, 16 bits" "$by_hand" "$(facts image/png)" "$(perl "$parts/colors.pl" answers 1 grey)"
patches grey1 color/grey1.png
colour grey1.png "grey, one bit: black and white" "$by_hand" "$(facts image/png)" "$(perl "$parts/colors.pl" answers 1 bilevel)"
patches grey-alpha color/grey-alpha.png
colour grey-alpha.png "grey with alpha: the last patch is transparent" "$by_hand" "$(facts image/png '"alpha":true')" \
  "$(perl "$parts/colors.pl" answers 1 grey transparent)"

# The profiles' names are what they say themselves.
patches p3 color/display-p3.png
colour display-p3.png "Display P3 by profile: taken for sRGB, the colours are pale" "$by_hand, profile by colors.pl" \
  "$(facts image/png '"colorProfile":"Display P3"')" "$(answers 2)"
patches adobe color/adobe-rgb.png
colour adobe-rgb.png "Adobe RGB (1998) by profile" "$by_hand, profile by colors.pl" \
  "$(facts image/png '"colorProfile":"Compatible with Adobe RGB (1998)"')" "$(answers 3)"
for space in display-p3 adobe-rgb; do
  vips jpegsave color/$space.png color/$space.jpg --Q 98 --subsample-mode off
done
colour display-p3.jpg "Display P3 in a JPEG" "$in_jpeg" "$(facts image/jpeg '"colorProfile":"Display P3"')" "$(answers 4)"
colour adobe-rgb.jpg "Adobe RGB in a JPEG" "$in_jpeg" "$(facts image/jpeg '"colorProfile":"Compatible with Adobe RGB (1998)"')" "$(answers 4)"
vips heifsave color/display-p3.png color/display-p3.heic --Q 95 --subsample-mode off
colour display-p3.heic "Display P3 in a HEIC, as phones write it" "the PNG through vips heifsave" \
  "$(facts image/heic '"colorProfile":"Display P3"')" "$(answers 6)"

vips colourspace color/grey8.png "$tmp/grey.v" b-w
vips jpegsave "$tmp/grey.v" color/grey.jpg --Q 98 --strip
colour grey.jpg "JPEG of one component" "vips jpegsave" "$(facts image/jpeg '"alpha":false')" "$(perl "$parts/colors.pl" answers 3 grey)"

# With a profile the answer is what the profile's table says.
patches inks "$tmp/inks.raw"
patches ink-profile "$tmp/inks.icc"
vips rawload "$tmp/inks.raw" "$tmp/raw.v" 192 128 4
vips copy "$tmp/raw.v" "$tmp/inks.v" --interpretation cmyk
vips jpegsave "$tmp/inks.v" color/cmyk-profile.jpg --Q 98 --profile "$tmp/inks.icc"
colour cmyk-profile.jpg "CMYK, inverted as Adobe's programs store it, with a profile that has to be used" "hand-written profile, vips jpegsave" \
  "$(facts image/jpeg '"colorProfile":"Odd inks"')" "$(perl "$parts/colors.pl" answers 5 inks)"

# Without one there is no right answer, only wrong ones; libvips' own CMYK profile says what is expected, widely.
vips icc_transform color/rgb8.png "$tmp/cmyk.v" cmyk --input-profile srgb
vips jpegsave "$tmp/cmyk.v" color/cmyk.jpg --Q 98 --strip
made="vips icc_transform to its built-in CMYK, profile stripped"
colour cmyk.jpg "CMYK without a profile: neither a negative nor a colour cast" "$made" "$(facts image/jpeg '"colorProfile":null')" "$(answers 45)"
vips tiffsave "$tmp/cmyk.v" color/cmyk.tif --compression deflate --strip
colour cmyk.tif "CMYK in a TIFF, not inverted" "$made" "$(facts image/tiff)" "$(answers 45)"
