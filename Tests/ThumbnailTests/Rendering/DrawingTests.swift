internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// A drawing is an untrusted document: its references, compressed data and repetitions.
@Suite(.timeLimit(.minutes(20))) struct DrawingTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private static let open =
    #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40""#
  /// A red image of 40 × 40 pixels, next to the drawing.
  private static let image = PixelBuffer(width: 40, height: 40) { _, _ in [255, 0, 0, 255] }

  private func render(_ text: String) throws -> ThumbnailResult {
    try studio.render(studio.folder.write(Array(text.utf8), to: "drawing.svg"), [.box(40)])
  }

  /// What the middle of the drawing shows on top of blue.
  private func middle(of content: String, head: String = "", attributes: String = "") throws -> [UInt8] {
    let result = try render(
      ##"\##(head)\##(Self.open) \##(attributes)><rect width="40" height="40" fill="#00f"/>\##(content)</svg>"##)
    let rendition = try #require(result.renditions.first, "\(String(describing: result.error))")
    return try studio.pixels(of: rendition)[20, 20]
  }

  private static let blue: [UInt8] = [0, 0, 255, 255]
  private static let red: [UInt8] = [255, 0, 0, 255]

  @Test(arguments: [
    "red.png", "./red.png", "FOLDER/red.png", "file://FOLDER/red.png", "FILE://FOLDER/red.png", "file:red.png",
    "//FOLDER/red.png",
  ])
  func `External images are not rendered`(address: String) throws {
    _ = try studio.file("red.png", of: Self.image)
    let address = address.replacingOccurrences(of: "FOLDER", with: studio.folder.url.path)
    for name in ["href", "xlink:href"] {
      #expect(try middle(of: #"<image \#(name)="\#(address)" width="40" height="40"/>"#) == Self.blue)
      let based = try middle(
        of: #"<image \#(name)="\#(address)" width="40" height="40"/>"#,
        attributes: #"xml:base="file://\#(studio.folder.url.path)/""#)
      #expect(based == Self.blue)
    }
    let filter =
      #"<filter id="f"><feImage xlink:href="\#(address)"/></filter><g filter="url(#f)"><rect width="40" height="40"/></g>"#
    #expect(try middle(of: filter) != Self.red)
  }

  @Test func `Embedded images are rendered`() throws {
    // Or the tests above would prove nothing.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: studio.file("red.png", of: Self.image)))
    let image = #"<image xlink:href="data:image/png;base64,\#(bytes.base64EncodedString())" width="40" height="40"/>"#
    #expect(try middle(of: image) == Self.red)
  }

  @Test(arguments: [
    #"<use xlink:href="other.svg#r"/>"#, #"<use xlink:href="file://FOLDER/other.svg#r"/>"#,
    #"<style>@import url("other.css");</style>"#, #"<style>@import url("file://FOLDER/other.css");</style>"#,
    #"<script>document.querySelector("rect").setAttribute("fill", "red")</script>"#,
    #"<script xlink:href="file://FOLDER/other.js"/>"#,
    #"<rect width="40" height="40" fill="url(file://FOLDER/other.svg#p) none"/>"#,
    #"<foreignObject width="40" height="40"><body xmlns="http://www.w3.org/1999/xhtml" style="background:red"/></foreignObject>"#,
  ])
  func `Nothing outside is followed and nothing runs`(content: String) throws {
    let other =
      Self.open
      + #"><linearGradient id="p"><stop stop-color="red"/></linearGradient><rect id="r" width="40" height="40" fill="red"/></svg>"#
    try studio.folder.write(Array(other.utf8), to: "other.svg")
    try studio.folder.write(Array("rect { fill: red }".utf8), to: "other.css")
    try studio.folder.write(Array(#"document.querySelector("rect").setAttribute("fill", "red")"#.utf8), to: "other.js")
    #expect(try middle(of: content.replacingOccurrences(of: "FOLDER", with: studio.folder.url.path)) == Self.blue)
  }

  /// A pipe that nobody writes to: whoever opens it to read waits for ever.
  @Test(arguments: [
    #"<image xlink:href="file://PIPE" width="40" height="40"/>"#, #"<image href="PIPE" width="40" height="40"/>"#,
    #"<style>@font-face { font-family: f; src: url("file://PIPE") } text { font-family: f }</style><text y="9">a</text>"#,
    #"<style>@import "file://PIPE";</style>"#, #"<use xlink:href="file://PIPE#a"/>"#,
    #"<filter id="f"><feImage xlink:href="file://PIPE"/></filter><rect width="9" height="9" filter="url(#f)"/>"#,
  ])
  func `External references are not opened`(content: String) throws {
    let pipe = studio.folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let content = content.replacingOccurrences(of: "PIPE", with: pipe)
    let sheet = #"<?xml-stylesheet href="file://\#(pipe)" type="text/css"?>"#
    #expect(try render("\(sheet)\(Self.open)>\(content)</svg>").renditions.count == 1)
  }

  @Test(arguments: [
    // Entities: from a file, one in another, markup, parameters.
    #"<!DOCTYPE svg [<!ENTITY e SYSTEM "file://PIPE">]>OPEN><text>&e;</text></svg>"#,
    #"<!DOCTYPE svg [<!ENTITY % e SYSTEM "file://PIPE"> %e;]>OPEN></svg>"#,
    #"<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>OPEN><text>&b;</text></svg>"#,
    #"<!DOCTYPE svg [<!ENTITY i "<image href='data:,x'/>">]>OPEN>&i;</svg>"#,
    #"<!DOCTYPE svg [<!ENTITY i "&#60;image href='data:,x'/>">]>OPEN>&i;</svg>"#,
    #"<!DOCTYPE svg [<!ENTITY d "data:image/png">]>OPEN><image href="&d;;base64,AAAA"/></svg>"#,
    #"<!DOCTYPE svg [<!ENTITY t "ta:image/png">]>OPEN><image href="da&t;;base64,AAAA"/></svg>"#,
    #"<!DOCTYPE svg [<!ATTLIST image href CDATA "data:image/png;base64,AAAA">]>OPEN><image/></svg>"#,
    // What would mislead a reader that is not librsvg's.
    #"<!DOCTYPE svg [<?a '?>]>OPEN><text>' ]><g/></text></svg>"#,
    #"<?xml version="1.0" encoding="UTF-7"?>OPEN></svg>"#,
    // Documents in the document.
    #"OPEN><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://PIPE"/></svg>"#,
    #"OPEN><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="data:text/xml,x"/></svg>"#,
    #"OPEN><image href="data:image/png;base64,AAAAAAAA"/></svg>"#,
    #"OPEN><filter id="f"><feTurbulence numOctaves="1000000000"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>"#,
  ])
  func `Hidden references are refused`(document: String) throws {
    let pipe = studio.folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let text = document.replacingOccurrences(of: "OPEN", with: Self.open).replacingOccurrences(of: "PIPE", with: pipe)
    let result = try render(text)
    #expect(result.error?.code == .unsupported, "\(String(describing: result.error))")
    #expect(result.renditions.isEmpty)
    #expect(result.icon == .image)
  }

  @Test func `Many uses of a long entity are refused`() throws {
    let long = String(repeating: "a", count: 100_000)
    let uses = String(repeating: "&a;", count: 20_000)
    let text = #"<!DOCTYPE svg [<!ENTITY a "\#(long)">]>\#(Self.open)><text>\#(uses)</text></svg>"#
    #expect(try render(text).error?.code == .unsupported)
  }

  @Test func `Namespace entities of drawing programs are allowed`() throws {
    let head = #"<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg [<!ENTITY ns "http://ns.adobe.com/x/">]>"#
    #expect(try middle(of: "<g/>", head: head, attributes: #"xmlns:x="&ns;""#) == Self.blue)
  }

  @Test func `Embedded images count towards the limits`() throws {
    // 30,000 × 30,000 pixels in 130 KB.
    let bomb = studio.folder.path("bomb.png")
    try studio.check(studio.vips.run(["black", bomb + "[compression=9,bitdepth=1]", "30000", "30000"]))
    let data = try Data(contentsOf: URL(fileURLWithPath: bomb)).base64EncodedString()
    let image = #"<image href="data:image/png;base64,\#(data)" width="40" height="40"/>"#
    #expect(try render("\(Self.open)>\(image)</svg>").error?.code == .tooManyPixels)
    let inner = Data("\(Self.open)>\(image)</svg>".utf8).base64EncodedString()
    let nested = #"\#(Self.open)><image href="data:image/svg+xml;base64,\#(inner)" width="40" height="40"/></svg>"#
    #expect(try render(nested).error?.code == .tooManyPixels)
    let deeper = Data(nested.utf8).base64EncodedString()
    let threefold = #"\#(Self.open)><image href="data:image/svg+xml;base64,\#(deeper)" width="40" height="40"/></svg>"#
    #expect(try render(threefold).error?.code == .unsupported)
  }

  @Test func `Self references end`() throws {
    let loop = ##"<g id="b"><use xlink:href="#b"/></g><use id="a" xlink:href="#a"/>"##
    #expect(try render("\(Self.open)>\(loop)</svg>").renditions.count <= 1)
    let levels = (1..<30).map {
      "<g id=\"u\($0)\">" + String(repeating: "<use xlink:href=\"#u\($0 - 1)\"/>", count: 10) + "</g>"
    }
    let bomb =
      "<defs><g id=\"u0\"><rect width=\"1\" height=\"1\"/></g>\(levels.joined())</defs><use xlink:href=\"#u29\"/>"
    let result = try render("\(Self.open)>\(bomb)</svg>")
    #expect(result.error != nil)
    #expect(result.renditions.isEmpty)
    let deep = String(repeating: "<g>", count: 100_000) + String(repeating: "</g>", count: 100_000)
    #expect(try render("\(Self.open)>\(deep)</svg>").error != nil)
  }

  @Test(arguments: 0..<120) func `A mutated drawing gives a result`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 501)
    let sources = Fixture.all(in: "vector/").filter { $0.path.hasSuffix(".svg") } + Fixture.all(in: "formats/drawing")
    var bytes = try Fixture.bytes(sources[seed % sources.count].path)
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let at = generator.below(bytes.count)
      switch generator.below(3) {
      case 0: bytes[at] = UInt8(generator.below(256))
      case 1: bytes.removeSubrange(at..<min(bytes.count, at + generator.below(9)))
      default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + generator.below(40))], at: at)
      }
    }
    let input = try MediaInput(bytes: bytes)
    var info = MediaProber().facts(of: input)
    // A mutation may hide what it is; the way of a drawing is what is tried here.
    info.type = .svg
    info.kind = .image
    info.error = nil
    let result = Thumbnailer().render(input, info: info, requests: [.box(64)])
    #expect(result.renditions.count == 1 || result.error != nil && result.icon == .image)
  }
}
