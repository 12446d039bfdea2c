# raw.pl dng|cr2|nef|arw PREVIEW.jpg OUT: the skeleton of a camera raw: 640 by 480 sensor values that are all the same row,
# and a preview where that maker puts it. No maker's program would make a picture of it; what is in the header is right.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($kind, $preview_path, $out) = @ARGV;
my $preview = slurp($preview_path);
my ($width, $height) = (640, 480);
my $date = '2024:05:01 05:52:33';
my $exif = sub_ifds(0x8769, [ascii(0x9003, $date), rational(0x829A, 1, 250), short(0x8827, 100)]);
my @sensor = (long(0x100, $width), long(0x101, $height), short(0x102, 16), short(0x115, 1), same_rows(pack('v', 1000) x $width, $height));

# A JPEG as the pixels of a directory, and a JPEG that is only pointed to.
my @as_strip = (blob(0x111, $preview), long(0x117, length $preview));
my @pointed = (blob(0x201, $preview), long(0x202, length $preview));
my @preview_size = (long(0x100, 160), long(0x101, 120));
sub camera { return (ascii(0x10F, $_[0]), ascii(0x110, $_[1]), short(0x112, 1), ascii(0x132, $date), $exif) }

my %kinds = (
  # The thumbnail first, the raw in a sub-directory (DNG 1.4, chapter 2).
  dng => sub {
    tiff([[long(0xFE, 1), @preview_size, short(0x102, 8, 8, 8), short(0x103, 7), short(0x106, 6), short(0x115, 3),
      long(0x116, 120), @as_strip, camera('Kestrel', 'Kestrel 7'), ascii(0xC614, 'Kestrel 7'), bytes(0xC612, 1, 4, 0, 0),
      sub_ifds(0x14A, [long(0xFE, 0), @sensor, short(0x103, 1), short(0x106, 32803), short(0x828D, 2, 2), bytes(0x828E, 0, 1, 1, 2)])]]);
  },
  # A JPEG, a thumbnail, an RGB image (skipped) and the raw, in a chain.
  cr2 => sub {
    my $file = tiff(
      [[long(0x100, $width), long(0x101, $height), short(0x102, 8, 8, 8), short(0x103, 6), @as_strip, camera('Canon', 'Canon EOS 00D')],
        [@pointed], [@sensor, short(0x103, 6)]],
      { header => 'CR' . pack('C2 V', 2, 0, 0) });
    my $at = unpack 'V', substr($file, 4, 4);
    $at = unpack 'V', substr($file, $at + 2 + 12 * unpack('v', substr($file, $at, 2)), 4) for 1, 2;
    substr($file, 12, 4) = pack 'V', $at;
    return $file;
  },
  # A small RGB picture first; the preview and the raw in two sub-directories.
  nef => sub {
    tiff([[long(0xFE, 1), @preview_size, short(0x102, 8, 8, 8), short(0x103, 1), short(0x106, 2), short(0x115, 3),
      same_rows(pack('C3', 120, 130, 140) x 160, 120), camera('NIKON CORPORATION', 'NIKON D00'),
      sub_ifds(0x14A, [long(0xFE, 1), short(0x103, 6), @pointed], [long(0xFE, 0), @sensor, short(0x103, 34713), short(0x106, 32803)])]]);
  },
  # The preview beside the first directory's tags, the raw in a sub-directory.
  arw => sub {
    tiff([[long(0xFE, 1), short(0x103, 6), @pointed, camera('SONY', 'ILCE-00'),
      sub_ifds(0x14A, [long(0xFE, 0), @sensor, short(0x103, 32767), short(0x106, 32803)])]]);
  },
);
spew($out, $kinds{$kind}->());
