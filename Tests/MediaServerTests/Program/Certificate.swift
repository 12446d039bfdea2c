internal import Foundation
internal import TestSupport

/// A certificate for `localhost` that signs itself, made by openssl.
struct Certificate {
  /// The certificate and its key, in PEM.
  let file: String, key: String
  /// Its serial number, in hexadecimal digits.
  let serial: String

  init(in folder: TemporaryFolder, name: String) throws {
    (file, key) = (folder.path("\(name).pem"), folder.path("\(name).key"))
    let openssl = try Tool("openssl", package: "openssl")
    _ = try openssl.output([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", file,
    ])
    let text = String(decoding: try openssl.output(["x509", "-in", file, "-noout", "-serial"]), as: UTF8.self)
    serial = text.split(separator: "=").last.map { $0.filter { !$0.isWhitespace } } ?? ""
  }

  /// The serial number of the certificate that a server shows to a new connection.
  static func serial(port: Int) async throws -> String {
    let output = try await onThread {
      let openssl = try Tool("openssl", package: "openssl")
      let chain = try openssl.run(["s_client", "-connect", "127.0.0.1:\(port)"], seconds: 3_600)
      return try openssl.output(["x509", "-noout", "-serial"], input: chain.bytes)
    }
    return String(decoding: output, as: UTF8.self).split(separator: "=").last.map { $0.filter { !$0.isWhitespace } }
      ?? ""
  }
}
