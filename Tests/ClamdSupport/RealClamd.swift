internal import Foundation
internal import Glibc
package import TestSupport

/// The clamd of Debian's clamav-daemon, with a database of one signature and a socket in a folder of its own; runs as the user of the tests.
package final class RealClamd {
  private let process: Process
  /// `unix:PATH`
  package let address: String
  /// `tcp:HOST:PORT`
  package let streamAddress: String

  /// Whether it is installed; says so when it is not.
  package static let isPresent: Bool = {
    do {
      _ = try program()
      return true
    } catch {
      print("skipped: \(error)")
      return false
    }
  }()

  /// The test file of EICAR. Made of two halves, so that no file of the project is taken for malware.
  package static let malware: [UInt8] = {
    let halves = [#"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-"#, "ANTIVIRUS-TEST-FILE!$H+H*"]
    return Array(halves.joined().utf8)
  }()

  /// The name under which it finds ``malware``.
  package static let malwareName = "Eicar-Test-Signature.UNOFFICIAL"

  /// Starts it, and returns when it answers.
  /// - Parameters:
  ///   - digest: The MD5 of ``malware`` in hexadecimal.
  ///   - settings: Lines of clamd.conf.
  package init(in folder: TemporaryFolder, digest: String, settings: [String] = []) throws {
    try folder.write(Array("\(digest):\(Self.malware.count):Eicar-Test-Signature\n".utf8), to: "signatures/test.hdb")
    let (socket, port) = (folder.path("clamd.ctl"), try Self.freePort())
    (address, streamAddress) = ("unix:\(socket)", "tcp:\(Self.host):\(port)")
    let lines =
      [
        "LocalSocket \(socket)", "TCPSocket \(port)", "TCPAddr \(Self.host)", "Foreground yes",
        "DatabaseDirectory \(folder.path("signatures"))", "TemporaryDirectory \(folder.url.path)",
      ] + settings
    let configuration = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "clamd.conf")
    process = Process()
    process.executableURL = try Self.program().executable
    process.arguments = ["--config-file=\(configuration)"]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    // It listens when its signatures are loaded; a process that ends before never does.
    while !Self.accepts(socket) {
      guard process.isRunning else {
        throw Tool.Failure.failed(
          name: "clamd", status: Int(process.terminationStatus),
          errors: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
      }
      usleep(10_000)
    }
  }

  deinit { stop() }

  /// Ends it, by its own process.
  package func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  private static func program() throws -> Tool {
    // Debian keeps it where only an administrator's search path looks.
    let usual = URL(fileURLWithPath: "/usr/sbin/clamd")
    if FileManager.default.isExecutableFile(atPath: usual.path) { return Tool(executable: usual) }
    return try Tool("clamd", package: "clamav-daemon")
  }

  /// An address of this machine that only this process uses, so that no other client or server takes the port meanwhile.
  private static let host: String = {
    let number = getpid()
    return "127.\(1 + number >> 16 & 127).\(number >> 8 & 255).\(number & 255)"
  }()

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = inet_addr(host)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { names in
        names.baseAddress.map { bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1 } ?? -1
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return UInt16(bigEndian: name.sin_port)
  }

  /// Whether a process listens at a path.
  private static func accepts(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
    return withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { names in
        names.baseAddress.map { connect(descriptor, $0, socklen_t(bytes.count)) == 0 } ?? false
      }
    }
  }
}
