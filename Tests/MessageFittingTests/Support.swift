internal import MediaEngine
internal import MediaEngineInProcess
internal import MessageFitting
internal import TestSupport

extension MediaEngine {
  /// The decoders in this process: what workers give is the same, as the tests of the engine show.
  static func forTests() async throws -> MediaEngine {
    var configuration = Configuration()
    configuration.kind = .inProcess()
    return try await MediaEngine.start(configuration)
  }
}
