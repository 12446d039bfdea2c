# vcard.pl VERSION PHOTO OUT: a card with that JPEG in it, as the version writes it; with an address in place of it for "address".
use strict;
use warnings;
use MIME::Base64;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($version, $photo, $out) = @ARGV;
my $text = encode_base64(slurp($photo), '');
my $folded = sub { join "\r\n ", unpack '(A74)*', $_[0] };
my %line = (
  # An empty line ends the base64 of 2.1.
  '2.1' => "PHOTO;ENCODING=BASE64;TYPE=JPEG:\r\n " . $folded->($text) . "\r\n",
  '3.0' => $folded->("item1.PHOTO;ENCODING=b;TYPE=JPEG:$text"),
  '4.0' => $folded->("PHOTO:data:image/jpeg;base64,$text"),
  address => 'PHOTO;VALUE=uri:http://192.0.2.1/ada.jpg',
);
my $stated = $version eq 'address' ? '4.0' : $version;
spew($out, "BEGIN:VCARD\r\nVERSION:$stated\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\n$line{$version}\r\nTEL:+15550100\r\nEND:VCARD\r\n");
