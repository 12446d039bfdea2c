internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// How long a drawing takes to draw is bounded before it is drawn.
@Suite(.timeLimit(.minutes(20))) struct DrawingWorkTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private static let noise =
    #"<filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency="0.3" numOctaves="9"/></filter>"#

  private func render(_ content: String, side: Int) throws -> ThumbnailResult {
    let open =
      #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9000 9000">"#
    return try studio.render(
      studio.folder.write(Array("\(open)\(Self.noise)\(content)</svg>".utf8), to: "drawing.svg"), [.box(side)])
  }

  /// Each asks for noise thousands or millions of times, on elements too small to show any.
  private static let drawings: [String: String] = [
    "attribute": String(repeating: ##"<path filter="url(#f)" d="M0 0h.1"/>"##, count: 5_000),
    "list": #"<path filter="\#(String(repeating: "url(#f) ", count: 5_000))" d="M0 0h.1"/>"#,
    "class": #"<style>.a{filter:url(#f)}</style>"#
      + String(repeating: #"<path class="b a" d="M0 0h.1"/>"#, count: 5_000),
    "element": #"<style>path{filter:url(#f)}</style>"# + String(repeating: #"<path d="M0 0h.1"/>"#, count: 5_000),
    "style": String(repeating: ##"<path style="fill:red; filter: url(#f)" d="M0 0h.1"/>"##, count: 5_000),
    "use": ##"<g id="u0"><path filter="url(#f)" d="M0 0h.1"/></g>"##
      + (1..<9).map { #"<g id="u\#($0)">"# + String(repeating: "<use xlink:href='#u\($0 - 1)'/>", count: 10) + "</g>" }
      .joined(),
    "pattern": #"<pattern id="p"><path filter="url(#f)" d="M0 0h.1"/></pattern>"#
      + String(repeating: ##"<path fill="url(#p)" d="M0 0h.1"/>"##, count: 5_000),
    "morphology": ##"<filter id="m"><feMorphology radius="1"/></filter>"##
      + String(repeating: ##"<path filter="url(#m)" d="M0 0h.1"/>"##, count: 1_000),
  ]

  @Test(arguments: drawings.keys.sorted())
  func `Many filters are refused`(name: String) throws {
    let large = try render(try #require(Self.drawings[name]), side: 1_440)
    #expect(large.error?.code == .unsupported, "\(String(describing: large.error))")
    #expect(large.icon == .image, "\(String(describing: large.error))")
    #expect(large.error?.detail == "filters")
  }

  @Test func `A drawing with many filters is rendered smaller`() throws {
    let paths = String(repeating: ##"<path filter="url(#f)" d="M0 0h.1"/>"##, count: 60)
    let large = try render(paths, side: 1_440)
    #expect(large.error == nil)
    #expect((400..<500).contains(try #require(large.renditions.first).width))
    #expect(try render(paths, side: 64).renditions.map(\.width) == [64])
    let few = String(repeating: ##"<path filter="url(#f)" d="M0 0h.1"/>"##, count: 5)
    #expect(try render(few, side: 1_440).renditions.map(\.width) == [1_440])
  }

  @Test func `A matrix that would abort the process is refused`() throws {
    let matrix =
      #"<filter id="m"><feConvolveMatrix order="30" kernelMatrix="\#(String(repeating: "1 ", count: 900))"/></filter>"#
    let result = try render(#"\#(matrix)<rect filter="url(#m)" width="9" height="9"/>"#, side: 64)
    #expect(result.error?.code == .unsupported)
  }
}
