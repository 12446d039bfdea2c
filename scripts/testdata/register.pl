# register.pl RECORDS FILES OUT.json: turns what the parts recorded into the register, after comparing the facts with what
# exiftool and ffprobe say about the files. Ends with status 1, and writes nothing, when they disagree.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;
use Encode ();
use File::Find ();
use Image::ExifTool ();
use JSON::PP ();

my ($records, $folder, $out) = @ARGV;
my $json = JSON::PP->new->canonical->utf8;
my @fields = split /\0/, slurp($records), -1;
pop @fields;
die "odd records\n" if @fields % 5;

# What exiftool calls by another name than the registry of media types.
my %alias = (
  'image/apng' => 'image/png', 'image/x-ms-bmp' => 'image/bmp', 'image/x-icon' => 'image/vnd.microsoft.icon',
  'image/x-cursor' => 'image/x-win-bitmap',
  'application/vnd.adobe.photoshop' => 'image/vnd.adobe.photoshop',
);
my ($compared, @problems, @entries, %seen) = (0);
my $path;

sub compare {
  my ($key, $ours, $theirs, $tool, $tolerance) = @_;
  return if !defined $ours || !defined $theirs || $theirs eq '';
  $compared++;
  my $same = defined $tolerance ? abs($ours - $theirs) <= $tolerance : $ours eq $theirs;
  push @problems, "$path: $key is $ours, but $tool says $theirs" if !$same;
}

