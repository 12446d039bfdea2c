internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport

/// A real nginx with the block of `packaging/nginx.conf`, in front of a server of a test.
struct NginxProxy: Sendable {
  /// The ports of TLS, and of a listener without it for raw connections, with the same block.
  let port: Int, plainPort: Int
  private let live: LiveProgram

  /// Why there is none here; nil if there is.
  static let obstacle: String? =
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")
    ? nil : "nginx is not installed; install it with: apt-get install nginx-light"

  /// Starts nginx, and waits until it accepts connections.
  static func start(to server: Int, certificate: Certificate, in folder: TemporaryFolder) async throws -> NginxProxy {
    // Another process may take a port before nginx does.
    while true {
      do { return try await NginxProxy(to: server, certificate: certificate, in: folder) } catch let error as Missing {
        guard error.text.contains("Address already in use") else { throw error }
      }
    }
  }

  private init(to server: Int, certificate: Certificate, in folder: TemporaryFolder) async throws {
    (port, plainPort) = (try Self.freePort(), try Self.freePort())
    let packaged = Corpus.packageRoot.appendingPathComponent("packaging/nginx.conf")
    var block = try String(contentsOf: packaged, encoding: .utf8)
    for (old, new) in [
      ("listen 443 ssl http2;", "listen 127.0.0.1:\(port) ssl http2; listen 127.0.0.1:\(plainPort);"),
      ("/etc/ssl/media.pem", certificate.file), ("/etc/ssl/media.key", certificate.key),
      ("http://127.0.0.1:8080", "http://127.0.0.1:\(server)"),
    ] {
      guard block.contains(old) else { throw Missing(text: old) }
      block = block.replacingOccurrences(of: old, with: new)
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path("nginx-\($0)"));" }.joined(separator: " ")
    let configuration = """
      \(geteuid() == 0 ? "user root;" : "")
      daemon off;
      master_process off;
      pid \(folder.path("nginx.pid"));
      error_log stderr;
      events { worker_connections 512; }
      http {
        access_log off;
        \(temporary)
        \(block)
      }
      """
    let file = try folder.write(Array(configuration.utf8), to: "nginx.conf")
    live = try LiveProgram(["/usr/sbin/nginx", "-e", "stderr", "-p", folder.path(""), "-c", file])
    while true {
      // Written when it has both ports: a connection may be answered by another process.
      if FileManager.default.fileExists(atPath: folder.path("nginx.pid")) { return }
      // It has ended: nobody will ever listen.
      if live.errors.isComplete { throw Missing(text: live.errors.text) }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func stop() async {
    live.send(SIGTERM)
    _ = await live.end()
  }

  /// The block has changed, or nginx did not start.
  private struct Missing: Error, CustomStringConvertible {
    let text: String
    var description: String { "nginx: \(text)" }
  }

  /// A port of 127.0.0.1 that nobody uses now.
  private static func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7f00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRINUSE) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
