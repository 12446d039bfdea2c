internal import Foundation
internal import Glibc
internal import Logging
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite struct CertificateStoreTests {
  private let folder: TemporaryFolder
  private let first: Certificate
  private let second: Certificate
  private let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

  init() throws {
    folder = try TemporaryFolder()
    first = try Certificate(in: folder, name: "first")
    second = try Certificate(in: folder, name: "second")
  }

  @Test func `A pair of files is read again when both have changed; half of it leaves the old one in use`() throws {
    let store = try CertificateStore(.init(certificate: first.file, key: first.key))
    let before = store.context
    #expect(!store.refresh(logger: logger))
    #expect(store.context === before)
    #expect(rename(second.file, first.file) == 0)
    #expect(!store.refresh(logger: logger))
    #expect(store.context === before)
    #expect(rename(second.key, first.key) == 0)
    #expect(store.refresh(logger: logger))
    #expect(store.context !== before)
    #expect(!store.refresh(logger: logger))
  }

  @Test func `Files behind a link that is replaced are read again`() throws {
    let link = folder.path("link")
    #expect(symlink(first.file, link) == 0)
    #expect(symlink(first.key, link + ".key") == 0)
    let store = try CertificateStore(.init(certificate: link, key: link + ".key"))
    #expect(unlink(link) == 0)
    #expect(unlink(link + ".key") == 0)
    #expect(symlink(second.file, link) == 0)
    #expect(symlink(second.key, link + ".key") == 0)
    #expect(store.refresh(logger: logger))
    // A folder in the path, as certificates of Kubernetes have it: the link to the file stays.
    for (name, certificate) in [("one", first), ("two", second)] {
      try folder.write(Array(try Data(contentsOf: URL(fileURLWithPath: certificate.file))), to: "\(name)/tls.crt")
      try folder.write(Array(try Data(contentsOf: URL(fileURLWithPath: certificate.key))), to: "\(name)/tls.key")
    }
    let data = folder.path("data")
    #expect(symlink("one", data) == 0)
    #expect(symlink("data/tls.crt", folder.path("tls.crt")) == 0)
    #expect(symlink("data/tls.key", folder.path("tls.key")) == 0)
    let deep = try CertificateStore(.init(certificate: folder.path("tls.crt"), key: folder.path("tls.key")))
    #expect(unlink(data) == 0)
    #expect(symlink("two", data) == 0)
    #expect(deep.refresh(logger: logger))
  }

  @Test func `A file that is missing, is no PEM, or belongs to another key is named`() throws {
    let text = try folder.write(Array("text".utf8), to: "text")
    for (certificate, key, name) in [
      (folder.path("none"), first.key, folder.path("none")), (text, first.key, text), (first.file, text, text),
      (first.file, second.key, second.key),
    ] {
      do throws(MediaServer.StartFailure) {
        _ = try CertificateStore(.init(certificate: certificate, key: key))
        Issue.record("\(name) was accepted")
      } catch {
        #expect(error.kind == .settings, "\(error)")
        #expect(error.description.contains(name), "\(error)")
      }
    }
  }
}
