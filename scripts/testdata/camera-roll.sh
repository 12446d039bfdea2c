# A phone's folder: what a person has, and what goes wrong in it. Sourced by testdata/generate.

dawn=(40,70,140 250,200,150 120,110,140 70,90,80 30,60,35 90,70,20)
noon=(60,130,220 190,220,245 130,160,190 80,140,90 60,110,40 60,60,40)
dusk=(70,30,90 250,120,60 110,60,90 70,40,60 35,20,30 120,80,10)
snow=(120,160,210 225,235,245 190,205,225 215,225,235 240,243,248 40,40,40)
desert=(90,160,220 240,220,180 200,140,90 220,170,100 235,190,120 60,50,20)
night=(5,8,30 40,50,90 20,25,50 14,18,34 8,10,18 140,140,150)

# photo NAME SCENE WIDTH HEIGHT PHASE SUNX SUNY: hills as a JPEG without metadata, and $tmp/NAME.png
photo() {
  local -n colours=$2
  landscape "$tmp/$1.png" "$3" "$4" "$5" "$6" "$7" "${colours[@]}"
  vips jpegsave "$tmp/$1.png" "$new/files/camera-roll/$1.jpg" --Q 78 --strip --optimize-coding
}

# shot NAME DATE [TAG…]: what a phone writes into each of its photos.
shot() {
  exif "camera-roll/$1" -Make=Kestrel "-Model=Kestrel 7" "-DateTimeOriginal=$2" "-CreateDate=$2" -ExposureTime=0.004 \
    -FNumber=1.8 -ISO=64 -FocalLength=5.7 "${@:3}"
}

# place LATITUDE LONGITUDE ALTITUDE: GPS tags.
place() {
  local ns=N ew=E
  [[ $1 != -* ]] || ns=S
  [[ $2 != -* ]] || ew=W
  printf '%s\n' "-GPSLatitude=${1#-}" "-GPSLatitudeRef=$ns" "-GPSLongitude=${2#-}" "-GPSLongitudeRef=$ew" \
    "-GPSAltitude=$3" -GPSAltitudeRef=0
}
made="formula landscape by ffmpeg geq, vips jpegsave, exiftool"

photo IMG_0001 dawn 1600 1200 0.4 0.7 0.25
exif_thumbnail camera-roll/IMG_0001.jpg "$tmp/IMG_0001.png"
mapfile -t gps < <(place 46.5581 7.8918 2061)
shot IMG_0001.jpg "2024:05:01 05:52:33" -OffsetTimeOriginal=+02:00 -Orientation=1 "${gps[@]}"
record camera-roll/IMG_0001.jpg "the ordinary photo: EXIF date with offset, place, camera, thumbnail" "$made" \
  '{"kind":"image","type":"image/jpeg","extension":"jpg","width":1600,"height":1200,"orientation":1,"make":"Kestrel","model":"Kestrel 7",
    "takenAt":"2024-05-01T05:52:33+02:00","takenAtSource":"exif","latitude":46.5581,"longitude":7.8918,"altitude":2061,
    "embeddedThumbnail":{"width":160,"height":120},"mismatch":null,"error":null}'

photo IMG_0002 noon 1600 1200 2.4 0.2 0.2
vips thumbnail "$tmp/IMG_0002.png" "$tmp/upright.png" 900 --height 1600 --crop centre
vips rot "$tmp/upright.png" "$tmp/stored.png" d270
vips jpegsave "$tmp/stored.png" camera-roll/IMG_0002.jpg --Q 78 --strip --optimize-coding
exif_thumbnail camera-roll/IMG_0002.jpg "$tmp/stored.png"
mapfile -t gps < <(place -22.9519 -43.2105 709.5)
shot IMG_0002.jpg "2024:05:01 12:14:09" -OffsetTimeOriginal=-03:00 -Orientation=6 "${gps[@]}"
record camera-roll/IMG_0002.jpg "portrait by EXIF orientation 6, its thumbnail turned with it; south and west are negative" "$made" \
  '{"type":"image/jpeg","width":900,"height":1600,"orientation":6,"takenAt":"2024-05-01T12:14:09-03:00","latitude":-22.9519,
    "longitude":-43.2105,"altitude":709.5,"embeddedThumbnail":{"width":160,"height":90},"error":null}'

photo IMG_0003 dusk 1600 480 1.1 0.5 0.38
vips rot "$tmp/IMG_0003.png" "$tmp/stored.png" d180
vips jpegsave "$tmp/stored.png" camera-roll/IMG_0003.jpg --Q 78 --strip --optimize-coding --interlace
shot IMG_0003.jpg "2024:05:01 20:41:57" -Orientation=3
record camera-roll/IMG_0003.jpg "panorama held upside down, progressive JPEG; a date without an offset stays without" "$made" \
  '{"type":"image/jpeg","width":1600,"height":480,"orientation":3,"takenAt":"2024-05-01T20:41:57","latitude":null,"longitude":null,
    "embeddedThumbnail":null,"error":null}'

