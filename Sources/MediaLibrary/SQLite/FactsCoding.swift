internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Facts as the catalogue keeps them.
enum FactsCoding {
  /// JSON without what stands in columns of its own: digest, disagreement with the name, failure.
  static func encode(_ info: MediaInfo, keepsLocation: Bool) throws -> Data {
    var info = info
    (info.sha256, info.mismatch, info.error) = (nil, nil, nil)
    if !keepsLocation { (info.latitude, info.longitude, info.altitude) = (nil, nil, nil) }
    return try JSONEncoder().encode(info)
  }

  static func encode(_ mismatch: MediaInfo.Mismatch?) throws -> String? {
    try mismatch.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
  }
}
