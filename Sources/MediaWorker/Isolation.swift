internal import CIsolation
internal import Glibc
package import MediaEngineProtocol

/// Locks this process in, for good.
package enum Isolation {
  /// What may still be read: fonts, for the text of drawings and pages, and the tables that Poppler reads CJK text with. All of it belongs
  /// to the system; nothing of a user's home.
  package static let readable = [
    "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig",
    "/usr/share/poppler", "/usr/share/ghostscript", "/usr/share/X11/fonts", "/dev/null",
  ]

  /// Address space that a worker may map beyond what it has when it is ready: four times the resident memory that it may use, for
  /// what is mapped is often not used: stacks and arenas of threads, images that are decoded in part. 2 GiB.
  package static let addressSpace: Int64 = 2 << 30

  /// Every layer that the kernel has. What it has not is false in the answer.
  package static func apply(socket: CInt, addressSpace: Int64 = Isolation.addressSpace) -> IsolationLayers {
    let paths = readable.map { strdup($0) } + [nil]
    defer { for path in paths { free(path) } }
    let done = paths.map { UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { paths -> mediatool_isolation in
      guard let first = paths.baseAddress else { return mediatool_isolation() }
      let options = mediatool_isolation_options(address_space: addressSpace, socket: socket, readable: first)
      return mediatool_isolate(options)
    }
    return IsolationLayers(
      limits: done.limits, noDumps: done.no_dumps, noPrivileges: done.no_privileges,
      landlock: done.landlock ? Int(done.landlock_abi) : 0, seccomp: done.seccomp)
  }
}
