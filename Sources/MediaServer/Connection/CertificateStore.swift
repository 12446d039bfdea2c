internal import FileSupport
internal import Logging
internal import MediaEngine
internal import NIOSSL

/// The certificate of new connections, replaced when its files change.
final class CertificateStore: Sendable {
  private let files: MediaServer.TLSFiles
  private let current: Locked<NIOSSLContext>
  private let stamp: Locked<[FileStatus?]>

  /// - Throws: `StartFailure` if a file is missing or not PEM, or if key and certificate do not match.
  init(_ files: MediaServer.TLSFiles) throws(MediaServer.StartFailure) {
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
    do throws(MediaServer.StartFailure) {
      let context = try Self.load(files)
      current.withLock { $0 = context }
      stamp.withLock { $0 = now }
      logger.notice("the TLS certificate was reloaded")
      return true
    } catch {
      // Half of the pair may have been written: the next look finds both.
      logger.warning(
        "the TLS certificate could not be reloaded; the old one stays in use", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// What the files are. Links are followed: certbot and Kubernetes replace a link, of which the path need not be the last part.
  private static func stamp(of files: MediaServer.TLSFiles) -> [FileStatus?] {
    [files.certificate, files.key].map { try? FileStatus(at: PathBytes($0)) }
  }

  private static func load(_ files: MediaServer.TLSFiles) throws(MediaServer.StartFailure) -> NIOSSLContext {
    let chain: [NIOSSLCertificateSource]
    do { chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) } } catch {
      throw .settings("the file \(files.certificate) cannot be read, or is not a PEM certificate")
    }
    let key: NIOSSLPrivateKey
    do { key = try NIOSSLPrivateKey(file: files.key, format: .pem) } catch {
      throw .settings("the file \(files.key) cannot be read, or is not a private key in PEM without a passphrase")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["h2", "http/1.1"]
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw .settings("the key \(files.key) does not belong to the certificate \(files.certificate) (\(error))")
    }
  }
}
