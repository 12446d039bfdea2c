internal import FileSupport
internal import Logging
internal import MediaLibrary
internal import MediaService
internal import TestSupport
internal import Testing

@Suite("The copy of a served library") struct CopyWarningTests {
  @Test("A server that is started without the copy of its library logs a warning") func warning() async throws {
    let folder = try TemporaryFolder()
    for hasCopy in [true, false] {
      let log = LogLines()
      try await TestServer.start(
        in: folder,
        serving: {
          if hasCopy { $0.libraryOptions.copy = PathBytes(folder.path("copy")) }
          $0.logger = log.logger
        }
      ) { _ in
        let warnings = log.lines.filter { $0["library"] == "\(folder.path("library"))" }
        #expect(warnings.count == (hasCopy ? 0 : 1))
      }
    }
  }
}
