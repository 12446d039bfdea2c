internal import ArgumentParser
internal import Foundation
internal import MediaLibrary
internal import MediaModel

/// Decisions about files and about their content.
extension Moderate {
  /// Applies a decision to the named files or contents, and prints each.
  func decide(_ library: Library, _ output: ModerationOutput) throws {
    let moderation = library.moderation
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    if action == .accept { return try accept(library, output) }
    if [.block, .unblock].contains(action) { return try decideOnContents(library, output) }
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

  /// Blocks or unblocks the named contents, and prints each. A content that is not blocked, and what still hides the files of one that no longer is, are reported.
  private func decideOnContents(_ library: Library, _ output: ModerationOutput) throws {
    let moderation = library.moderation
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    var isComplete = true
    var decided: Set<ContentDigest> = []
    for name in names {
      guard let content = try ContentArgument.content(of: name, in: library) else {
        isComplete = false
        continue
      }
      // Two of the named files may have one content.
      guard decided.insert(content).inserted else { continue }
      if action == .block {
        try moderation.block(content, reason: reason, by: actor, at: now)
      } else if try moderation.block(of: content) == nil {
        Diagnostics.note("the content \(content) is not blocked")
        isComplete = false
      } else {
        try moderation.unblock(content, reason: reason, by: actor, at: now)
      }
      let files = try moderation.files(of: content)
      try output.write(content, isBlocked: action == .block, files: files)
      if action == .unblock { for file in files { try noteWhatHides(file, library) } }
    }
    if !isComplete { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Reports why a file whose content is not blocked stays hidden, or hides others.
  private func noteWhatHides(_ id: FileID, _ library: Library) throws {
    guard let standing = try library.moderation.standing(of: id) else { return }
    if standing.quarantine != nil {
      Diagnostics.note(
        "file \(id.rawValue) stays quarantined, because it was also quarantined directly; `release \(id.rawValue)` shows it again"
      )
    }
    if standing.verdict?.state == .infected {
      Diagnostics.note("file \(id.rawValue) stays quarantined, because a scanner found malware in it")
    }
    guard let thumbhash = try library.catalogue.file(id)?.placeholder?.thumbhash,
      let hash = Moderation.ImageHash(thumbhash: thumbhash), let block = try library.moderation.imageBlock(of: hash)
    else { return }
    Diagnostics.note(
      "images that look like file \(id.rawValue) stay blocked; `unblock-image \(block.hash)` ends that block")
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
