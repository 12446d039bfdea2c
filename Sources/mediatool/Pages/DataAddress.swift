internal import Foundation
internal import MediaModel

/// Bytes as an address that holds them (RFC 2397).
enum DataAddress {
  static func of(_ bytes: some Collection<UInt8>, type: MediaType) -> String {
    "data:\(type.rawValue);base64,\(Data(bytes).base64EncodedString())"
  }
}

extension Rendition {
  /// The image itself as an address.
  var address: String { DataAddress.of(data, type: type) }
}
