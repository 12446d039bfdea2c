# Documents and cards that show something. Sourced by testdata/generate.

page() { # NAME PROVES FACTS
  perl "$parts/pages.pl" "$1" "pages/$1.pdf"
  record "pages/$1.pdf" "$2" "hand-written PDF" "{\"kind\":\"document\",\"type\":\"application/pdf\",\"extension\":\"pdf\",$3}"
}
page two "the first of two pages is shown: red, green and text; the second is blue" '"pages":2,"error":null'
page rotated "a page that is turned by a quarter before it is shown" '"pages":1,"error":null'
page huge "a page of a million points a side: drawn at the size asked for" '"pages":1,"error":null'
page password "a page that needs the password secret (RC4, 40 bits)" '"pages":null,"error":{"code":"encrypted"}'
page open "an encrypted page that needs no password" '"pages":1,"error":null'

landscape "$tmp/ada.png" 96 96 0.4 0.5 0.3 60,130,220 190,220,245 130,160,190 80,140,90 60,110,40 60,60,40
vips jpegsave "$tmp/ada.png" "$tmp/ada.jpg" --Q 60 --strip
card() { # VERSION NAME PROVES [FACTS]
  perl "$parts/vcard.pl" "$1" "$tmp/ada.jpg" "pages/$2.vcf"
  record "pages/$2.vcf" "$3" "hand-written, the photo a formula landscape" \
    "{\"kind\":\"contact\",\"type\":\"text/vcard\",\"extension\":\"vcf\",\"title\":\"Ada Lovelace\",\"error\":null${4:+,$4}}"
}
size='"embeddedThumbnail":{"width":96,"height":96}'
card 2.1 photo-2.1 "vCard 2.1: photo in base64 that begins on a line of its own" "$size"
card 3.0 photo-3.0 "vCard 3.0: photo with ENCODING=b, in a group" "$size"
card 4.0 photo-4.0 "vCard 4.0: photo in a data: address" "$size"
card address photo-elsewhere "a photo that lies elsewhere is never fetched; 192.0.2.1 is reserved for documentation" '"embeddedThumbnail":null'
