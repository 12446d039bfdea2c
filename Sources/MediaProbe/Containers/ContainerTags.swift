internal import MediaModel

/// Applies the tags of a container: title, artist, album, camera, time and location.
enum ContainerTags {
  static func apply(_ tags: AVTags, to info: inout MediaInfo) {
    info.title = tags["title", "com.apple.quicktime.title"]
    info.artist = tags["artist", "author", "com.apple.quicktime.artist", "com.apple.quicktime.author", "performer"]
    info.album = tags["album", "com.apple.quicktime.album"]
    info.make = tags["com.apple.quicktime.make", "make", "com.android.manufacturer", "manufacturer"]
    info.model = tags["com.apple.quicktime.model", "model", "com.android.model"]
    if let time = takenAt(tags) {
      info.takenAt = time
      info.takenAtSource = isQuickTimeFamily(info.type) ? .quicktime : .container
    }
    // Apple's own key. `location` is libav's name for `loci` of 3GP and `©xyz` of QuickTime.
    if let place = tags["com.apple.quicktime.location.iso6709"].flatMap(ISO6709.init)
      ?? tags["location"].flatMap(ISO6709.init)
    {
      info.latitude = place.latitude
      info.longitude = place.longitude
      info.altitude = place.altitude
    }
  }

  /// Apple's creation date has local time and offset; older files have it in `©day` (libav: `date`). The movie header
  /// only has UTC.
  private static func takenAt(_ tags: AVTags) -> MediaInfo.CaptureTime? {
    let local =
      tags["com.apple.quicktime.creationdate"]
      ?? tags["date"].flatMap { MediaInfo.CaptureTime(iso8601: $0)?.utcOffset == nil ? nil : $0 }
    return local.flatMap(plausible) ?? tags["creation_time"].flatMap(plausible)
  }

  /// Rejects times before 1971: none of these formats existed, so it is an epoch (1904, 1970) from a clock that was
  /// never set.
  private static func plausible(_ text: String) -> MediaInfo.CaptureTime? {
    MediaInfo.CaptureTime(iso8601: text).flatMap { (1971...2100).contains($0.year) ? $0 : nil }
  }

  private static func isQuickTimeFamily(_ type: MediaType) -> Bool {
    [.mp4, .quickTime, .video3GPP, .video3GPP2, .motionJPEG2000, .mp4Audio, .audio3GPP, .audio3GPP2].contains(type)
  }
}
