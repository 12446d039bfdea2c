internal import Foundation
internal import RemoteSources
internal import Testing

/// The examples of the documentation of S3 ("Authenticating Requests: Using the Authorization Header" and "Using Query Parameters").
@Suite("Signature Version 4") struct SigV4Tests {
  private let signer = SigV4(
    credentials: S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  /// 24 May 2013, 00:00 UTC.
  private let time = Date(timeIntervalSince1970: 1_369_353_600)

  private func signature(_ request: SigV4.Request) -> String? {
    signer.signed(request, at: time).first { $0.name == "Authorization" }?.value.split(separator: "=").last.map(
      String.init)
  }

  @Test("a GET of a range has the documented signature") func range() {
    var request = SigV4.Request(host: "examplebucket.s3.amazonaws.com", path: "/test.txt")
    request.headers = [("Range", "bytes=0-9")]
    #expect(signature(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test("a query without a value has the documented signature") func emptyValue() {
    var request = SigV4.Request(host: "examplebucket.s3.amazonaws.com", path: "/")
    request.query = [("lifecycle", "")]
    #expect(signature(request) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
  }

  @Test("a query with two values has the documented signature") func query() {
    var request = SigV4.Request(host: "examplebucket.s3.amazonaws.com", path: "/")
    request.query = [("prefix", "J"), ("max-keys", "2")]
    #expect(signature(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test("a PUT with a body and headers has the documented signature") func put() {
    var request = SigV4.Request(host: "examplebucket.s3.amazonaws.com", path: "/test%24file.text")
    request.method = "PUT"
    request.payloadHash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    request.headers = [
      ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
    ]
    #expect(signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test("a presigned URL is the documented one") func presigned() {
    let request = SigV4.Request(host: "examplebucket.s3.amazonaws.com", path: "/test.txt")
    #expect(
      signer.presigned(request, seconds: 86_400, at: time)
        == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
        + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test("the description of keys does not have the secret") func description() {
    #expect(!"\(signer.credentials)".contains("wJalr"))
  }
}
