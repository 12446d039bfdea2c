internal import CMagic
internal import Glibc

/// A libmagic database handle, for content that our own signatures do not match.
///
/// There is one per thread, as libmagic requires. It is created on first use and lives as long as its thread.
final class MagicCookie {
  /// Bytes that libmagic sees. Its tests are for the start of a file; more text costs milliseconds without a benefit.
  static let prefix = 32_768

  private let cookie: magic_t

  /// Nil if the database cannot be loaded.
  private init?() {
    // Disable tests that read beyond the buffer or report more than a type: decompression, tar, ELF notes, encodings.
    let flags =
      MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_TAR | MAGIC_NO_CHECK_ELF | MAGIC_NO_CHECK_ENCODING
    guard let cookie = magic_open(flags) else { return nil }
    self.cookie = cookie
    guard magic_load(cookie, nil) == 0 else { return nil }
    // Range of a regular expression, 8,192 by default: the only test whose cost grows with it.
    var limit = 4_096
    magic_setparam(cookie, MAGIC_PARAM_REGEX_MAX, &limit)
  }

  deinit { magic_close(cookie) }

  /// libmagic's type for the first bytes of a file; nil if it knows none.
  func type(of bytes: [UInt8]) -> String? {
    guard let text = bytes.withUnsafeBytes({ magic_buffer(cookie, $0.baseAddress, $0.count) }) else { return nil }
    // libmagic owns the text until the next call. Several results are on separate lines.
    let name = String(cString: text).prefix { $0 != "\n" && $0 != "\\" && $0 != ";" }
    return name == "application/octet-stream" || name.isEmpty ? nil : String(name)
  }

  /// The handle of the current thread. Creating it maps the database, of which a search reads every page.
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

extension MediaProber {
  /// Opens libmagic's database for the probes of this thread, without a search.
  package static func openDatabase() { _ = MagicCookie.current }
}
