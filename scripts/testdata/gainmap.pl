# gainmap.pl xmp|iso BASE.jpg GAIN.jpg OUT.jpg: joins a picture and its gain map into one JPEG.
# xmp is what Android writes (Ultra HDR 1.0), iso is ISO 21496-1; both find the map by MPF (CIPA DC-007).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($kind, $base_path, $gain_path, $out) = @ARGV;
my ($base, $gain) = (slurp($base_path), slurp($gain_path));
my $xmp = "http://ns.adobe.com/xap/1.0/\0";
my $iso = "urn:iso:std:iso:ts:21496:-1\0";

sub packet {
  return $xmp . '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    . "<rdf:Description rdf:about=\"\" $_[0]</rdf:RDF></x:xmpmeta>";
}
my $hdrgm = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"';

if ($kind eq 'xmp') {
  $gain = jpeg_insert($gain, [0xE1, packet("$hdrgm hdrgm:GainMapMin=\"0\" hdrgm:GainMapMax=\"2\" hdrgm:Gamma=\"1\""
    . ' hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2"/>')]);
} else {
  # Versions, flags (one channel), the two headrooms in stops, then minimum, maximum, gamma and the two offsets.
  $gain = jpeg_insert($gain, [0xE2, $iso . pack('n2 C N14', 0, 0, 0, 0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64)]);
}
my $first = $kind eq 'xmp'
  ? [0xE1, packet("$hdrgm xmlns:Container=\"http://ns.google.com/photos/1.0/container/\""
    . ' xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory><rdf:Seq>'
    . '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>'
    . '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="'
    . length($gain) . '"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>')]
  : [0xE2, $iso . pack('n2', 0, 0)];

# MPF: offsets count from the byte order mark, which stands 8 bytes into the segment (marker, length, "MPF\0").
my $mpf = sub {
  my ($base_size, $gain_offset) = @_;
  my $entries = pack('V V V v2', 0x20030000, $base_size, 0, 0, 0) . pack('V V V v2', 0, length $gain, $gain_offset, 0, 0);
  return [0xE2, "MPF\0" . tiff([[[0xB000, 7, 4, '0100'], long(0xB001, 2), [0xB002, 7, 32, $entries]]])];
};
my $length = length jpeg_insert($base, $first, $mpf->(0, 0));
my $mark = 2 + 4 + length($first->[1]) + 8;
spew($out, jpeg_insert($base, $first, $mpf->($length, $length - $mark)) . $gain);
