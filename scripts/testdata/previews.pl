# previews.pl KIND PICTURE PREVIEW.jpg OUT: a file of the picture with another picture as its embedded preview.
# KIND: exif (the block alone), jpeg, mpf, png, webp, jxl, jp2: a file of that format. psd, tiff-*: the picture is given by its size as
# WIDTHxHEIGHT and is red; the preview of a TIFF is green. tiff-dng, -cr2, -nef, -arw: with the marks of a camera raw, and a JPEG as preview.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($kind, $picture, $preview, $out) = @ARGV;
my @red = (208, 32, 32);
my @green = (32, 176, 64);

# The second directory of an EXIF block holds the thumbnail (CIPA DC-008, 4.5.5).
sub block {
  my $jpeg = slurp($preview);
  return tiff([[ascii(0x10F, 'Maker')], [short(0x103, 6), blob(0x201, $jpeg), long(0x202, length $jpeg)]]);
}

my %kinds = (
  exif => \&block,
  jpeg => sub { return jpeg_insert(slurp($picture), [0xE1, "Exif\0\0" . block()]) },
  # A second image behind the first, in an index of both (CIPA DC-007): class 0x010002 is a large thumbnail.
  mpf => sub {
    my ($first, $second) = (slurp($picture), slurp($preview));
    my $index = sub {
      my ($size) = @_;
      my $entries = pack('V3 v2', 0x20030000, $size, 0, 0, 0) . pack('V3 v2', 0x00010002, length $second, $size - 10, 0, 0);
      return "MPF\0" . tiff([[[0xB000, 7, 4, '0100'], long(0xB001, 2), [0xB002, 7, length $entries, $entries]]]);
    };
    my $size = length jpeg_insert($first, [0xE2, $index->(0)]);
    return jpeg_insert($first, [0xE2, $index->($size)]) . $second;
  },
  png => sub {
    my $png = slurp($picture);
    return substr($png, 0, 33) . png_chunk('eXIf', block()) . substr($png, 33);
  },
  # The extended layout: VP8X with the flag for EXIF and the size, the image, EXIF (RFC 9649, 2.7).
  webp => sub {
    my $file = slurp($picture);
    my $at = index $file, 'VP8 ';
    my $image = substr $file, $at, 8 + unpack 'V', substr($file, $at + 4, 4);
    my ($width, $height) = map { $_ & 0x3FFF } unpack 'v2', substr($image, 14, 4);
    my $chunk = sub { my ($name, $data) = @_; return $name . pack('V', length $data) . $data . "\0" x (length($data) % 2) };
    my $body = $chunk->('VP8X', pack('V', 8) . substr(pack('V', $width - 1), 0, 3) . substr(pack('V', $height - 1), 0, 3))
      . $image . $chunk->('EXIF', block());
    return 'RIFF' . pack('V', 4 + length $body) . "WEBP$body";
  },
  # A bare codestream becomes a container: the signature, the brand, EXIF with the offset of its block, the codestream.
  jxl => sub {
    my $codestream = slurp($picture);
    my %boxes = substr($codestream, 0, 2) eq "\xFF\x0A" ? () : map { $_->[0] => $_ } find_boxes($codestream, 0, length $codestream);
    $codestream = substr($codestream, $boxes{jxlc}[1] + 8, $boxes{jxlc}[2] - 8) if %boxes;
    return box('JXL ', "\x0D\x0A\x87\x0A") . box('ftyp', "jxl \0\0\0\0jxl ") . box('Exif', "\0" x 4 . block()) . box('jxlc', $codestream);
  },
  jp2 => sub {
    my $file = slurp($picture);
    my ($codestream) = grep { $_->[0] eq 'jp2c' } find_boxes($file, 0, length $file);
    return substr($file, 0, $codestream->[1]) . box('uuid', 'JpgTiffExif->JP2' . block()) . substr($file, $codestream->[1]);
  },
  # Adobe Photoshop File Formats: resource 1036 is a header of 28 bytes and a JPEG.
  psd => sub {
    my ($width, $height) = split /x/, $picture;
    my $jpeg = slurp($preview);
    my $row = int(($width * 24 + 31) / 32) * 4;
    my $thumbnail = pack('N6 n2', 1, $width, $height, $row, $row * $height, length $jpeg, 24, 1) . $jpeg;
    my $resources = '8BIM' . pack('n n N', 1036, 0, length $thumbnail) . $thumbnail . "\0" x (length($thumbnail) % 2);
    # Compressed in runs: the lengths of all rows of each channel, then the rows.
    my $pixels = pack 'n', 1;
    my @rows = map { my $value = $_; my ($left, $packed) = ($width, ''); while ($left > 0) {
      my $run = $left > 128 ? 128 : $left; $packed .= pack('c C', 1 - $run, $value); $left -= $run } $packed } @red;
    $pixels .= pack('n', length $_) x $height for @rows;
    $pixels .= $_ x $height for @rows;
    return '8BPS' . pack('n x6 n N N n n N', 1, 3, $height, $width, 8, 3, 0) . pack('N', length $resources) . $resources . pack('N', 0) . $pixels;
  },
  'tiff-second' => sub { return tiff([page(0, @red), page(1, @green)]) },
  'tiff-first' => sub { return tiff([page(1, @green), page(0, @red)]) },
  'tiff-below' => sub { return tiff([[@{ page(0, @red) }, sub_ifds(0x14A, page(1, @green))]]) },
  'tiff-above' => sub { return tiff([[@{ page(1, @green) }, sub_ifds(0x14A, page(0, @red))]]) },
  'tiff-dng' => sub { return tiff([[@{ page(0, @red) }, bytes(0xC612, 1, 4, 0, 0), sub_ifds(0x14A, pointed())]]) },
  'tiff-cr2' => sub {
    return tiff([[@{ page(0, @red) }, ascii(0x10F, 'Canon')], pointed()], { header => 'CR' . pack('C2 V', 2, 0, 0) });
  },
  'tiff-nef' => sub { return raw_of('NIKON CORPORATION') },
  'tiff-arw' => sub { return raw_of('SONY') },
);

# The preview as the JPEG of a directory.
sub pointed {
  my $jpeg = slurp($preview);
  return [long(0xFE, 1), short(0x103, 6), blob(0x201, $jpeg), long(0x202, length $jpeg)];
}

# A reduced directory first, as these makers write it; below it the preview, and the picture in place of sensor data.
sub raw_of {
  my ($make) = @_;
  return tiff([[@{ page(1, @red) }, ascii(0x10F, $make), sub_ifds(0x14A, pointed(), page(0, @red))]]);
}

# A directory of one colour; reduced: a smaller version of another picture of the file (TIFF 6.0, NewSubfileType).
sub page {
  my ($reduced, @color) = @_;
  my ($width, $height) = split /x/, $picture;
  return [long(0xFE, $reduced), long(0x100, $width), long(0x101, $height), short(0x102, 8, 8, 8), short(0x103, 1), short(0x106, 2),
    short(0x115, 3), same_rows(pack('C3', @color) x $width, $height)];
}

spew($out, $kinds{$kind}->());