photo IMG_0004 snow 1080 1080 3.3 0.8 0.2
shot IMG_0004.jpg "2024:01:14 11:03:20" -OffsetTimeOriginal=+01:00
record camera-roll/IMG_0004.jpg "square; no orientation tag, so no orientation" "$made" \
  '{"type":"image/jpeg","width":1080,"height":1080,"orientation":null,"takenAt":"2024-01-14T11:03:20+01:00","error":null}'

photo IMG_0005 desert 1200 1600 5.0 0.3 0.18
vips rot "$tmp/IMG_0005.png" "$tmp/stored.png" d90
vips jpegsave "$tmp/stored.png" camera-roll/IMG_0005.jpg --Q 75 --strip --optimize-coding
exif_thumbnail camera-roll/IMG_0005.jpg "$tmp/stored.png"
mapfile -t gps < <(place 31.2 -7.8629 1150)
shot IMG_0005.jpg "2024:02:29 16:30:00" -OffsetTimeOriginal=+01:00 -Orientation=8 "${gps[@]}"
record camera-roll/IMG_0005.jpg "portrait by orientation 8, taken on a 29th of February" "$made" \
  '{"type":"image/jpeg","width":1200,"height":1600,"orientation":8,"takenAt":"2024-02-29T16:30:00+01:00","latitude":31.2,
    "longitude":-7.8629,"altitude":1150,"error":null}'

photo IMG_0006 night 1200 900 0.9 0.75 0.2
rm camera-roll/IMG_0006.jpg
vips heifsave "$tmp/IMG_0006.png" camera-roll/IMG_0006.heic --Q 50 --strip
mapfile -t gps < <(place 64.1466 -21.9426 15)
shot IMG_0006.heic "2024:03:02 23:15:41" -OffsetTimeOriginal=+00:00 "${gps[@]}"
record camera-roll/IMG_0006.heic "HEIC with EXIF; an offset of zero is an offset" "formula landscape, vips heifsave (x265), exiftool" \
  '{"type":"image/heic","extension":"heic","width":1200,"height":900,"takenAt":"2024-03-02T23:15:41Z","takenAtSource":"exif",
    "latitude":64.1466,"longitude":-21.9426,"make":"Kestrel","error":null}'

photo IMG_0007 dawn 1280 720 4.2 0.4 0.22
rm camera-roll/IMG_0007.jpg
vips heifsave "$tmp/IMG_0007.png" camera-roll/IMG_0007.avif --Q 50 --compression av1 --effort 4 --strip
shot IMG_0007.avif "2024:04:07 06:40:12"
record camera-roll/IMG_0007.avif "AVIF with EXIF" "formula landscape, vips heifsave (aom), exiftool" \
  '{"type":"image/avif","extension":"avif","width":1280,"height":720,"takenAt":"2024-04-07T06:40:12","error":null}'

cat >"$tmp/chat.txt" <<'END'
drawbox=0:0:720:120:0x2f5d50:fill,drawtext=text='Ada':x=120:y=40:fontsize=40:fontcolor=white,
drawbox=30:180:470:110:0xffffff:fill,drawtext=text='Did you get the photos?':x=50:y=215:fontsize=34:fontcolor=0x202020,
drawbox=230:320:460:110:0xd9fdd3:fill,drawtext=text='All of them, thanks!':x=250:y=355:fontsize=34:fontcolor=0x202020,
drawbox=230:460:460:420:0xd9fdd3:fill,drawbox=30:910:520:110:0xffffff:fill,
drawtext=text='That one is my favourite':x=50:y=945:fontsize=34:fontcolor=0x202020,
drawbox=0:1440:720:120:0xffffff:fill,drawtext=text='Message':x=60:y=1480:fontsize=36:fontcolor=0x909090
END
sed -i "s|drawtext=|drawtext=fontfile=$font:|g" "$tmp/chat.txt"
vips thumbnail "$tmp/IMG_0001.png" "$tmp/inset.png" 440 --height 400 --crop centre
ff -f lavfi -i color=0xefe7de:s=720x1560:d=1:r=1 -i "$tmp/inset.png" \
  -filter_complex "[0]$(tr -d '\n' <"$tmp/chat.txt"),format=rgb24[chat];[chat][1]overlay=240:470,format=rgb24" -frames:v 1 "$tmp/chat.png"
