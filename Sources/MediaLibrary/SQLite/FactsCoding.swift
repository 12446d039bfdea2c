internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Encoding of facts in the catalogue.
enum FactsCoding {
  /// JSON without the facts that have columns of their own: digest, mismatch, failure.
  static func encode(_ info: MediaInfo, keepsLocation: Bool) throws -> Data {
    var info = info
    (info.sha256, info.mismatch, info.error) = (nil, nil, nil)
    if !keepsLocation { (info.latitude, info.longitude, info.altitude) = (nil, nil, nil) }
    return try JSONEncoder().encode(info)
  }

  /// Whether stored facts can be decoded.
  static func isDecodable(_ facts: Data) -> Bool { (try? JSONDecoder().decode(MediaInfo.self, from: facts)) != nil }

  static func encode(_ mismatch: MediaInfo.Mismatch?) throws -> String? {
    try mismatch.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
  }
}
