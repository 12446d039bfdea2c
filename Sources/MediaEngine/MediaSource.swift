public import FileSupport
internal import Glibc

/// Where the bytes of one file come from.
public struct MediaSource: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case path([UInt8])
    case descriptor(SharedDescriptor)
    case bytes([UInt8])

    func hash(into hasher: inout Hasher) {
      switch self {
      case .path(let path): hasher.combine(path)
      case .descriptor(let descriptor): hasher.combine(descriptor)
      // Megabytes are compared only where these are the same.
      case .bytes(let bytes):
        hasher.combine(bytes.count)
        hasher.combine(bytes.prefix(64))
      }
    }
  }

  let content: Content

  /// The regular file at a path. It is opened when its turn comes, for reading, and never if it is a pipe or a device.
  public static func path(_ path: String) -> MediaSource { MediaSource(content: .path(Array(path.utf8))) }

  /// The regular file at a path that need not be UTF-8.
  public static func path(bytes: [UInt8]) -> MediaSource { MediaSource(content: .path(bytes)) }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> MediaSource { MediaSource(content: .bytes(bytes)) }

  /// An open regular file. It is duplicated here and now, so that the caller may close it at once; where the file stands does not matter,
  /// nor is that changed.
  ///
  /// A worker gets the file opened anew for reading only, whatever the descriptor allows. Where that is not possible, a descriptor that
  /// can write is refused (`accessDenied`).
  public static func descriptor(_ descriptor: CInt) -> MediaSource {
    MediaSource(content: .descriptor(SharedDescriptor(duplicating: descriptor)))
  }

  /// Bytes that were gathered in memory outside the heap.
  public static func memory(_ file: consuming MemoryFile) -> MediaSource {
    MediaSource(content: .descriptor(SharedDescriptor(taking: file.finish())))
  }
}

/// A descriptor that is closed when nobody needs it any more.
final class SharedDescriptor: Hashable, Sendable {
  /// -1 where duplicating failed, with the reason in ``failure``.
  let number: CInt
  let failure: CInt
  private let identity: FileStatus?

  init(duplicating descriptor: CInt) {
    number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    failure = number < 0 ? errno : 0
    identity = number < 0 ? nil : try? FileStatus(descriptor: number)
  }

  /// Takes it over.
  init(taking descriptor: CInt) {
    number = descriptor
    failure = 0
    identity = try? FileStatus(descriptor: descriptor)
  }

  deinit { if number >= 0 { close(number) } }

  /// The same file in the same state.
  static func == (left: SharedDescriptor, right: SharedDescriptor) -> Bool {
    left === right || left.identity != nil && left.identity == right.identity
  }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
