internal import Foundation
internal import MMSCodec
internal import TestSupport
internal import Testing

/// Messages of other implementations: of python-messaging if it is installed, and any PDUs in a folder.
@Suite struct ForeignMessageTests {
  /// A Python with python-messaging: that of the environment PYTHON_MESSAGING, or the one that `make bench` installs.
  private static let python: Tool? = {
    let places: [String?] = [
      ProcessInfo.processInfo.environment["PYTHON_MESSAGING"],
      Corpus.packageRoot.appendingPathComponent(".build-bench/venv/bin/python").path,
    ]
    for place in places.compactMap({ $0 }) where FileManager.default.isExecutableFile(atPath: place) {
      let tool = Tool(executable: URL(fileURLWithPath: place))
      if (try? tool.output(["-c", "import messaging.mms.message"])) != nil { return tool }
    }
    print("skipped: no python-messaging; make bench installs it, or PYTHON_MESSAGING names a Python that has it")
    return nil
  }()

  /// The files `*.mms` of the folder that the environment MMS_SAMPLES names.
  private static let samples: [URL] = {
    let folder = ProcessInfo.processInfo.environment["MMS_SAMPLES"]
    let names = folder.flatMap { try? FileManager.default.subpathsOfDirectory(atPath: $0) } ?? []
    let files = names.filter { $0.hasSuffix(".mms") }.sorted().map {
      URL(fileURLWithPath: folder ?? "").appendingPathComponent($0)
    }
    if files.isEmpty { print("skipped: MMS_SAMPLES names no folder with *.mms") }
    return files
  }()

  @Test(.enabled(if: python != nil, "python-messaging is not installed"))
  func `Messages of python-messaging are read`() throws {
    let script = Corpus.packageRoot.appendingPathComponent("Tests/MMSCodecTests/Peers/python-messaging-encode.py")
    let message = try MMSMessage(decoding: #require(Self.python).output([script.path]))
    #expect(message.type == .sendReq)
    #expect(message[.subject]?.text == "two slides")
    #expect(message.version == .v10)
    #expect(message[.to]?.address == MMSAddress("+15550002", kind: .phone))
    #expect(message.parts.count == 5)
    #expect(message.parts.first?.contentType.isSMIL == true)
    let slides = MessageSlides(of: message)
    #expect(slides.slides.compactMap { $0.text?.text } == ["text 0", "text 1"])
    #expect(
      slides.slides.compactMap { $0.media?.body }.map(Array.init) == [
        [0xFF, 0xD8, 0xFF, 0x30], [0xFF, 0xD8, 0xFF, 0x31],
      ])
    #expect(try MMSMessage(decoding: message.encoded()) == message)
  }

  @Test(.enabled(if: !samples.isEmpty, "there are no samples"), arguments: samples)
  func `A real message is unchanged by reading and writing`(sample: URL) throws {
    let message = try MMSMessage(decoding: [UInt8](Data(contentsOf: sample)))
    #expect(try MMSMessage(decoding: message.encoded()) == message)
    #expect(message.parts.isEmpty || !MessageSlides(of: message).slides.isEmpty)
  }
}
