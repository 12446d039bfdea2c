internal import FileSupport
internal import Foundation
internal import Glibc
package import MediaEngine
package import MediaModel

/// A file behind a URL, with what was fetched of it.
package protocol RemoteFileReading: MediaSource.RangeReader {
  /// Number of bytes that were fetched so far.
  var bytesRead: Int { get }
  /// Number of requests that were sent so far.
  var requests: Int { get }
}

/// Reads URLs.
package protocol RemoteReader: Sendable {
  /// The file of a URL.
  /// - Parameters:
  ///   - etag: The entity tag that it must have; nil for any.
  ///   - bytes: The size that it must have; nil for any.
  func file(_ source: String, etag: String?, bytes: Int?) throws(MediaFailure) -> any RemoteFileReading

  /// The objects below `s3://bucket/prefix`.
  func folder(_ url: String) throws(MediaFailure) -> any RemoteFolder

  /// Ends what is under way or begins later with the failure `cancelled`.
  func cancel()
}

/// Makes the reader of a run.
package typealias RemoteReaderFactory = @Sendable (RemoteArguments) throws(MediaFailure) -> any RemoteReader

/// Reads none, because the program that does is missing.
struct MissingRemoteReader: RemoteReader {
  /// Why there is no reader, for `-v`.
  let reason: String

  private static let wayOut = "mediatool-remote is not installed; install all programs with `make install`."

  func file(_ source: String, etag: String?, bytes: Int?) throws(MediaFailure) -> any RemoteFileReading {
    throw MediaFailure(.unavailable, "URLs cannot be read: \(Self.wayOut)", detail: reason)
  }

  func folder(_ url: String) throws(MediaFailure) -> any RemoteFolder {
    throw MediaFailure(.unavailable, "URLs cannot be written: \(Self.wayOut)", detail: reason)
  }

  func cancel() {}
}

/// The options about remote sources, as they were given.
package struct RemoteArguments: Sendable {
  /// Values of `--allow-source`.
  package var allowed: [String] = []
  /// Whether `--allow-http` was given.
  package var allowsHTTP = false
  /// The value of `--s3-endpoint`.
  package var endpoint: String?
  /// The value of `--s3-region`.
  package var region: String?
  /// The value of `--s3-style`: `path` or `host`.
  package var style: String?
  /// The value of `--s3-credentials`.
  package var credentials: String?
  /// Seconds that the requests for one file may take together.
  package var seconds = 30.0
}

/// What reads URLs in this process.
enum RemoteReaders {
  /// Nil in `mediatool` itself, which links no HTTP library.
  static let factory = Locked<RemoteReaderFactory?>(nil)
  /// That of this run; nil until it is needed.
  static let reader = Locked<(any RemoteReader)?>(nil)

  /// Ends requests as soon as a run is stopped: a server may take half a minute for one.
  static func cancel(with stop: StopSignal) {
    guard let reader = reader.withLock({ $0 }) else { return }
    Thread.detachNewThread {
      var descriptor = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
      while !stop.isRequested { _ = poll(&descriptor, 1, -1) }
      reader.cancel()
    }
  }

  /// Replaces this process by the program that reads URLs, with the same arguments. Called before a thread is started or a signal is watched.
  /// - Returns: If that program cannot be run, the reason.
  static func becomeRemoteProgram() -> String {
    let remote = InstalledProgram("mediatool-remote")
    guard let program = remote.path else {
      return "mediatool-remote, which reads URLs, is not at \(remote.description)"
    }
    execv(program, CommandLine.unsafeArgv)
    return "cannot run \(program): \(String(cString: strerror(errno)))"
  }
}

/// Names of remote sources among inputs.
enum RemoteName {
  /// Whether an input is a URL and not a path; `./https://…` is a path.
  static func isRemote(_ path: PathBytes) -> Bool {
    let start = String(decoding: path.bytes.prefix(8), as: UTF8.self).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://") || start.hasPrefix("s3://")
  }

  /// The input of a URL.
  static func input(_ path: PathBytes, etag: String? = nil, bytes: Int? = nil) -> Input {
    guard let reader = RemoteReaders.reader.withLock({ $0 }) else {
      let failure = MediaFailure(
        .unsupported,
        "This URL was not read: URLs are not read with --in-process or from --files-from; name it as an argument, or use --requests."
      )
      return Input(path: path, content: .failed(failure))
    }
    guard path.isUTF8 else {
      return Input(path: path, content: .failed(MediaFailure(.invalidRequest, "The URL is not UTF-8.")))
    }
    do throws(MediaFailure) {
      return Input(path: path, content: .remote(try reader.file(path.text, etag: etag, bytes: bytes)))
    } catch {
      return Input(path: path, content: .failed(error))
    }
  }

  /// A source as it is shown to others: a URL without its query, which may be a signature that lets anybody read the file.
  static func shown(_ path: PathBytes) -> PathBytes {
    let start = String(decoding: path.bytes.prefix(8), as: UTF8.self).lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else { return path }
    return PathBytes(path.bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  /// The name of the file that a URL names: the last part of its path, without query.
  static func fileName(_ path: PathBytes) -> ArraySlice<UInt8> {
    let isObject = String(decoding: path.bytes.prefix(5), as: UTF8.self).lowercased() == "s3://"
    let whole = path.bytes[...]
    let named = isObject ? whole : whole.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = named.split(separator: PathBytes.slash)
    // Scheme and host are not a name.
    guard parts.count > 2, let last = parts.last else { return Array("remote".utf8)[...] }
    return last
  }
}
