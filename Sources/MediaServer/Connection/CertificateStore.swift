internal import Foundation
internal import Logging
internal import MediaEngine
internal import NIOSSL

/// The certificate of new connections, replaced when its files change.
final class CertificateStore: Sendable {
  private let files: MediaServer.TLSFiles
  private let current: Locked<NIOSSLContext>
  private let stamp: Locked<[Date?]>

  /// - Throws: An error of NIOSSL if a file is missing or not PEM, or if key and certificate do not match.
  init(_ files: MediaServer.TLSFiles) throws {
    self.files = files
    stamp = Locked(Self.stamp(of: files))
    current = Locked(try Self.load(files))
  }

  /// For the next connection.
  var context: NIOSSLContext { current.withLock { $0 } }

  /// Reads the files again if they have changed. Blocking.
  /// - Returns: Whether there is a new certificate. A pair that does not load leaves the old one in use.
  func refresh(logger: Logger) -> Bool {
    let now = Self.stamp(of: files)
    guard stamp.withLock({ $0 != now }) else { return false }
    do {
      let context = try Self.load(files)
      current.withLock { $0 = context }
      stamp.withLock { $0 = now }
      logger.notice("the certificate was replaced")
      return true
    } catch {
      // Half of the pair may have been written: the next look finds both.
      logger.warning("the certificate could not be replaced", metadata: ["error": "\(error)"])
      return false
    }
  }

  private static func stamp(of files: MediaServer.TLSFiles) -> [Date?] {
    [files.certificate, files.key].map {
      try? FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date
    }
  }

  private static func load(_ files: MediaServer.TLSFiles) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map { NIOSSLCertificateSource.certificate($0) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["h2", "http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}
