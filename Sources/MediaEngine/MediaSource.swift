public import FileSupport
internal import Glibc

/// The source of one file's bytes.
public struct MediaSource: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case path([UInt8])
    case descriptor(SharedDescriptor)
    case bytes([UInt8])
    case ranges(SharedReader)

    func hash(into hasher: inout Hasher) {
      switch self {
      case .path(let path): hasher.combine(path)
      case .descriptor(let descriptor): hasher.combine(descriptor)
      // Contents are compared only if hash and length are equal.
      case .bytes(let bytes):
        hasher.combine(bytes.count)
        hasher.combine(bytes.prefix(64))
      case .ranges(let reader): hasher.combine(reader)
      }
    }
  }

  let content: Content

  /// The regular file at a path. It is opened for reading when its job begins. Pipes and devices are never opened.
  public static func path(_ path: String) -> MediaSource { MediaSource(content: .path(Array(path.utf8))) }

  /// The regular file at a path that need not be UTF-8.
  public static func path(bytes: [UInt8]) -> MediaSource { MediaSource(content: .path(bytes)) }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> MediaSource { MediaSource(content: .bytes(bytes)) }

  /// An open regular file. The descriptor is duplicated at once, so the caller may close it. Its file position is neither used nor changed.
  ///
  /// A worker gets the file reopened for reading only, whatever the access mode of the descriptor. If that is impossible, a writable descriptor is
  /// refused (`accessDenied`).
  public static func descriptor(_ descriptor: CInt) -> MediaSource {
    MediaSource(content: .descriptor(SharedDescriptor(duplicating: descriptor)))
  }

  /// A file collected in memory outside the heap.
  public static func memory(_ file: consuming MemoryFile) -> MediaSource {
    MediaSource(content: .descriptor(SharedDescriptor(taking: file.finish())))
  }
}

/// A descriptor that is closed with its last owner.
final class SharedDescriptor: Hashable, Sendable {
  /// -1 if duplication failed, with the reason in ``failure``.
  let number: CInt
  let failure: CInt
  private let identity: FileStatus?

  init(duplicating descriptor: CInt) {
    number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    failure = number < 0 ? errno : 0
    identity = number < 0 ? nil : try? FileStatus(descriptor: number)
  }

  /// Takes ownership of the descriptor.
  init(taking descriptor: CInt) {
    number = descriptor
    failure = 0
    identity = try? FileStatus(descriptor: descriptor)
  }

  deinit { if number >= 0 { close(number) } }

  /// Whether both are the same file in the same state.
  static func == (left: SharedDescriptor, right: SharedDescriptor) -> Bool {
    left === right || left.identity != nil && left.identity == right.identity
  }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
