internal import CIsolation
internal import Glibc
package import MediaEngineProtocol

/// Confines this process permanently.
package enum Isolation {
  /// Paths that may still be read: fonts, for text in drawings and pages, and the tables that Poppler needs for CJK text. All belong to the system;
  /// none is in a user's home.
  package static let readable = [
    "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig",
    "/usr/share/poppler", "/usr/share/ghostscript", "/usr/share/X11/fonts", "/dev/null",
  ]

  /// Address space that a worker may map beyond its size at the start: 2 GiB. That is four times its limit of resident memory, because stacks, arenas
  /// and partly decoded images map memory that is never used.
  package static let addressSpace: Int64 = 2 << 30

  /// Activates every layer that the kernel supports. Unsupported layers are false in the result.
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
      landlock: done.landlock ? Int(done.landlock_abi) : 0, seccomp: done.seccomp,
      namespaces: namespaces.filter { done.namespaces & $0.bit != 0 }.map(\.name))
  }

  private static let namespaces: [(bit: CInt, name: String)] = [
    (CInt(MEDIATOOL_NAMESPACE_USER), "user"), (CInt(MEDIATOOL_NAMESPACE_NET), "net"),
    (CInt(MEDIATOOL_NAMESPACE_IPC), "ipc"),
  ]
}
