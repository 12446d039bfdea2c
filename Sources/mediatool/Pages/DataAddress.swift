internal import Foundation
internal import MediaModel

/// Bytes as a `data:` URL (RFC 2397).
enum DataAddress {
  static func of(_ bytes: some Collection<UInt8>, type: MediaType) -> String {
    "data:\(type.rawValue);base64,\(Data(bytes).base64EncodedString())"
  }
}

extension Rendition {
  /// The image as a `data:` URL.
  var address: String { DataAddress.of(data, type: type) }
}
