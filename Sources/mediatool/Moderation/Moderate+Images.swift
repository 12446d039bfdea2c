internal import ArgumentParser
internal import Foundation
internal import MediaLibrary

/// Decisions about images and those that look like them.
extension Moderate {
  /// Blocks or unblocks images that look like the named ones, and prints each.
  func decideOnImages(_ library: Library, _ output: ModerationOutput) throws {
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    let found = try images(in: library)
    for (hash, file) in found {
      if action == .blockImage {
        try library.moderation.blockImages(
          like: hash, within: distance ?? Moderation.ImageHash.standardDistance, of: file, reason: reason, by: actor,
          at: now)
      } else {
        try library.moderation.unblockImages(like: hash, of: file, reason: reason, by: actor, at: now)
      }
      try output.write(hash, isBlocked: action == .blockImage)
      guard quarantineSimilar else { continue }
      let files = try library.moderation.quarantineFiles(
        like: hash, within: distance ?? Moderation.ImageHash.standardDistance, at: now)
      for file in files { try output.write(file) }
    }
    if found.count < names.count { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  func images(in library: Library) throws -> [(hash: Moderation.ImageHash, file: FileID?)] {
    try names.compactMap { try ImageHashArgument.image(of: $0, in: library) }
  }
}
