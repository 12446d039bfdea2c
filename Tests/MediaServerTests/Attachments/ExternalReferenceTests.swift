internal import FileSupport
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// Files that name a server (attack 12 of the service's threat model): whatever is asked of them, nobody connects to it.
@Suite struct ExternalReferenceTests {
  /// A port of 127.0.0.1 where connections wait to be counted.
  private final class Listener {
    let port: Int
    private let socket: Int32

    init() throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(UInt32(0x7f00_0001).bigEndian)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let socket = socket
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      try #require(isListening && port > 0)
    }

    deinit { close(socket) }

    /// Takes the connections that were made so far.
    func count() -> Int {
      var count = 0
      while case let connection = accept(socket, nil, nil), connection >= 0 {
        close(connection)
        count += 1
      }
      return count
    }
  }

  /// A box of QuickTime.
  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(content.count + 8)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + content
  }

  /// Files by their names, with references to a URL.
  private static func files(_ url: String) -> [String: [UInt8]] {
    let svg = "xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\""
    let texts = [
      "image.svg":
        "<svg \(svg) xmlns:xlink=\"http://www.w3.org/1999/xlink\"><image xlink:href=\"\(url)\" width=\"9\" height=\"9\"/></svg>",
      "href.svg": "<svg \(svg)><image href=\"\(url)\" width=\"9\" height=\"9\"/><use href=\"\(url)#a\"/></svg>",
      "style.svg":
        "<svg \(svg)><style>@import url('\(url)'); rect { fill: url(\(url)#a) }</style><rect width=\"9\" height=\"9\"/></svg>",
      "sheet.svg":
        "<?xml-stylesheet href=\"\(url)\" type=\"text/css\"?><svg \(svg)><rect width=\"9\" height=\"9\"/></svg>",
      "dtd.svg": "<!DOCTYPE svg SYSTEM \"\(url)\"><svg \(svg)/>",
      "entity.svg": "<!DOCTYPE svg [<!ENTITY x SYSTEM \"\(url)\">]><svg \(svg)><text y=\"9\">&x;</text></svg>",
      "parameter.svg": "<!DOCTYPE svg [<!ENTITY % x SYSTEM \"\(url)\"> %x;]><svg \(svg)/>",
      "include.svg":
        "<svg \(svg) xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"\(url)\" parse=\"text\"/></svg>",
      "list.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(url)\n#EXT-X-ENDLIST\n",
      "list.mp4": "#EXTM3U\n#EXTINF:1,\n\(url)\n#EXT-X-ENDLIST\n",
      "list.ffconcat": "ffconcat version 1.0\nfile '\(url)'\n",
      "list.mpd":
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><BaseURL>\(url)</BaseURL></Period></MPD>",
      "session.sdp": "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\na=control:\(url)\r\n",
      "page.html": "<!doctype html><img src=\"\(url)\"><script src=\"\(url)\"></script>",
      "card.vcf": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nPHOTO:\(url)\r\nEND:VCARD\r\n",
      "mail.eml":
        "From: a@example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<img src=\"\(url)\">\r\n",
    ]
    var files = texts.mapValues { Array($0.utf8) }
    // A reference movie (QuickTime File Format, "Reference Movies").
    let location = Array(url.utf8) + [0]
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: location.count >> $0) }
    let reference = box("rdrf", [0, 0, 0, 0] + Array("url ".utf8) + size + location)
    files["reference.mov"] =
      box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8))
      + box("moov", box("rmra", box("rmda", reference)))
    return files
  }

  @Test func `No file makes the server or its workers connect to the address that it names`() async throws {
    let listener = try Listener()
    let client = try await RouteClient()
    for (name, content) in Self.files("http://127.0.0.1:\(listener.port)/x.png").sorted(by: { $0.key < $1.key }) {
      let id = try await client.add(path: try client.folder.write(content, to: name), name: name).rawValue
      for part in ["", "/original", "/renditions/64.png", "/poster", "/storyboard.webp", "/waveform", "/parts/1"] {
        let answer = try await client.send(.get, "/v1/attachments/\(id)\(part)", as: .alice)
        #expect(answer.status < 500, "\(name)\(part): \(answer.status)")
      }
      let modules = try await client.send(.get, "/v1/messages/\(id)/modules", as: .alice)
      #expect(modules.status < 500, "\(name): \(modules.status)")
      #expect(listener.count() == 0, "\(name)")
    }
  }
}