vips pngsave "$tmp/chat.png" camera-roll/Screenshot_20240503-182210.png --palette --Q 90 --strip
record camera-roll/Screenshot_20240503-182210.png "a screenshot: palette PNG, tall, no EXIF" "ffmpeg drawbox and drawtext, vips pngsave" \
  '{"type":"image/png","extension":"png","width":720,"height":1560,"takenAt":null,"make":null,"error":null}'

ff -f lavfi -i "color=black@0:s=512x512:d=1:r=1,format=rgba,geq=r='if(lt(hypot(X-180,Y-200),34)+lt(hypot(X-332,Y-200),34),70,255)':g='if(lt(hypot(X-180,Y-200),34)+lt(hypot(X-332,Y-200),34),60,200)'
  :b='40':a='if(lt(hypot(X-256,Y-256),220),if(lt(abs(hypot(X-256,Y-256)-130),12)*gt(Y,290),0,255),0)'" -frames:v 1 "$tmp/sticker.png"
vips webpsave "$tmp/sticker.png" camera-roll/sticker.webp --Q 80 --strip
record camera-roll/sticker.webp "WebP with alpha" "ffmpeg geq, vips webpsave" \
  '{"type":"image/webp","extension":"webp","width":512,"height":512,"alpha":true,"error":null}'

ff -f lavfi -i "color=white:s=240x180:r=10:d=2.4,format=rgb24,geq=r='if(lt(hypot(X-120-80*cos(T*2.618),Y-90-50*sin(T*5.236)),26),230,250-Y/3)'
  :g='if(lt(hypot(X-120-80*cos(T*2.618),Y-90-50*sin(T*5.236)),26),60,240-X/4)':b='if(lt(hypot(X-120-80*cos(T*2.618),Y-90-50*sin(T*5.236)),26),70,255)',
  split[a][b];[a]palettegen=max_colors=48[p];[b][p]paletteuse=dither=none" camera-roll/dance.gif
record camera-roll/dance.gif "animated GIF, 24 frames of a tenth of a second" "ffmpeg geq" \
  '{"type":"image/gif","extension":"gif","width":240,"height":180,"frames":24,"animated":true,"duration":2.4,"error":null}'

# clip OUT CROP FILTER: two seconds of panning over the hills, with a beep.
clip() {
  ff -loop 1 -r 25 -i "$tmp/IMG_0003.png" -f lavfi -i "aevalsrc=0.1*sin(2*PI*220*t)*(1+sin(2*PI*3*t)):s=44100:c=mono" -t 2 \
    -vf "crop=$2,$3,format=yuv420p" -c:v libx264 -preset slow -crf 26 -c:a aac -b:a 64k -shortest "$1"
}
# Phones store portrait videos lying on their side. What FFmpeg 5.1 calls rotate=270 is a player's 90 degrees clockwise.
clip "$tmp/portrait.mp4" "270:480:n*8:0" transpose=cclock
ffmpeg -hide_banner -loglevel error -nostdin -y -i "$tmp/portrait.mp4" -c copy -metadata:s:v:0 rotate=270 \
  -metadata creation_time=2024-05-02T15:20:05Z -metadata location=+48.2082+016.3738/ -movflags +faststart camera-roll/VID_0008.mp4
record camera-roll/VID_0008.mp4 "portrait video by rotation, creation time in UTC, location, audio" "ffmpeg: pan over a picture, H.264 and AAC" \
  '{"kind":"video","type":"video/mp4","extension":"mp4","width":270,"height":480,"rotation":90,"duration":2.0,"frameRate":25,
    "videoCodec":"h264","audioCodec":"aac","channels":1,"sampleRate":44100,"takenAt":"2024-05-02T15:20:05Z","takenAtSource":"quicktime",
    "latitude":48.2082,"longitude":16.3738,"error":null}'

clip "$tmp/landscape.mp4" "768:432:200+n*6:20" "scale=480:270"
ffmpeg -hide_banner -loglevel error -nostdin -y -i "$tmp/landscape.mp4" -map_metadata -1 -c copy -movflags use_metadata_tags -metadata creation_time=2024-05-03T09:01:11Z \
  -metadata com.apple.quicktime.creationdate=2024-05-03T18:01:11+0900 -metadata com.apple.quicktime.make=Kestrel \
  -metadata "com.apple.quicktime.model=Kestrel 7" -metadata com.apple.quicktime.location.ISO6709=+35.6586+139.7454+040.500/ camera-roll/MOV_0009.mov
record camera-roll/MOV_0009.mov "QuickTime keys: date with its offset, ISO 6709 place with altitude, camera" "ffmpeg: pan over a picture, in MOV" \
  '{"type":"video/quicktime","extension":"mov","width":480,"height":270,"rotation":null,"duration":2.0,"takenAt":"2024-05-03T18:01:11+09:00",
    "latitude":35.6586,"longitude":139.7454,"altitude":40.5,"make":"Kestrel","model":"Kestrel 7","error":null}'

