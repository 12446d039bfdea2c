internal import FileSupport
internal import Logging
internal import MediaEngine
internal import MediaService

/// The keys that verify tokens, replaced when their file changes.
final class KeyStore: Sendable {
  /// What a new file means for signed URLs.
  struct Replacement: Sendable {
    /// The keys that sign them; nil for none.
    let signingKeys: SigningKeys?
  }

  private struct State: Sendable {
    var keys: KeyFile
    /// Made for the first token.
    var verifier: TokenVerifier?
  }

  private let file: String?
  private let now: @Sendable () -> Int
  private let state: Locked<State>

  /// - Parameters:
  ///   - file: Where the keys were read; nil for keys from elsewhere, which stay.
  ///   - now: The present in seconds since 1970.
  init(_ keys: KeyFile, file: String?, now: @escaping @Sendable () -> Int) {
    (self.file, self.now) = (file, now)
    // Keys without a stamp are read again by the first refresh.
    state = Locked(State(keys: keys))
  }

  /// Verifies tokens with the keys of the moment.
  var verifier: TokenVerifier {
    get async {
      let known = state.withLock { $0 }
      if let verifier = known.verifier { return verifier }
      let made = await TokenVerifier(known.keys.tokens, now: now)
      return state.withLock { state in
        // The file may have been replaced meanwhile.
        let verifier = state.verifier ?? made
        state.verifier = verifier
        return verifier
      }
    }
  }

  /// Reads the file again if it has changed. Blocking.
  /// - Returns: nil if nothing has changed. A file that cannot be used leaves the old keys in use.
  func refresh(logger: Logger) async -> Replacement? {
    guard let file else { return nil }
    let stamp = KeyFile.stamp(of: file)
    guard state.withLock({ $0.keys.stamp != stamp }) else { return nil }
    do throws(KeyFile.Failure) {
      let keys = try KeyFile(path: file)
      let signingKeys = try keys.signingKeys()
      let verifier = await TokenVerifier(keys.tokens, now: now)
      state.withLock { $0 = State(keys: keys, verifier: verifier) }
      return Replacement(signingKeys: signingKeys)
    } catch {
      // It may be half written: the next look finds all of it.
      logger.warning("the key file could not be reloaded; the old keys stay in use", metadata: ["error": "\(error)"])
      return nil
    }
  }
}