sub with_exiftool {
  my ($facts) = @_;
  my $tool = Image::ExifTool->new;
  $tool->Options(PrintConv => 0, Duplicates => 0, LargeFileSupport => 1);
  my $info = $tool->ImageInfo("$folder/$path");
  my $type = $info->{MIMEType};
  $type = $alias{$type} // $type if defined $type;
  my $kind = $facts->{kind} // 'image';
  # Of the types that are no pictures exiftool knows few by their registered names; an AVIF sequence is a video to it.
  return if $kind ne 'image';
  compare('type', $facts->{type}, $type, 'exiftool') if !$facts->{animated} || $type !~ /^video/;

  my ($width, $height) = @$info{qw(ImageWidth ImageHeight)};
  ($width, $height) = () if ($width // '') =~ /\D/;  # an SVG's, with units
  my $turned = ($info->{Orientation} // 1) =~ /^[5-8]$/ && ($facts->{type} // '') !~ /hei[cf]|avif/ || ($info->{Rotation} // 0) % 180 == 90;
  ($width, $height) = ($height, $width) if $turned;
  compare('width', $facts->{width}, $width, 'exiftool');
  compare('height', $facts->{height}, $height, 'exiftool');
  compare('orientation', $facts->{orientation}, $info->{Orientation}, 'exiftool');
  compare('make', $facts->{make}, $info->{Make}, 'exiftool');
  compare('model', $facts->{model}, $info->{Model}, 'exiftool');
  compare('latitude', $facts->{latitude}, $info->{GPSLatitude}, 'exiftool', 1e-6);
  compare('longitude', $facts->{longitude}, $info->{GPSLongitude}, 'exiftool', 1e-6);
  compare('altitude', $facts->{altitude}, $info->{GPSAltitude}, 'exiftool', 1e-3);
  compare('colorProfile', $facts->{colorProfile}, $info->{ProfileDescription}, 'exiftool');
  compare('frames', $facts->{frames}, $info->{FrameCount} // $info->{AnimationFrames}, 'exiftool');
  if (defined $facts->{takenAt} && defined(my $date = $info->{DateTimeOriginal})) {
    $date =~ s/^(\d+):(\d+):(\d+) /$1-$2-$3T/;
    my $offset = $info->{OffsetTimeOriginal} // '';
    $offset = 'Z' if $offset eq '+00:00';
    compare('takenAt', $facts->{takenAt}, $date . $offset, 'exiftool');
  }
}

sub with_ffprobe {
  my ($facts) = @_;
  open my $pipe, '-|', 'ffprobe', '-v', 'error', '-of', 'json', '-show_streams', '-show_format', "$folder/$path" or die "ffprobe: $!\n";
  my $probe = $json->decode(do { local $/; scalar <$pipe> });
  close $pipe;
  my ($video, @others) = grep { $_->{codec_type} eq 'video' && !$_->{disposition}{attached_pic} } @{ $probe->{streams} };
  compare('tracks', $facts->{tracks}, 1 + @others, 'ffprobe');
  my ($audio) = grep { $_->{codec_type} eq 'audio' } @{ $probe->{streams} };
  compare('duration', $facts->{duration}, $probe->{format}{duration}, 'ffprobe', 0.06);
  compare('audioCodec', $facts->{audioCodec}, $audio->{codec_name}, 'ffprobe');
  compare('sampleRate', $facts->{sampleRate}, $audio->{sample_rate}, 'ffprobe');
  compare('channels', $facts->{channels}, $audio->{channels}, 'ffprobe');
  for my $tag (qw(title artist album)) {
    my %tags = (%{ $audio->{tags} // {} }, %{ $probe->{format}{tags} // {} });
    compare($tag, $facts->{$tag}, $tags{$tag} // $tags{ uc $tag }, 'ffprobe');
  }
  return if !$video;
  my ($width, $height) = @$video{qw(width height)};
  my ($numerator, $denominator) = split /:/, $video->{sample_aspect_ratio} // '1:1';
  $width = int($width * $numerator / $denominator + 0.5) if $numerator && $denominator;
  my ($rotation) = grep { defined } map { $_->{rotation} } @{ $video->{side_data_list} // [] };
  ($width, $height) = ($height, $width) if ($rotation // 0) % 180;
  compare('rotation', $facts->{rotation}, (360 - $rotation) % 360, 'ffprobe') if defined $rotation;
  compare('width', $facts->{width}, $width, 'ffprobe');
  compare('height', $facts->{height}, $height, 'ffprobe');
  compare('videoCodec', $facts->{videoCodec}, $video->{codec_name}, 'ffprobe');
  my %transfer = (smpte2084 => 'pq', 'arib-std-b67' => 'hlg');
  compare('hdr', $facts->{hdr}, $transfer{ $video->{color_transfer} // '' }, 'ffprobe');
  my ($rate, $per) = split m{/}, $video->{avg_frame_rate};
  compare('frameRate', $facts->{frameRate}, $rate / $per, 'ffprobe', 0.01) if $per;
  my $created = $probe->{format}{tags}{creation_time};
  $created =~ s/\.0+Z$/Z/ if defined $created;
  compare('takenAt', $facts->{takenAt}, $created, 'ffprobe') if ($facts->{takenAt} // '') =~ /Z$/;
}

while (my ($file, $proves, $made, $facts, $pixels) = splice @fields, 0, 5) {
  $path = Encode::decode('UTF-8', $file);
  die "$file is recorded twice\n" if $seen{$file}++;
  my $line = '{"path":' . $json->encode("$path") . ', "proves":' . $json->encode(Encode::decode('UTF-8', $proves)) . ",\n  \"made\":"
    . $json->encode(Encode::decode('UTF-8', $made));
  if ($facts ne '') {
    my $decoded = eval { $json->decode($facts) } or die "$file: bad facts: $facts\n";
    $line .= ",\n  \"facts\":" . $json->encode($decoded);
    # The tools are asked about whole files only: about broken ones each says something else.
    $path = $file;
    if (!$decoded->{error} && !$decoded->{mismatch}) {
      with_exiftool($decoded);
      with_ffprobe($decoded) if ($decoded->{kind} // '') =~ /video|audio/ && $file !~ /\.(mid|amr|awb)$/;
    }
  }
  $line .= ",\n  \"pixels\":" . $json->encode($json->decode($pixels)) if $pixels ne '';
  push @entries, [$file, "$line}"];
}

File::Find::find(sub {
  my $name = $File::Find::name =~ s{^\Q$folder\E/}{}r;
  push @problems, "$name has no record" if -f $_ && !$seen{$name};
}, $folder);

if (@problems) {
  print STDERR "$_\n" for @problems;
  exit 1;
}
spew($out, "[\n" . join(",\n", map { $_->[1] } sort { $a->[0] cmp $b->[0] } @entries) . "\n]\n");
printf STDERR "%d files; %d of their facts were compared with exiftool and ffprobe\n", scalar @entries, $compared;
