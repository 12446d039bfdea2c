internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel

/// Answers from a library instead of a decoder, for files unchanged since their scan.
struct LibraryReader: Sendable {
  let library: Library

  /// The row of an input's file; nil if the library does not know its current state.
  func file(of input: Input) -> CatalogueFile? {
    guard case .file = input.content, !input.path.hasNUL, let real = input.path.withCString({ realpath($0, nil) })
    else {
      return nil
    }
    defer { free(real) }
    let path = PathBytes(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    guard let status = try? FileStatus(at: path), status.kind == .file else { return nil }
    // If the library cannot be read, the file itself is probed.
    guard let file = try? library.catalogue.file(at: path), file.state == .done else { return nil }
    return file.stamp.sameContent(as: FileStamp(path: path, status: status)) ? file : nil
  }

  /// The facts of an input's file.
  /// - Parameter digest: Whether the digest is required.
  func info(of input: Input, digest: Bool) -> MediaInfo? {
    guard let file = file(of: input), let info = try? file.info() else { return nil }
    return digest && info.sha256 == nil ? nil : info
  }

  /// The stored images of a file; nil if a requested one is missing, is a draft or was made by earlier rules.
  func images(of file: CatalogueFile, requests: [RenditionRequest]) -> ThumbnailResult? {
    guard requests.allSatisfy({ $0 == RenditionRequest.named($0.name) }),
      !RenditionRevision.isOutdated(engine: file.engine), let info = try? file.info(),
      let kept = try? library.catalogue.renditions(of: file.id)
    else { return nil }
    var renditions: [Rendition] = []
    for request in requests {
      guard let one = kept.first(where: { $0.name == request.name }), let digest = one.digest,
        one.from != .embedded || info.showsOnlyEmbeddedImage,
        let data = try? library.store.read(digest)
      else { return nil }
      renditions.append(
        Rendition(
          name: one.name, type: one.type, width: one.width, height: one.height, frames: one.frames, from: one.from,
          data: data))
    }
    return ThumbnailResult(renditions: renditions, placeholder: file.placeholder)
  }
}

extension LibraryReader {
  /// Opens the library at a path for reading.
  init(_ path: PathBytes) throws(Fault) {
    do throws(LibraryError) {
      library = try Library.open(at: LibraryLocation(folder: path), for: .reading)
    } catch {
      throw error.fault
    }
  }
}
