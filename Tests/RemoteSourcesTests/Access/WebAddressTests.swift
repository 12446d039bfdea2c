internal import MediaModel
internal import Testing

@testable internal import RemoteSources

@Suite("URLs of sources") struct WebAddressTests {
  @Test(
    "a URL is split, and what it cannot contain is encoded",
    arguments: [
      ("https://example.org", "https://example.org/"), ("HTTPS://Example.ORG:443/a", "https://example.org/a"),
      ("http://example.org:8080/a?b=c#d", "http://example.org:8080/a?b=c"),
      ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
      ("https://example.org/ä b", "https://example.org/%C3%A4%20b"),
      ("https://example.org/a%20b//../c?x=%2F&y", "https://example.org/a%20b//../c?x=%2F&y"),
      ("https://example.org./a", "https://example.org/a"), ("https://example.org?x", "https://example.org/?x"),
    ]) func split(text: String, expected: String) throws
  {
    #expect(try WebAddress(text).text == expected)
  }

  @Test(
    "a URL that programs understand in different ways is refused",
    arguments: [
      "https://user@example.org/", "https://example.org@127.0.0.1/", "https://example.org\\@127.0.0.1/",
      "ftp://example.org/",
      "https:///a", "https://exa mple.org/", "https://example.org:99999/", "https://example.org:/", "https://a\r\nb/",
      "https://[127.0.0.1]/", "https://[::1/", "https://exämple.org/", "https://127.0.0.1.5/",
    ]) func refused(text: String)
  {
    #expect(throws: MediaFailure.self) { try WebAddress(text) }
  }

  @Test(
    "a Location is relative to the request",
    arguments: [
      ("https://b.org/x", "https://b.org/x"), ("//b.org/x", "https://b.org/x"), ("/x?y", "https://a.org:8443/x?y"),
      ("x", "https://a.org:8443/p/x"), ("http://127.0.0.1/", "http://127.0.0.1/"),
    ]) func redirects(location: String, expected: String) throws
  {
    #expect(try WebAddress("https://a.org:8443/p/q?z").redirected(to: location).text == expected)
  }

  @Test("a key is taken as it is, with every character") func keys() throws {
    #expect(
      try RemoteAddress("s3://bucket/a//../ü %41?b#c")
        == .object(bucket: "bucket", key: Array("a//../ü %41?b#c".utf8)))
    #expect(throws: MediaFailure.self) { try RemoteAddress("s3://bucket") }
    #expect(throws: MediaFailure.self) { try RemoteAddress("s3://bucket/") }
    #expect(throws: MediaFailure.self) { try RemoteAddress("s3://a@b/c") }
  }

  @Test("a bucket is in the host or in the path, as its name and the service need it") func styles() throws {
    let aws = S3Endpoint(base: nil, style: nil)
    func text(_ endpoint: S3Endpoint, _ bucket: String) throws -> String {
      try endpoint.address(bucket: bucket, key: Array("a b/c".utf8), region: "eu-west-1").text
    }
    #expect(try text(aws, "photos") == "https://photos.s3.eu-west-1.amazonaws.com/a%20b/c")
    #expect(try text(aws, "my.photos") == "https://s3.eu-west-1.amazonaws.com/my.photos/a%20b/c")
    let own = try WebAddress("http://localhost:9000/base/")
    #expect(try text(S3Endpoint(base: own, style: nil), "photos") == "http://localhost:9000/base/photos/a%20b/c")
    #expect(try text(S3Endpoint(base: own, style: .host), "photos") == "http://photos.localhost:9000/base/a%20b/c")
    let address = try WebAddress("http://127.0.0.1:9000")
    #expect(try text(S3Endpoint(base: address, style: .host), "photos") == "http://127.0.0.1:9000/photos/a%20b/c")
  }
}
