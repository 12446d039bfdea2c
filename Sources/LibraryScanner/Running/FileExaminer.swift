internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaLibrary
internal import MediaModel

/// Examines one file of a scan: finds its facts, makes its images, and stores them.
struct FileExaminer: Sendable {
  let engine: LazyEngine
  /// The renditions to make, and whether to compute a digest.
  let recipe: ScanRecipe
  /// Stores images and finds known content; nil for a scan without a library.
  let library: Library?
  /// The trust domain of the files; nil for that of the engine.
  let domain: MediaEngine.TrustDomain?
  /// Priority of its jobs in the engine.
  let priority: MediaEngine.Priority

  /// Examines a file.
  /// - Throws: An error that would affect every other file too.
  func examine(_ target: ScanTarget) throws(MediaScanner.Failure) -> ScanOutcome {
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

  /// Compares the digest of a file that looks unchanged with the stored one.
  /// - Returns: Whether nothing has to be made of it.
  private func isUnchanged(_ outcome: inout ScanOutcome) throws(MediaScanner.Failure) -> Bool {
    guard let library, let digest = outcome.digest, outcome.error == nil else { return false }
    do throws(LibraryError) {
      guard let known = try library.catalogue.file(at: outcome.stamp.path)?.digest else {
        // It was scanned without one.
        outcome.recheck = .completed
        return false
      }
      let isComplete = outcome.target.recipe.covers(recipe)
      outcome.recheck = known != digest ? .changed : isComplete ? .unchanged : .completed
      return outcome.recheck == .unchanged
    } catch {
      throw .library(error)
    }
  }

  private func fill(_ outcome: inout ScanOutcome, from source: MediaSource) throws(MediaScanner.Failure) {
    let target = outcome.target
    var options = ProbeOptions()
    options.digest = recipe.digests && !target.wantsFactsAlone
    let claim = MediaType.Claim.fileName(String(decoding: outcome.stamp.path.name, as: UTF8.self))
    // Outdated renditions are made again, even if only others are requested.
    let names = recipe.renditions.union(target.isOutdated ? target.recipe.renditions : [])
    let images = names.isEmpty || target.wantsFactsAlone ? nil : self.images(names)
    // With a digest, images are made only after a search for the same content under another path.
    let waits = options.digest && library != nil
    let job = MediaJob(facts: .found(options, claim: claim), images: waits ? nil : images)
    guard let answer = try answer(job, source, &outcome) else { return }
    outcome.info = answer.wasOpened ? answer.result.info : nil
    outcome.error = answer.result.thumbnails?.error ?? answer.result.info.error
    outcome.digest = answer.result.info.sha256.flatMap { ContentDigest(hexadecimal: $0) }
    var made = answer.result.thumbnails
    if target.reason == .rechecked, try isUnchanged(&outcome) { return }
    if waits, let info = outcome.info {
      if try findSame(&outcome) { return }
      guard let images, try !findHidden(&outcome) else { return }
      guard let answer = try self.answer(MediaJob(facts: .given(info), images: images), source, &outcome) else {
        return
      }
      made = answer.result.thumbnails
      outcome.error = outcome.error ?? made?.error
    }
    guard let made else { return }
    // A failed file keeps its facts only: no row would name its images, and they would stay in the store for ever.
    guard outcome.error == nil else { return }
    outcome.placeholder = made.placeholder
    for rendition in made.renditions { try keep(rendition, in: &outcome) }
  }

  private func answer(
    _ job: MediaJob, _ source: MediaSource, _ outcome: inout ScanOutcome
  ) throws(MediaScanner.Failure) -> JobAnswer? {
    let engine = try engine.started()
    do throws(MediaFailure) {
      return try engine.answerBlocking(job, source, domain: domain, priority: priority)
    } catch {
      // A failure of the engine, which would affect every other file too.
      if [.unavailable, .busy, .cancelled].contains(error.code) { throw .engine(error) }
      outcome.error = error
      return nil
    }
  }

  private func images(_ names: Set<String>) -> MediaJob.Images {
    MediaJob.Images(
      options: ThumbnailOptions(), requests: names.sorted().compactMap { RenditionRequest.named($0) })
  }

  /// Looks for a file with the same content at another path.
  /// - Returns: Whether that file has everything requested.
  private func findSame(_ outcome: inout ScanOutcome) throws(MediaScanner.Failure) -> Bool {
    guard let library, let digest = outcome.digest, outcome.error == nil else { return false }
    do throws(LibraryError) {
      outcome.same = try library.scanIndex.knownFile(of: digest)
      outcome.isKnown =
        outcome.same.map { same in
          let isOutdated = same.isOutdated && !recipe.renditions.isEmpty
          return !isOutdated && ScanRecipe(same.recipe).covers(recipe)
        } ?? false
      return outcome.isKnown
    } catch {
      throw .library(error)
    }
  }

  /// Looks up whether the content is blocked or malware: it is quarantined, and nothing is decoded for it. A later scan makes its images, once it is shown.
  private func findHidden(_ outcome: inout ScanOutcome) throws(MediaScanner.Failure) -> Bool {
    guard let library, let digest = outcome.digest else { return false }
    do throws(LibraryError) { outcome.isHidden = try library.moderation.isHidden(digest) } catch {
      throw .library(error)
    }
    return outcome.isHidden
  }

  private func keep(_ rendition: Rendition, in outcome: inout ScanOutcome) throws(MediaScanner.Failure) {
    guard let library else { return }
    do throws(LibraryError) {
      outcome.renditions.append(StoredRendition(rendition, address: try library.store.put(rendition.data)))
    } catch {
      throw .library(error)
    }
  }
}

extension LazyEngine {
  /// The versions of the decoders as the catalogue stores them. Blocking.
  func startedVersion() throws(MediaScanner.Failure) -> String { try started().description.version }

  /// The engine, started if necessary. Blocking.
  func started() throws(MediaScanner.Failure) -> MediaEngine {
    do throws(MediaEngine.StartFailure) { return try get() } catch {
      throw .engine(MediaFailure(.unavailable, error.description))
    }
  }
}
