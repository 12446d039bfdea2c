public import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file in a catalogue, as listings return it.
public struct CatalogueFile: Sendable, Identifiable {
  /// Id of the file's row.
  public var id: FileID
  /// The file's state on disk when it was last examined.
  public var stamp: FileStamp
  /// Whether the file has been examined, has failed, has vanished or is quarantined.
  public var state: State
  /// The kind of media, if it is known.
  public var kind: MediaKind?
  /// The time that orders it: the capture time, or else the last write. Seconds since 1970 (R-MYM-7).
  public var time: Int
  /// The source of ``time``: one of `MediaInfo.takenAtSource`, or `file` for the last write.
  public var timeSource: MediaInfo.TimeSource
  /// Where it was taken; nil if that is not known, never 0,0 instead (R-MYM-6).
  public var location: Location?
  /// The digest of its content, if it was computed.
  public var digest: ContentDigest?
  /// The placeholder to show until an image is loaded.
  public var placeholder: Placeholder?
  /// The owner, if any.
  public var owner: String?
  /// The owner's collection to which it belongs, if any.
  public var collection: String?
  /// The title, unchanged as it was set.
  public var title: String?
  /// The caption, unchanged as it was set.
  public var caption: String?
  /// Why it failed, if it did.
  public var failure: MediaFailure?
  /// Number of failures since it last changed.
  public var attempts: Int
  /// The engine that examined it last, with its version; empty before the first time.
  public var engine: String
  /// The facts as JSON.
  let facts: [UInt8]
  let mismatch: MediaInfo.Mismatch?
  /// Whether its owner wants no location stored: facts that a file of somebody else shares may have one.
  let hidesLocation: Bool

  /// All facts; nil if none are known. Decodes JSON at each call, so that a listing of thousands costs only what is shown.
  public func info() throws(LibraryError) -> MediaInfo? {
    guard !facts.isEmpty else { return nil }
    do {
      var info = try JSONDecoder().decode(MediaInfo.self, from: Data(facts))
      info.mismatch = mismatch
      if hidesLocation { (info.latitude, info.longitude, info.altitude) = (nil, nil, nil) }
      // The digest and the mismatch have columns of their own. Without the digest, a tray could not recognise the same
      // content in another file (R-TRAY-8).
      info.sha256 = digest?.description
      return info
    } catch {
      throw LibraryError(
        .corrupt, "The stored metadata of a file cannot be decoded; `mediatool verify --repair` repairs it.",
        detail: "\(stamp.path): its metadata is not valid JSON")
    }
  }
}

extension MediaInfo {
  /// The facts that others than the owner may see: without location and camera (R-MYM-28), and without the digest, by which the
  /// original could be recognised elsewhere.
  public var forOthers: MediaInfo {
    var info = self
    (info.latitude, info.longitude, info.altitude) = (nil, nil, nil)
    (info.make, info.model, info.sha256) = (nil, nil, nil)
    return info
  }
}

/// A location on the earth.
public struct Location: Hashable, Codable, Sendable {
  /// Who stated a location.
  public enum Source: String, Codable, Sendable, CaseIterable {
    /// Stated in the file (R-MYM-4).
    case file
    /// The location of the device at the time (R-MYM-5).
    case device
    /// Set by a user (R-MYM-6).
    case user
  }

  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Who stated it: the file, a device or a user.
  public var source: Source

  /// A location; nil if a coordinate is out of range or not a number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil, source: Source) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    (self.altitude, self.source) = (altitude.flatMap { $0.isFinite ? $0 : nil }, source)
  }
}
