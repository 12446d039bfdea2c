internal import ArgumentParser
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// `mediatool doctor`: reports what this machine supports.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Print the versions of libvips, FFmpeg and libmagic, the supported formats and the isolation of workers.",
    discussion: """
      A format is reported as writable if a small test image could be encoded in it. An isolation layer is reported as on if the \
      kernel confirmed it in a worker. Namespaces are optional: containers and administrators may forbid them.

      Workers load only the libraries that a supported format needs. Workers for photos and common videos do not load the libraries for SVG, text \
      and JPEG 2000 either; a file that needs one of these is passed to a worker that has it.

      EXIT STATUS
        0    WebP, JPEG, PNG and AVIF can be written, and all required
             isolation layers are on
        1    one of these formats cannot be written, or a required layer is
             off
        64   the command line is invalid
        70   no worker can be started
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let report = Report(try Decoders.engine(running: 1, allowsWeakerIsolation: true))
    let writer = ResultWriter()
    if json {
      try writer.write(line: JSONLine.text(report))
    } else {
      for line in report.lines { try writer.write(line: line) }
    }
    if !report.written.allSatisfy(\.writes) || !report.layers.isComplete {
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
  }

  /// The complete report.
  struct Report: Encodable {
    let version = Version.project
    let engines: [EngineVersion]
    let pictures: [FormatSupport]
    let containers: [FormatSupport]
    let written: [Written]
    let layers: IsolationLayers
    let skippedLibraries: [SkippedLibrary]

    private enum CodingKeys: String, CodingKey {
      case version, engines, pictures, containers, written, skippedLibraries
      case layers = "isolation"
    }

    init(_ engine: MediaEngine) {
      engines = engine.description.engines
      pictures = engine.description.images
      containers = engine.description.containers
      layers = engine.layers
      skippedLibraries = engine.description.skippedLibraries
      written = RenditionRequest.Format.allCases.filter { $0 != .automatic }
        .map { Written(name: $0.rawValue, writes: Self.writes($0, engine)) }
    }

    struct Written: Encodable {
      let name: String
      let writes: Bool
    }

    /// Encodes a test image: a saver can exist without the codec that it needs.
    private static func writes(_ format: RenditionRequest.Format, _ engine: MediaEngine) -> Bool {
      var request = RenditionRequest(name: "test", box: PixelSize(width: 64, height: 64))
      request.format = format
      request.allowsUpscaling = true
      let job = MediaPreview.Request(renditions: [request]).job(claim: nil)
      do throws(MediaFailure) {
        let answer = try engine.answerBlocking(job, .bytes(testImage))
        return answer.result.thumbnails?.renditions.first?.type == format.type
      } catch {
        return false
      }
    }

    /// The report as text.
    var lines: [String] {
      func row(_ name: String, _ value: String, width: Int = 16) -> String {
        "  " + name + String(repeating: " ", count: max(1, width - name.count)) + value
      }
      let width = (skippedLibraries.map(\.name.count).max() ?? 0) + 2
      let skipped = skippedLibraries.map { library in
        row(library.name, library.byAllWorkers ? "all workers" : "some workers", width: width)
      }
      func isolation(_ name: String, _ isOn: Bool) -> String {
        !isOn ? "no" : name == "landlock" ? "version \(layers.landlock)" : "yes"
      }
      let versions = engines.map { engine in
        engine.name == RenditionRevision.name
          ? row("rendition rules", "revision \(engine.version)") : row(engine.name, engine.version)
      }
      let versionsAndFormats: [String] =
        ["mediatool \(version)", "", "Versions"] + versions
        + ["", "Readable image formats"] + pictures.map { row($0.name, $0.reads ? "yes" : "no") }
        + ["", "Writable image formats"] + written.map { row($0.name, $0.writes ? "yes" : "no") }
        + ["", "Readable video and audio formats"] + containers.map { row($0.name, $0.reads ? "yes" : "no") }
      return versionsAndFormats
        + ["", "Worker isolation"] + layers.named.map { row($0.name, isolation($0.name, $0.isOn)) }
        + [row("namespaces", layers.namespaces.isEmpty ? "no (optional)" : layers.namespaces.joined(separator: ", "))]
        + ["", "Libraries that workers skip: \(skippedLibraries.count)"] + skipped
    }
  }

  /// A PNG of one grey pixel.
  private static let testImage: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B,
    0x55, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x68, 0x00, 0x00, 0x00,
    0x82, 0x00, 0x81, 0xDA, 0x45, 0x08, 0x3B, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE,
    0x42, 0x60, 0x82,
  ]
}
