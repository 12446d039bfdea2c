# bitmaps.pl FORM OUT: six flat patches, three by two, 8 pixels each, as Windows bitmaps, icons and WBMP that no tool at hand writes.
# bitmaps.pl answers TOLERANCE [transparent|bilevel]: what the picture shows in their centres, as JSON.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my @patches = ([200, 40, 40], [48, 160, 72], [40, 72, 192], [224, 172, 104], [128, 128, 128], [248, 248, 248]);
my ($form, $out, @more) = @ARGV;
if ($form eq 'answers') {
  my %is = map { $_ => 1 } @more;
  print '[', join(',', map {
    my $place = '"x":' . (4 + 8 * ($_ % 3)) . ',"y":' . (4 + 8 * int($_ / 3));
    my $rgb = $is{bilevel} ? [($_ % 2 ? 255 : 0) x 3] : $patches[$_];
    $is{transparent} && $_ == 5 ? "{$place,\"alpha\":0}" : "{$place,\"rgb\":[" . join(',', @$rgb) . "],\"tolerance\":$out}";
  } 0 .. 5), "]\n";
  exit;
}

my ($width, $height) = (24, 16);
# Which patch each pixel belongs to, from the top down.
my @rows = map { my $y = $_; [map { int($y / 8) * 3 + int($_ / 8) } 0 .. $width - 1] } 0 .. $height - 1;
sub padded { return $_[0] . "\0" x (-length($_[0]) % 4) }
# The rows as pixels of a bitmap, last one first: code gives the bits of a patch.
sub pixels {
  my ($bits, $code) = @_;
  return join '', map {
    padded(pack 'B*', join '', map { substr unpack('B*', pack 'N', $code->($_)), 32 - $bits } @$_)
  } reverse @rows;
}
# Levels into the fields of a number that stands little-endian in the file.
sub fields {
  my ($bits, @masks) = @_;
  return sub {
    my @levels = (@{ $patches[$_[0]] }, $_[0] == 5 ? 0 : 255);
    my $value = 0;
    for (0 .. $#masks) {
      my $shift = 0;
      $shift++ until $masks[$_] >> $shift & 1;
      $value |= int($levels[$_] * ($masks[$_] >> $shift) / 255 + 0.5) << $shift;
    }
    return $bits == 16 ? unpack('n', pack 'v', $value) : unpack('N', pack 'V', $value);
  };
}
sub info { my ($size, $h, $bits, $compression) = @_; return pack('V V V v v V6', $size, $width, $h & 0xFFFFFFFF, 1, $bits, $compression, 0, 2835, 2835, 0, 0) }
sub bmp {
  my ($header, $pixels) = @_;
  return 'BM' . pack('V V V', 14 + length($header) + length $pixels, 0, 14 + length $header) . $header . $pixels;
}
# Masks behind a header of version 3, and inside one of version 4.
sub masked {
  my ($version, $bits, @masks) = @_;
  my $header = $version == 3 ? info(40, $height, $bits, 3) . pack('V3', @masks)
    : info(108, $height, $bits, 3) . pack('V4', @masks, (0) x (4 - @masks)) . 'BGRs' . "\0" x 48;
  return bmp($header, pixels($bits, fields($bits, @masks)));
}

# An icon or a pointer of one bitmap; behind its pixels the mask, in which the last patch is transparent.
sub icon {
  my ($type, $bits, $palette, $code, $masked) = @_;
  my $mask = pixels(1, sub { $masked && $_[0] == 5 });
  my $picture = info(40, 2 * $height, $bits, 0) . $palette . pixels($bits, $code) . $mask;
  return pack('v3 C4 v2 V2', 0, $type, 1, $width, $height, 0, 0, $type == 2 ? (3, 5) : (1, $bits), length $picture, 22) . $picture;
}
my $palette = join '', map { pack 'C4', reverse(@$_), 0 } @patches;
sub in_palette { return $palette . "\0" x (4 * $_[0] - length $palette) }
my $bgr = sub { my ($r, $g, $b) = @{ $patches[$_[0]] }; return $b << 16 | $g << 8 | $r };

my %forms = (
  'bmp-565' => sub { masked(3, 16, 0xF800, 0x07E0, 0x001F) },
  'bmp-4444' => sub { masked(4, 16, 0x00F0, 0x0F00, 0xF000, 0x000F) },
  'bmp-rgba' => sub { masked(4, 32, 0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF) },
  'bmp-1010' => sub { masked(3, 32, 0x3FF00000, 0x000FFC00, 0x000003FF) },
  'ico-32' => sub { icon(1, 32, '', fields(32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), 0) },
  # No alpha at all, as old programs write it: the mask counts.
  'ico-32-mask' => sub { icon(1, 32, '', fields(32, 0xFF0000, 0xFF00, 0xFF), 1) },
  'ico-8' => sub { icon(1, 8, in_palette(256), sub { $_[0] }, 1) },
  'ico-4' => sub { icon(1, 4, in_palette(16), sub { $_[0] }, 1) },
  'ico-1' => sub { icon(1, 1, pack('C8', 0, 0, 0, 0, 255, 255, 255, 0), sub { $_[0] % 2 }, 0) },
  'cur-24' => sub { icon(2, 24, '', $bgr, 1) },
  wbmp => sub { pack('C4', 0, 0, $width, $height) . join '', map { pack 'B*', join '', map { $_ % 2 } @$_ } @rows },
);
spew($out, $forms{$form}->());