ffmpeg -hide_banner -loglevel error -nostdin -y -f lavfi -i "aevalsrc=0.3*sin(2*PI*(180+40*sin(2*PI*0.7*t))*t)*abs(sin(2*PI*1.3*t)):s=22050:c=mono:d=3" \
  -c:a aac -b:a 32k -flags:a +bitexact -metadata creation_time=2024-05-03T10:00:00Z -metadata "title=Voice memo" "camera-roll/Voice 001.m4a"
record "camera-roll/Voice 001.m4a" "an audio-only MP4 is audio; a name with a space" "ffmpeg aevalsrc, AAC" \
  '{"kind":"audio","type":"audio/mp4","extension":"m4a","duration":3.0,"audioCodec":"aac","channels":1,"sampleRate":22050,"width":null,
    "videoCodec":null,"title":"Voice memo","error":null}'

vips thumbnail "$tmp/IMG_0005.png" "$tmp/cover.jpg[Q=75,strip]" 300 --height 300 --crop centre
ff -f lavfi -i "aevalsrc=0.2*sin(2*PI*(261.63+68.37*gt(mod(t\,1)\,0.5))*t):s=44100:c=stereo:d=4" -i "$tmp/cover.jpg" -map 0 -map 1 -c:a libmp3lame -b:a 64k \
  -c:v copy -disposition:v attached_pic -id3v2_version 3 -metadata "title=Two Notes" -metadata "artist=The Sines" -metadata "album=Synthetic" camera-roll/two-notes.mp3
record camera-roll/two-notes.mp3 "an MP3 with a cover is audio, and says that it has one" "ffmpeg aevalsrc, LAME, the cover a formula landscape" \
  '{"kind":"audio","type":"audio/mpeg","extension":"mp3","duration":4.0,"audioCodec":"mp3","channels":2,"sampleRate":44100,"coverArt":true,
    "title":"Two Notes","artist":"The Sines","album":"Synthetic","width":null,"videoCodec":null,"error":null}'

perl "$parts/pdf.pl" camera-roll/boarding-pass.pdf "Boarding pass" "KE 1234   Vienna - Reykjavik   Seat 14A"
record camera-roll/boarding-pass.pdf "a PDF of one page" "hand-written PDF" \
  '{"kind":"document","type":"application/pdf","extension":"pdf","pages":1,"error":null}'

printf 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nTEL;TYPE=CELL:+15550100\r\nEMAIL:ada@example.org\r\nEND:VCARD\r\n' \
  >camera-roll/ada.vcf
record camera-roll/ada.vcf "a vCard is a contact" "hand-written" '{"kind":"contact","type":"text/vcard","extension":"vcf","error":null}'

printf 'Packing list\n- charger\n- gloves, warm ones\n- the good camera ☂\n' >camera-roll/notes.txt
record camera-roll/notes.txt "plain text in UTF-8" "hand-written" '{"kind":"text","type":"text/plain","extension":"txt","error":null}'

head -c 30000 camera-roll/IMG_0004.jpg >camera-roll/IMG_0010.jpg
record camera-roll/IMG_0010.jpg "a download that broke off: facts and an error" "the first 30,000 bytes of IMG_0004.jpg" \
  '{"type":"image/jpeg","width":1080,"height":1080,"takenAt":"2024-01-14T11:03:20+01:00","error":{"code":"truncated"}}'

vips thumbnail "$tmp/IMG_0007.png" "$tmp/small.png" 320
vips pngsave "$tmp/small.png" camera-roll/IMG_0011.jpg.png --palette --strip
mv camera-roll/IMG_0011.jpg.png camera-roll/IMG_0011.jpg
record camera-roll/IMG_0011.jpg "a PNG that is named .jpg" "formula landscape, vips pngsave, renamed" \
  '{"type":"image/png","extension":"png","width":320,"height":180,"mismatch":{"declared":"jpg","by":"extension","class":"format"},"error":null}'

mkdir -p "camera-roll/Sommer 2023"
photo IMG_0900 noon 1400 1050 5.9 0.6 0.15
mv camera-roll/IMG_0900.jpg "camera-roll/Sommer 2023/Küste.jpg"
exif_thumbnail "camera-roll/Sommer 2023/Küste.jpg" "$tmp/IMG_0900.png"
shot "Sommer 2023/Küste.jpg" "2023:07:21 14:45:00" -OffsetTimeOriginal=+02:00
record "camera-roll/Sommer 2023/Küste.jpg" "a subfolder, a space and a letter outside ASCII" "$made" \
  '{"type":"image/jpeg","width":1400,"height":1050,"takenAt":"2023-07-21T14:45:00+02:00","error":null}'
