internal import ArgumentParser
internal import MediaModel
internal import MediaProbe
internal import Thumbnails

/// `mediatool doctor`: what does this machine offer?
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what this machine offers: versions of libraries, formats read and written.",
    discussion: """
      A format counts as written when a small test picture could be made in it.

      EXIT STATUS
        0    all formats can be written
        1    some cannot
      """)

  @Flag(help: "The answer as JSON.")
  var json = false

  func run() throws {
    let report = Report()
    let writer = ResultWriter()
    if json {
      try writer.write(line: JSONLine.text(report))
    } else {
      for line in report.lines { try writer.write(line: line) }
    }
    if !report.written.allSatisfy(\.writes) { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Everything that is found out.
  struct Report: Encodable {
    let version = Version.project
    let engines = Version.engines
    let pictures = Thumbnailer.pictureSupport
    let containers = MediaProber.containerSupport
    let written = RenditionRequest.Format.allCases.filter { $0 != .automatic }
      .map { Written(name: $0.rawValue, writes: Self.writes($0)) }

    struct Written: Encodable {
      let name: String
      let writes: Bool
    }

    /// Tries it: a saver can be there without the codec that it needs.
    private static func writes(_ format: RenditionRequest.Format) -> Bool {
      do throws(MediaFailure) {
        let input = try MediaInput(bytes: testPicture)
        let info = MediaProber().facts(of: input)
        var request = RenditionRequest(name: "test", box: PixelSize(width: 64, height: 64))
        request.format = format
        request.allowsUpscaling = true
        let result = Thumbnailer().render(input, info: info, requests: [request])
        return result.renditions.first?.type == format.type
      } catch {
        return false
      }
    }

    /// The report for people.
    var lines: [String] {
      func row(_ name: String, _ value: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + value
      }
      return ["mediatool \(version)", "", "Libraries"] + engines.map { row($0.name, $0.version) }
        + ["", "Pictures read"] + pictures.map { row($0.name, $0.reads ? "yes" : "no") }
        + ["", "Pictures written"] + written.map { row($0.name, $0.writes ? "yes" : "no") }
        + ["", "Video and sound read"] + containers.map { row($0.name, $0.reads ? "yes" : "no") }
    }
  }

  /// A PNG of one grey pixel.
  private static let testPicture: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B,
    0x55, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x68, 0x00, 0x00, 0x00,
    0x82, 0x00, 0x81, 0xDA, 0x45, 0x08, 0x3B, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE,
    0x42, 0x60, 0x82,
  ]
}
