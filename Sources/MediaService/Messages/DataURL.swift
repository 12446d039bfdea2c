internal import Foundation
internal import MediaModel

/// Images inside of an answer (RFC 2397), for files that have no address.
enum DataURL {
  /// The URL of some bytes.
  static func of(_ bytes: [UInt8], type: MediaType) -> String {
    "data:\(type.rawValue);base64,\(Data(bytes).base64EncodedString())"
  }
}
