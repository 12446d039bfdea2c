internal import Foundation
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// What a probe of real photos and videos costs in requests and bytes.
@Suite("Facts of the corpus over HTTP", .timeLimit(.minutes(60))) struct CorpusRangesTests {
  private struct Cost {
    let path: String
    let kind: MediaKind
    let size: Int
    let requests: Int
    let bytes: Int
  }

  @Test(
    "facts by ranges are those of the local file; the median photo or video costs at most three requests and 600 KB",
    .enabled(if: Corpus.isPresent)) func corpus() async throws
  {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Corpus.folder.path).sorted()
    let server = try ScriptedServer { request, connection in
      let path = Corpus.path(request.target.dropFirst().removingPercentEncoding ?? "")
      guard let data = FileManager.default.contents(atPath: path) else {
        connection.respond("404 Not Found")
        return true
      }
      connection.serve([UInt8](data), request)
      return true
    }
    let client = try RemoteClient(.test(allowing: "127.0.0.1"))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    let engine = try await MediaEngine.start(configuration)
    var options = ProbeOptions()
    options.limits.probeSeconds = 60
    var costs: [Cost] = []
    for name in names {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: Corpus.path(name), isDirectory: &isFolder), !isFolder.boolValue
      else {
        continue
      }
      let claim = MediaType.Claim.fileName(name)
      let local = try await engine.probe(.path(Corpus.path(name)), claim: claim, options: options)
      let target = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
      let file = try client.file(server.url("/\(target)"))
      let remote = try await engine.probe(.ranges(file), claim: claim, options: options)
      #expect(remote == local, "\(name)")
      costs.append(
        Cost(path: name, kind: local.kind, size: local.bytes, requests: file.requests, bytes: file.bytesRead))
    }
    await engine.shutdown()
    let media = costs.filter { [.image, .video].contains($0.kind) && $0.size > 600_000 }
    #expect(media.count > 10)
    for kind in [MediaKind.image, .video] {
      let of = media.filter { $0.kind == kind }
      let (requests, bytes) = (of.map(\.requests).sorted(), of.map(\.bytes).sorted())
      guard let most = of.max(by: { $0.requests < $1.requests }) else { continue }
      let medians = "requests median \(requests[of.count / 2]), bytes median \(bytes[of.count / 2])"
      print("\(kind) over 600 KB: \(of.count) files, \(medians), max \(most.requests) (\(most.path))")
      #expect(requests[of.count / 2] <= 3)
      #expect(bytes[of.count / 2] < 600_000)
    }
    let all = costs.map(\.requests).sorted()
    let tail = "90th \(all[all.count * 9 / 10]), max \(all.last ?? 0)"
    print("all \(costs.count) files: requests median \(all[all.count / 2]), \(tail)")
  }
}
