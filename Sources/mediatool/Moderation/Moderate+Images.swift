internal import ArgumentParser
internal import Foundation
internal import MediaLibrary

/// Decisions about images and those that look like them.
extension Moderate {
  /// Blocks or unblocks images that look like the named ones, and prints each.
  func decideOnImages(_ library: Library, _ output: ModerationOutput) throws {
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    let found = try images(in: library)
    var isComplete = found.count == names.count
    var unblocked: Set<Moderation.ImageHash> = []
    for (hash, file) in found {
      // Two of the named files may look alike.
      if action == .unblockImage, !unblocked.insert(hash).inserted { continue }
      if action == .blockImage {
        try library.moderation.blockImages(
          like: hash, within: distance ?? Moderation.ImageHash.standardDistance, of: file, reason: reason, by: actor,
          at: now)
      } else if try !library.moderation.unblockImages(like: hash, of: file, reason: reason, by: actor, at: now) {
        Diagnostics.note("the image \(hash) is not blocked")
        isComplete = false
      }
      try output.write(hash, isBlocked: action == .blockImage)
      if action == .unblockImage, let other = try library.moderation.imageBlock(of: hash) {
        Diagnostics.note(
          "images that look like \(hash) stay blocked: the blocked image \(other.hash) differs in \(RefusalSentence.counted(other.hash.distance(to: hash), "bit"))"
        )
      }
      guard quarantineSimilar else { continue }
      for file in try quarantineSimilarFiles(to: hash, in: library, at: now) { try output.write(file) }
    }
    if !isComplete { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Quarantines the files that look like an image that was just blocked. The block stays if this fails.
  private func quarantineSimilarFiles(
    to hash: Moderation.ImageHash, in library: Library, at now: Int
  ) throws(LibraryError) -> [FileID] {
    do throws(LibraryError) {
      return try library.moderation.quarantineFiles(
        like: hash, within: distance ?? Moderation.ImageHash.standardDistance, at: now)
    } catch {
      Diagnostics.note(
        "the image \(hash) is blocked, but not all files that look like it are quarantined; run the command again")
      throw error
    }
  }

  func images(in library: Library) throws -> [(hash: Moderation.ImageHash, file: FileID?)] {
    try names.compactMap { try ImageHashArgument.image(of: $0, in: library) }
  }
}
