#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FileSystem {
  /// The bytes that this user can still write on the disk of a folder; nil if the system does not say.
  package static func availableBytes(in folder: PathBytes) -> Int? {
    var status = statvfs()
    guard folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return isTooLarge ? .max : bytes
  }

  /// Whether this process may only write files up to a size (`RLIMIT_FSIZE`).
  package static var hasSizeLimit: Bool {
    var limit = rlimit()
    #if canImport(Darwin)
    guard getrlimit(RLIMIT_FSIZE, &limit) == 0 else { return false }
    #else
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return false }
    #endif
    return limit.rlim_cur != ~0
  }
}
