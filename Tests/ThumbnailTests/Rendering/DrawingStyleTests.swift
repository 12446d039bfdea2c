internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// What a drawing holds in places where librsvg looks for more than this library reads: styles, declarations, encodings.
@Suite(.timeLimit(.minutes(20))) struct DrawingStyleTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private static let open =
    #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40""#

  private func render(_ bytes: [UInt8]) throws -> ThumbnailResult {
    try studio.render(studio.folder.write(bytes, to: "drawing.svg"), [.box(40)])
  }

  private func expectRefusal(_ bytes: [UInt8], _ code: MediaFailure.Code = .unsupported) throws {
    let result = try render(bytes)
    #expect(result.error?.code == code, "\(String(describing: result.error))")
    #expect(result.renditions.isEmpty)
    #expect(result.icon == .image)
  }

  @Test(
    "a document in a data: URL is refused wherever CSS allows a URL",
    arguments: [
      #"<rect fill="url(§#p)"/>"#, #"<rect fill='url("§#p") blue'/>"#, #"<rect stroke="URL( da TABta:§#p)"/>"#,
      #"<rect mask="url(§#p)"/>"#, #"<rect clip-path="url(§#p)"/>"#, #"<rect filter="url(§#p)"/>"#,
      #"<path marker-start="url(§#p)" d="M0 0h9"/>"#, #"<rect style="fill:url(§#p)"/>"#,
      // A prefix that nobody declares is dropped.
      #"<rect who:fill="url(§#p)"/>"#,
      #"<style>rect{fill:url(§#p)}</style>"#, #"<style>rect{fill:url('§#p')}</style>"#,
      #"<style>@import url("§");</style>"#, #"<style>@import "§";</style>"#,
      #"<style><![CDATA[@import '§';]]></style>"#,
      #"<style>rect{fill:url(da<!-- -->ta:image/svg+xml,x#p)}</style>"#,
      #"<svg:style xmlns:svg="http://www.w3.org/2000/svg">@import "§";</svg:style>"#,
      // Written in other characters.
      #"<rect fill="url(&#100;ata:image/svg+xml,x#p)"/>"#, #"<rect fill="u\72l(\64 ata:image/svg+xml,x#p)"/>"#,
      #"<style>@import "\64 ata:text/css,x";</style>"#, #"<style>@import &#x22;data:text/css,x";</style>"#,
      #"<rect fill="url(&nobody;#p)"/>"#, #"<rect fill="url(&#x000000000000064;ata:image/svg+xml,x#p)"/>"#,
      // Documents in addresses, with a fragment behind, and what cannot be read.
      ##"<use href="data:image/svg+xml,%3C!DOCTYPE svg [%3C!ENTITY a 'b'%3E%3C!ENTITY a 'c'%3E]%3E%3Csvg/%3E#g"/>"##,
      ##"<use href="data:image/svg+xml;base64,PCFFTlRJVFkgYSBTWVNURU0+PHN2Zy8+#g"/>"##,
      #"<image href="data:image/png;base64,*!*"/>"#,
      // A style sheet that begins like a font.
      #"<style>@import "data:font/woff;base64,d09GRnt9";</style>"#,
      #"<rect fill="url(data:font/woff;base64,d09GRnt9#p)"/>"#,
    ])
  func dataInStylesIsRefused(content: String) throws {
    let content = content.replacingOccurrences(of: "TAB", with: "\t")
      .replacingOccurrences(of: "§", with: "data:image/svg+xml,%3Csvg/%3E")
    try expectRefusal(Array("\(Self.open)>\(content)</svg>".utf8))
  }

  @Test(
    "declarations and processing instructions cannot contain a data: URL",
    arguments: [
      #"<?xml-stylesheet href="data:text/css,rect%7Bfill:red%7D" type="text/css"?>OPEN></svg>"#,
      #"<?xml-stylesheet href="&#100;ata:text/css,rect%7Bfill:red%7D" type="text/css"?>OPEN></svg>"#,
      #"<!DOCTYPE svg [<!ENTITY a "url(da"><!ENTITY b "ta:image/svg+xml,x#p)">]>OPEN><rect fill="&a;&b;"/></svg>"#,
      #"<!DOCTYPE svg [<!ENTITY a "url(da"><!ENTITY b "ta:,x#p)">]>OPEN><style>rect{fill:&a;&b;}</style></svg>"#,
      // XML takes the first, librsvg the last.
      ##"<!DOCTYPE svg [<!ENTITY a "#p"><!ENTITY a "data:,x#p">]>OPEN><rect fill="url(&a;)"/></svg>"##,
      #"<!DOCTYPE svg [<!ATTLIST image a C§ ">" xlink:href C§ "data:image/png;base64,AAAA">]>OPEN><image/></svg>"#,
      #"<!DOCTYPE svg [<!ATTLIST rect fill C§ #FIXED "url(data:image/svg+xml,x#p)">]>OPEN><rect/></svg>"#,
      #"<?xml version="1.0"     PAD   encoding="UTF-7"?>OPEN></svg>"#,
    ])
  func dataInDeclarationsIsRefused(document: String) throws {
    let text = document.replacingOccurrences(of: "OPEN", with: Self.open)
      .replacingOccurrences(of: "PAD", with: String(repeating: " ", count: 600))
    try expectRefusal(Array(text.utf8))
  }

  @Test(
    "octaves of noise are refused by value in any notation",
    arguments: ["00000000000000000000100000", "10", "1e5", "+100000", "9.9", ""])
  func octaves(number: String) throws {
    let noise = #"<filter id="f"><feTurbulence baseFrequency="0.3" numOctaves="\#(number)"/></filter>"#
    try expectRefusal(Array(#"\#(Self.open)>\#(noise)<rect width="2" height="2" filter="url(#f)"/></svg>"#.utf8))
  }

  @Test func `UTF-16 without a byte order mark is refused`() throws {
    let hidden = "?><!-- "
    let shown = "?>\(Self.open)></svg> "
    let end = " -->\(Self.open)><image href='x'/></svg>"
    for (encoding, bigEndian) in [("UTF-16LE", false), ("UTF-16BE", true)] {
      func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
      }
      let head = Array(#"<?xml version="1.0" encoding="\#(encoding)""#.utf8)
      try expectRefusal(head + utf16(hidden) + Array(shown.utf8) + utf16(end))
    }
  }

  @Test func `A byte order mark that contradicts the declaration is refused`() throws {
    let text = #"<?xml version="1.0" encoding="ISO-8859-1"?>\#(Self.open)></svg>"#
    try expectRefusal([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
  }

  @Test(
    "content that the scanner does not reach is not rendered",
    arguments: ["<g/><rect fill=red/><g/></svg>", "<g/><!-- </svg>", "</svg>\u{0}<g/>", "<a b='></svg>", "<g/></svg><"])
  func unreachedContentIsNotRendered(rest: String) throws {
    let result = try render(Array("\(Self.open)>\(rest)".utf8))
    #expect([.corrupt, .unsupported].contains(result.error?.code), "\(String(describing: result.error))")
    #expect(["not well-formed XML", "encoding"].contains(result.error?.detail))
  }
}
