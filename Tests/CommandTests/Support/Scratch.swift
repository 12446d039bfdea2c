internal import FileSupport
internal import Foundation
internal import Glibc

@testable internal import MediatoolCommand

/// A folder of its own for one test, gone with everything in it at the end. Names are bytes here: a file need not have a UTF-8 name.
final class Scratch: Sendable {
  let path: PathBytes

  init() throws {
    // Short, for a socket's path has to fit into 108 bytes.
    let folder = "/tmp/mediatool-\(UUID().uuidString.prefix(13))"
    guard mkdir(folder, 0o700) == 0 else { throw SystemError("mkdir \(folder)") }
    path = PathBytes(folder)
  }

  deinit {
    // Folders that a test has closed are opened again, or they would stay.
    for case let folder as URL in FileManager.default.enumerator(
      at: URL(fileURLWithPath: path.text), includingPropertiesForKeys: nil) ?? FileManager.DirectoryEnumerator()
    {
      chmod(folder.path, 0o700)
    }
    try? FileManager.default.removeItem(atPath: path.text)
  }

  /// The path of a name in it.
  func callAsFunction(_ name: String) -> PathBytes { path.appending(name.utf8) }

  /// Writes a file, with the folders above it.
  @discardableResult
  func file(_ name: [UInt8], _ content: String = "hello\n") throws -> PathBytes {
    let file = path.appending(name)
    try FileSystem.makeFolder(file.folder, permissions: .shared, syncs: false)
    let descriptor = file.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else { throw SystemError("open \(file.text)") }
    defer { close(descriptor) }
    var rest = Array(content.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemError("write \(file.text)") }
      rest = rest.dropFirst(count)
    }
    return file
  }

  @discardableResult
  func file(_ name: String, _ content: String = "hello\n") throws -> PathBytes { try file(Array(name.utf8), content) }

  @discardableResult
  func folder(_ name: String) throws -> PathBytes {
    try FileSystem.makeFolder(self(name), permissions: .shared, syncs: false)
    return self(name)
  }

  @discardableResult
  func fifo(_ name: String) throws -> PathBytes {
    guard mkfifo(self(name).text, 0o600) == 0 else { throw SystemError("mkfifo") }
    return self(name)
  }

  /// Makes a socket with a name, on which nobody listens.
  @discardableResult
  func socket(_ name: String) throws -> PathBytes {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: self(name).bytes.prefix(100)) }
    let bound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw SystemError("bind") }
    return self(name)
  }

  @discardableResult
  func link(_ name: String, to target: String) throws -> PathBytes {
    guard symlink(target, self(name).text) == 0 else { throw SystemError("symlink") }
    return self(name)
  }

  /// All files in it, sorted, without folders; also those in hidden folders.
  func files(below name: String = "") -> [String] {
    let root = name.isEmpty ? path.text : self(name).text
    return (FileManager.default.subpaths(atPath: root) ?? []).filter { entry in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root)/\(entry)", isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }
}

/// A system call that a test needs went wrong.
struct SystemError: Error, CustomStringConvertible {
  let description: String
  init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}
