internal import FileSupport
internal import GRDB
internal import MediaLibrary

extension MediaService {
  /// Why the service should get no requests now; empty if it should: `disk` if less than ``Limits/freeBytes`` is free or the disk does not answer, `database` if the database
  /// does not answer, `workers` if the engine's workers do not come up, asked at most every ten seconds; `scanner` if uploads are refused because the malware scanner
  /// did not answer the last time that it was asked, at most a minute ago.
  public func unreadyReasons() async -> [String] {
    var reasons: [String] = []
    let folder = configuration.library.data
    do {
      let free = try await library.files.run { FileSystem.availableBytes(in: folder) }
      if free.map({ $0 < configuration.limits.freeBytes }) ?? true { reasons.append("disk") }
    } catch {
      reasons.append("disk")
    }
    do { _ = try await database.read { try Int.fetchOne($0, sql: "SELECT 1") } } catch { reasons.append("database") }
    if await !workers.areUp { reasons.append("workers") }
    if configuration.scanning?.policy == .refuse, attachments.scanner.didNotAnswer { reasons.append("scanner") }
    return reasons
  }

  /// What an administrator should know of a service that can take requests; empty if nothing: `scanner` if the malware scanner did not answer the last time that it was
  /// asked, so that uploads are held or, with ``Scanning/Policy/allow``, shown without a scan. With ``Scanning/Policy/refuse`` it is one of ``unreadyReasons()``.
  public var readinessWarnings: [String] {
    guard let scanning = configuration.scanning, scanning.policy != .refuse else { return [] }
    return attachments.scanner.didNotAnswer ? ["scanner"] : []
  }
}
