public import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file in a catalogue, as listings give it.
public struct CatalogueFile: Sendable, Identifiable {
  /// Its row.
  public var id: FileID
  /// What a walk saw when it was last looked at.
  public var stamp: FileStamp
  /// How far it is.
  public var state: FileState
  /// What it is, as far as it is known.
  public var kind: MediaKind?
  /// The time that orders it: when it was taken, else when it was last written. Seconds since 1970 (R-MYM-7).
  public var time: Int
  /// Where ``time`` comes from: a source of ``MediaModel/MediaInfo/takenAtSource``, or `file` for the last write.
  public var timeSource: MediaInfo.TimeSource
  /// Where it was taken; nil when nobody knows, never 0,0 for that (R-MYM-6).
  public var location: Location?
  /// The digest of its content, when it was made.
  public var digest: ContentDigest?
  /// What to show before an image has arrived.
  public var placeholder: Placeholder?
  /// Whose it is.
  public var owner: String?
  /// The collection of the owner that it belongs to.
  public var collection: String?
  /// A title that somebody gave it, as it was given.
  public var title: String?
  /// A caption that somebody gave it, as it was given.
  public var caption: String?
  /// Why it failed.
  public var failure: MediaFailure?
  /// How often it failed since it last changed.
  public var attempts: Int
  /// The engine that looked into it last, and its version; empty before the first time.
  public var engine: String
  /// The facts as they are kept: JSON.
  let facts: [UInt8]
  let mismatch: MediaInfo.Mismatch?

  /// All facts; nil when none are known. Read from JSON at each call: a listing of thousands does not pay for what it does not show.
  public func info() throws(LibraryError) -> MediaInfo? {
    guard !facts.isEmpty else { return nil }
    do {
      var info = try JSONDecoder().decode(MediaInfo.self, from: Data(facts))
      info.mismatch = mismatch
      return info
    } catch {
      throw LibraryError(.corrupt, "The stored facts of a file cannot be decoded.", detail: "\(stamp.path): \(error)")
    }
  }
}

extension MediaInfo {
  /// The facts that may be told to others than the owner: without place and camera (R-MYM-28).
  public var forOthers: MediaInfo {
    var info = self
    (info.latitude, info.longitude, info.altitude) = (nil, nil, nil)
    (info.make, info.model) = (nil, nil)
    return info
  }
}

/// A place on the earth.
public struct Location: Hashable, Codable, Sendable {
  /// Who said it.
  public enum Source: String, Codable, Sendable, CaseIterable {
    /// The file itself (R-MYM-4).
    case file
    /// The device's location at the time (R-MYM-5).
    case device
    /// Somebody set it (R-MYM-6).
    case user
  }

  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Who said it.
  public var source: Source

  /// A place; nil when a coordinate is out of range or no number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil, source: Source) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    (self.altitude, self.source) = (altitude.flatMap { $0.isFinite ? $0 : nil }, source)
  }
}
