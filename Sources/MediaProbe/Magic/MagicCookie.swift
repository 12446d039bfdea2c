internal import CMagic
internal import Glibc

/// libmagic, the reference database of signatures, asked where our own are silent.
///
/// One cookie a thread, as libmagic demands; it is made at the first question and lives as long as its thread.
final class MagicCookie {
  /// How much of a file libmagic sees. Its tests look at the beginning; more text costs milliseconds and tells nothing more.
  static let prefix = 32_768

  private let cookie: magic_t

  /// nil when the database cannot be loaded.
  private init?() {
    // What would read more than the buffer, or tell more than a type, stays off: decompression, tar, ELF notes, encodings.
    let flags =
      MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_TAR | MAGIC_NO_CHECK_ELF | MAGIC_NO_CHECK_ENCODING
    guard let cookie = magic_open(flags) else { return nil }
    self.cookie = cookie
    guard magic_load(cookie, nil) == 0 else { return nil }
    // How far a regular expression of the database may look, by default 8,192: the one test whose cost grows with it.
    var limit = 4_096
    magic_setparam(cookie, MAGIC_PARAM_REGEX_MAX, &limit)
  }

  deinit { magic_close(cookie) }

  /// libmagic's name for bytes that begin a file; nil when it knows none.
  func type(of bytes: [UInt8]) -> String? {
    guard let text = bytes.withUnsafeBytes({ magic_buffer(cookie, $0.baseAddress, $0.count) }) else { return nil }
    // The text is the cookie's and lives until the next question. Several answers stand on several lines.
    let name = String(cString: text).prefix { $0 != "\n" && $0 != "\\" && $0 != ";" }
    return name == "application/octet-stream" || name.isEmpty ? nil : String(name)
  }

  /// The cookie of this thread.
  static var current: MagicCookie? {
    if let known = pthread_getspecific(key) {
      return Unmanaged<MagicCookie>.fromOpaque(known).takeUnretainedValue()
    }
    guard let new = MagicCookie() else { return nil }
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { cookie in
      guard let cookie else { return }
      Unmanaged<MagicCookie>.fromOpaque(cookie).release()
    }
    return key
  }()
}
