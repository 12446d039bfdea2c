internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaLibrary
internal import MediaModel

/// Looks into one file of a scan: facts, images, and the images into the store.
struct FileExaminer: Sendable {
  let engine: LazyEngine
  /// Which renditions, and whether a digest is made.
  let recipe: ScanRecipe
  /// Where it keeps images and asks for known contents; nil for a scan that keeps nothing.
  let library: Library?
  /// How its jobs stand beside those of others in the engine.
  let priority: MediaEngine.Priority

  /// Looks into a file.
  /// - Throws: When no other file could be looked into, either.
  func examine(_ target: ScanTarget) throws(ScanError) -> ScanOutcome {
    let begun = ContinuousClock.now
    var outcome = ScanOutcome(target)
    let descriptor = target.open()
    guard descriptor >= 0 else {
      outcome.error = .opening(.last, followsLinks: false)
      return outcome
    }
    defer { close(descriptor) }
    let before: FileStatus
    do throws(FileError) { before = try FileStatus(descriptor: descriptor) } catch {
      outcome.error = .opening(error, followsLinks: false)
      return outcome
    }
    outcome.stamp = FileStamp(path: target.stamp.path, status: before)
    FileClock.wait(past: before.changed)
    try fill(&outcome, from: .descriptor(descriptor))
    if let after = try? FileStatus(descriptor: descriptor) {
      outcome.isSettled = after.bytes == before.bytes && after.modified == before.modified
    }
    let time = begun.duration(to: .now).components
    outcome.seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
    return outcome
  }

  private func fill(_ outcome: inout ScanOutcome, from source: MediaSource) throws(ScanError) {
    var options = ProbeOptions()
    options.digest = recipe.digests
    let claim = MediaType.Claim.fileName(String(decoding: outcome.stamp.path.name, as: UTF8.self))
    let images = recipe.renditions.isEmpty ? nil : self.images
    // With a digest, the images can wait until it is clear that nobody has made them yet.
    let waits = recipe.digests && library != nil
    let job = MediaJob(facts: .found(options, claim: claim), images: waits ? nil : images)
    guard let answer = try answer(job, source, &outcome) else { return }
    outcome.info = answer.wasOpened ? answer.result.info : nil
    outcome.error = answer.result.thumbnails?.error ?? answer.result.info.error
    outcome.digest = answer.result.info.sha256.flatMap { ContentDigest(hexadecimal: $0) }
    var made = answer.result.thumbnails
    if waits, let info = outcome.info {
      if try findSame(&outcome) { return }
      guard let images else { return }
      guard let answer = try self.answer(MediaJob(facts: .given(info), images: images), source, &outcome) else {
        return
      }
      made = answer.result.thumbnails
      outcome.error = outcome.error ?? made?.error
    }
    guard let made else { return }
    // Of a file that failed nothing is kept but its facts: no row would name the images, and they would lie in the store for ever.
    guard outcome.error == nil else { return }
    outcome.placeholder = made.placeholder
    for rendition in made.renditions { try keep(rendition, in: &outcome) }
  }

  private func answer(
    _ job: MediaJob, _ source: MediaSource, _ outcome: inout ScanOutcome
  ) throws(ScanError) -> JobAnswer? {
    let engine = try engine.started()
    do throws(MediaFailure) { return try engine.answerBlocking(job, source, priority: priority) } catch {
      // The engine's own: no other file could be decoded either.
      if [.unavailable, .busy, .cancelled].contains(error.code) { throw .engine(error) }
      outcome.error = error
      return nil
    }
  }

  private var images: MediaJob.Images {
    MediaJob.Images(
      options: ThumbnailOptions(),
      requests: recipe.renditions.sorted().compactMap { RenditionRequest.named($0) })
  }

  /// Looks for the same content under another name.
  /// - Returns: Whether it has all that is asked for.
  private func findSame(_ outcome: inout ScanOutcome) throws(ScanError) -> Bool {
    guard let library, let digest = outcome.digest, outcome.error == nil else { return false }
    do throws(LibraryError) {
      outcome.same = try library.scanIndex.knownFile(of: digest)
      outcome.isKnown = outcome.same.map { ScanRecipe($0.recipe).covers(recipe) } ?? false
      return outcome.isKnown
    } catch {
      throw .library(error)
    }
  }

  private func keep(_ rendition: Rendition, in outcome: inout ScanOutcome) throws(ScanError) {
    guard let library else { return }
    do throws(LibraryError) {
      outcome.renditions.append(StoredRendition(rendition, address: try library.store.put(rendition.data)))
    } catch {
      throw .library(error)
    }
  }
}

extension LazyEngine {
  /// The versions of what decodes, as a catalogue keeps them. Blocking.
  func startedVersion() throws(ScanError) -> String { try started().description.version }

  /// The engine. Blocking.
  func started() throws(ScanError) -> MediaEngine {
    do throws(MediaEngine.StartFailure) { return try get() } catch {
      throw .engine(MediaFailure(.unavailable, error.description))
    }
  }
}
