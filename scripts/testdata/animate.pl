# animate.pl apng FRAME-%d.png OUT DELAY…: joins RGBA pictures into an APNG.
# animate.pl default FRAME-%d.png OUT DELAY…: the same with the first picture as an image that is no frame, and without a delay.
# animate.pl gif|webp IN OUT DELAY…: writes a delay in milliseconds into each frame.
# animate.pl many OUT COUNT: a GIF of so many tiny frames.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my $kind = shift;
my %kinds = (apng => \&apng, default => sub { apng(@_[0, 1], undef, @_[2 .. $#_]) }, gif => \&gif, webp => \&webp, many => \&many);
$kinds{$kind}->(@ARGV);

sub chunks {
  my ($png) = @_;
  my ($at, @found) = (8);
  while ($at < length $png) {
    my ($length, $type) = unpack 'N a4', substr($png, $at, 8);
    push @found, [$type, substr($png, $at + 8, $length)];
    $at += 12 + $length;
  }
  return @found;
}

sub apng {
  my ($pattern, $out, @delays) = @_;
  my ($result, $sequence) = ("\x89PNG\r\n\x1a\n", 0);
  for my $index (0 .. $#delays) {
    my @chunks = chunks(slurp(sprintf $pattern, $index + 1));
    my ($width, $height) = unpack 'N2', $chunks[0][1];
    $result .= png_chunk(@{ $chunks[0] }) . png_chunk('acTL', pack 'N2', scalar(grep { defined } @delays), 0) if $index == 0;
    $result .= png_chunk('fcTL', pack 'N5 n2 C2', $sequence++, $width, $height, 0, 0, $delays[$index], 1000, 0, 0)
      if defined $delays[$index];
    for my $data (map { $_->[1] } grep { $_->[0] eq 'IDAT' } @chunks) {
      $result .= $index == 0 ? png_chunk('IDAT', $data) : png_chunk('fdAT', pack('N', $sequence++) . $data);
    }
  }
  spew($out, $result . png_chunk('IEND', ''));
}

sub gif {
  my ($in, $out, @delays) = @_;
  my $gif = slurp($in);
  # A graphic control extension: 21 F9 04, flags, delay in hundredths, colour index, 00.
  my $count = $gif =~ s{(\x21\xF9\x04.)..(.\x00)}{$1 . pack('v', shift(@delays) / 10) . $2}segx;
  die "$count frames, not as many as delays\n" if @delays;
  spew($out, $gif);
}

sub webp {
  my ($in, $out, @delays) = @_;
  my $webp = slurp($in);
  my $at = 12;
  while ($at + 8 <= length $webp) {
    my ($type, $length) = unpack 'a4 V', substr($webp, $at, 8);
    substr($webp, $at + 8 + 12, 3) = substr(pack('V', shift @delays), 0, 3) if $type eq 'ANMF';
    $at += 8 + $length + $length % 2;
  }
  die "fewer frames than delays\n" if @delays;
  spew($out, $webp);
}

sub many {
  my ($out, $count) = @_;
  my $gif = 'GIF89a' . pack('v2 C3', 2, 2, 0x80, 0, 0) . pack('C6', 0, 0, 0, 255, 255, 255);
  # Codes of three bits: clear (4), then 0 or 1 twice, clear, twice again, end (5).
  for my $frame (1 .. $count) {
    my $bits = join '', map { scalar reverse sprintf '%03b', $_ } 4, $frame % 2, 0, 4, 0, 1, 5;
    $gif .= pack('C3 C v C2', 0x21, 0xF9, 4, 4, 2, 0, 0) . pack('C v4 C', 0x2C, 0, 0, 2, 2, 0)
      . pack('C C', 2, 3) . pack('b24', $bits . '0' x (24 - length $bits)) . "\0";
  }
  spew($out, "$gif\x3B");
}
