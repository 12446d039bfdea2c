@testable internal import RemoteSources

extension RemoteClient.Settings {
  /// Without anything of this machine's environment, and without waiting between attempts.
  static func test(allowing patterns: String..., http: Bool = true) -> RemoteClient.Settings {
    var settings = RemoteClient.Settings()
    settings.environment = [:]
    settings.allowed = patterns.compactMap { RemoteClient.Pattern($0) }
    settings.allowsHTTP = http
    settings.jitter = { 0 }
    // A slow machine is no failure.
    settings.seconds = 600
    return settings
  }
}

extension ContinuousClock.Instant {
  /// So far away that no test reaches it.
  static var far: ContinuousClock.Instant { .now.advanced(by: .seconds(600)) }
}
