import MediaEngine
import MediaEngineInProcess
import MediaModel
import RemoteSources
import Testing

extension Examples {
  @Test func `A bucket is read`() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let engine = try await MediaEngine.start(configuration)
    let etag: String? = nil

    // Compiled and not called, because it needs a bucket.
    func readsABucket() async throws {
      var settings = RemoteClient.Settings()
      settings.allowed = ["*.example.org", "s3://photos/2024"].compactMap { RemoteClient.Pattern($0) }
      settings.region = "eu-central-1"
      let client = try RemoteClient(settings)
      let file = try client.file("s3://photos/2024/beach.jpg", etag: etag)
      let info = try await engine.probe(.ranges(file))
      print("\(info.type): \(file.requests) requests, \(file.bytesRead) bytes")
    }
    #expect(RemoteClient.Pattern("s3://photos/2024") != nil)
    await engine.shutdown()
  }
}
