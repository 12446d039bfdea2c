# tag-cover.pl KIND AUDIO OUT COVER…: covers in tags that no tool at hand writes. KIND is
#   id3v22   ID3v2.2, frames PIC
#   unsync   ID3v2.4 with unsynchronisation, frames APIC
#   ape      an APEv2 tag at the end, items "Cover Art (…)"
#   block    prints the first cover as METADATA_BLOCK_PICTURE for a Vorbis comment; AUDIO and OUT are not used
# A COVER is TYPE:FILE, the type a number of ID3v2's list: 3 is the front, 4 the back.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;
use MIME::Base64 ();

my ($kind, $audio, $out, @covers) = @ARGV;
@covers = map { my ($type, $file) = split /:/, $_, 2; { type => $type, bytes => slurp($file), mime => 'image/' . ($file =~ /(\w+)$/)[0] } } @covers;

# 28 bits, seven to a byte. ID3v2.4.0 structure, 6.2
sub synchsafe { return pack 'C4', map { ($_[0] >> $_) & 0x7F } 21, 14, 7, 0 }
sub id3 { my ($version, $flags, $frames) = @_; return 'ID3' . pack('C3', $version, 0, $flags) . synchsafe(length $frames) . $frames }

my %kinds = (
  id3v22 => sub {
    # Encoding, three letters of format, type, empty description. ID3v2.2.0, 4.15
    my $frames = join '', map {
      my $body = "\0" . uc(substr $_->{mime}, 6, 3) . chr($_->{type}) . "\0" . $_->{bytes};
      'PIC' . substr(pack('N', length $body), 1) . $body
    } @covers;
    spew($out, id3(2, 0, $frames) . slurp($audio));
  },
  unsync => sub {
    my $frames = join '', map {
      my $body = "\0$_->{mime}\0" . chr($_->{type}) . "\0" . $_->{bytes};
      my $length = synchsafe(length $body);
      # No FF is followed by what could be taken for the start of MPEG audio. ID3v2.4.0 structure, 6.1
      $body =~ s/\xFF(?=[\xE0-\xFF\0]|\z)/\xFF\0/g;
      # Flags: unsynchronisation, data length indicator.
      'APIC' . synchsafe(4 + length $body) . "\0\x03" . $length . $body
    } @covers;
    spew($out, id3(4, 0x80, $frames) . slurp($audio));
  },
  ape => sub {
    my %name = (3 => 'Cover Art (Front)', 4 => 'Cover Art (Back)');
    # Length, flags (2: binary), key, then a file name and the picture. APEv2 item
    my @items = map { my $value = "cover.png\0$_->{bytes}"; pack('V2', length $value, 2) . "$name{$_->{type}}\0$value" } @covers;
    my $body = join '', @items;
    my $edge = sub { 'APETAGEX' . pack('V4 x8', 2000, 32 + length $body, scalar @items, $_[0]) };
    spew($out, slurp($audio) . $edge->(0xA0000000) . $body . $edge->(0x80000000));
  },
  block => sub {
    my $cover = $covers[0];
    # Type, MIME type, description, width, height, depth, colours, picture. FLAC format, METADATA_BLOCK_PICTURE
    my ($width, $height) = unpack 'N2', substr($cover->{bytes}, 16, 8);
    print MIME::Base64::encode_base64(
      pack('N N/a* N N4 N/a*', $cover->{type}, $cover->{mime}, 0, $width, $height, 24, 0, $cover->{bytes}), '');
  },
);
$kinds{$kind}->();
