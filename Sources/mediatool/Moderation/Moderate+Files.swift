internal import ArgumentParser
internal import Foundation
internal import MediaLibrary

/// Decisions about files and about their content.
extension Moderate {
  /// Applies a decision to the named files or contents, and prints each.
  func decide(_ library: Library, _ output: ModerationOutput) throws {
    let moderation = library.moderation
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    if action == .accept { return try accept(library, output) }
    if [.block, .unblock].contains(action) {
      let found = try names.compactMap { try ContentArgument.content(of: $0, in: library) }
      for content in found {
        let files =
          action == .block
          ? try moderation.block(content, reason: reason, by: actor, at: now)
          : try moderation.unblock(content, reason: reason, by: actor, at: now)
        try output.write(content, isBlocked: action == .block, files: files)
      }
      if found.count < names.count { throw ExitCode(ExitStatus.someFailed.rawValue) }
      return
    }
    let files = try names.compactMap { try LibraryPath.id(of: $0, in: library.catalogue) }
    switch action {
    case .quarantine: try moderation.quarantine(files, reason: reason, by: actor, at: now)
    case .release: try moderation.release(files, reason: reason, by: actor, at: now)
    case .protect: try moderation.protect(files, reason: reason, by: actor, at: now)
    case .unprotect: try moderation.unprotect(files, reason: reason, by: actor, at: now)
    case .dismiss: try moderation.dismissReports(about: files, reason: reason, by: actor, at: now)
    default: break
    }
    for file in files { try output.write(file) }
    let hasAll = try decideOnMomentsAndTrips(library, output)
    if files.count < names.count || !hasAll { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Accepts the named contents, and prints the files that have them.
  private func accept(_ library: Library, _ output: ModerationOutput) throws {
    let found = try names.compactMap { try ContentArgument.content(of: $0, in: library) }
    try library.moderation.accept(
      found, reason: reason ?? "", by: by ?? Self.user, at: Int(Date().timeIntervalSince1970))
    for file in try found.flatMap({ try library.moderation.files(of: $0) }) { try output.write(file) }
    if found.count < names.count { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}
