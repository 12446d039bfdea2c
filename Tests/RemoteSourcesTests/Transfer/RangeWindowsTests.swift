internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

@Suite("Windows of a file") struct RangeWindowsTests {
  /// Reads a range as a file does, and returns what was fetched for it.
  private func read(_ range: Range<Int>, of file: [UInt8], _ windows: inout RangeWindows) -> [Range<Int>] {
    var fetched: [Range<Int>] = []
    while windows.bytes(range) == nil, let next = windows.missing(in: range) {
      fetched.append(next)
      windows.add(Array(file[next]), at: next.lowerBound)
    }
    return fetched
  }

  @Test("reading on doubles the windows") func doubling() {
    let file = [UInt8](repeating: 7, count: 8 << 20)
    var windows = RangeWindows(size: file.count)
    windows.add(Array(file[0..<RangeWindows.base]), at: 0)
    #expect(read(0..<100, of: file, &windows).isEmpty)
    #expect(read(262_144..<262_200, of: file, &windows) == [262_144..<786_432])
    #expect(read(786_432..<786_500, of: file, &windows) == [786_432..<1_835_008])
  }

  @Test("a jump to the end fetches one window before the end") func jumpToEnd() {
    let file = [UInt8](repeating: 7, count: 4 << 20)
    var windows = RangeWindows(size: file.count)
    windows.add(Array(file[0..<RangeWindows.base]), at: 0)
    #expect(read(file.count - 128..<file.count, of: file, &windows) == [file.count - 262_144..<file.count])
  }

  @Test("random reads give the bytes of the file, and no byte is fetched twice") func random() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let file = (0..<Int.random(in: 1...3_000_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
      var windows = RangeWindows(size: file.count)
      var fetched: [Range<Int>] = []
      for _ in 0..<20 {
        let start = Int.random(in: 0..<file.count, using: &random)
        let range = start..<min(file.count, start + Int.random(in: 1...400_000, using: &random))
        fetched += read(range, of: file, &windows)
        guard windows.bytes(range) == Array(file[range]) else {
          Issue.record("other bytes for \(range) of \(file.count)")
          return
        }
      }
      let sorted = fetched.sorted { $0.lowerBound < $1.lowerBound }
      #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
  }

  @Test("overlapping bytes are kept once") func overlap() {
    var windows = RangeWindows(size: 100)
    windows.add(Array(20..<40), at: 20)
    windows.add(Array(0..<60), at: 0)
    #expect(windows.bytes(0..<60) == Array(0..<60))
    #expect(windows.bytes(0..<61) == nil)
  }
}

@Suite("Responses to requests for ranges") struct RangePlanTests {
  private func plan(
    _ status: Int, _ headers: [String: String], range: Range<Int> = 0..<1_000, size: Int? = nil, etag: String? = nil
  ) -> Result<RangePlan, MediaFailure> {
    do throws(MediaFailure) {
      let request = RangePlan.Request(range: range, size: size, etag: etag.flatMap { EntityTag($0) })
      return .success(try RangePlan(ResponseHead(status: status, headers: headers), to: request))
    } catch {
      return .failure(error)
    }
  }

  private func code(_ result: Result<RangePlan, MediaFailure>) -> MediaFailure.Code? {
    if case .failure(let failure) = result { return failure.code }
    return nil
  }

  @Test("206 needs a Content-Range that matches the request and the length") func partial() throws {
    let good = try plan(206, ["content-range": "bytes 0-999/5000", "content-length": "1000", "etag": "\"a\""]).get()
    #expect(good == RangePlan(start: 0, count: 1_000, total: 5_000, etag: EntityTag("\"a\"")))
    #expect(try plan(206, ["content-range": "bytes 0-99/100"]).get().count == 100)
    for headers in [
      [:], ["content-range": "bytes 1-1000/5000"], ["content-range": "bytes 0-499/5000"],
      ["content-range": "bytes 0-1999/5000"], ["content-range": "bytes 0-999/*"], ["content-range": "bytes */5000"],
      ["content-range": "bytes 0-999/500"], ["content-range": "bytes 999-0/5000"],
      ["content-range": "bytes 0-999/5000", "content-length": "999"],
      ["content-range": "bytes 0-99999999999999999999/99999999999999999999"],
    ] {
      #expect(code(plan(206, headers)) == .badResponse, "\(headers)")
    }
  }

  @Test("another size or another entity tag is another file") func changed() {
    let headers = ["content-range": "bytes 0-999/5000", "etag": "\"a\""]
    #expect(code(plan(206, headers, size: 5_001)) == .changed)
    #expect(code(plan(206, headers, size: 5_000, etag: "\"b\"")) == .changed)
    #expect(code(plan(206, headers, size: 5_000, etag: "\"a\"")) == nil)
  }

  @Test("200 is cut to what was requested, and refused where it can mean two things") func whole() throws {
    #expect(
      try plan(200, ["content-length": "5000"]).get() == RangePlan(start: 0, count: 1_000, total: 5_000, etag: nil))
    #expect(try plan(200, [:]).get() == RangePlan(start: 0, count: nil, total: nil, etag: nil))
    #expect(try plan(200, ["content-length": "1000"]).get().isUnproven)
    #expect(code(plan(200, ["content-length": "1000"], range: 1_000..<2_000, size: 5_000)) == .badResponse)
    #expect(code(plan(200, ["content-length": "4000"], range: 1_000..<2_000, size: 5_000)) == .changed)
    #expect(try plan(200, ["content-length": "5000"], range: 1_000..<2_000, size: 5_000).get().count == 2_000)
    #expect(code(plan(200, [:], range: 1_000..<2_000, size: 5_000)) == .badResponse)
  }

  @Test("a weak entity tag is kept as a weak one") func weak() throws {
    let headers = ["content-range": "bytes 0-999/5000", "etag": "W/\"a\""]
    #expect(try plan(206, headers).get().etag?.isWeak == true)
  }
}

@Suite("Retries") struct RetryPolicyTests {
  @Test(
    "the statuses and codes that are tried again are those of the AWS SDKs",
    arguments: [
      (500, nil, RetryPolicy.Reason.transient), (502, nil, .transient), (503, "SlowDown", .throttled),
      (503, nil, .transient),
      (504, nil, .transient), (429, nil, .throttled), (408, nil, .transient), (400, "RequestTimeout", .transient),
      (400, nil, nil), (403, "AccessDenied", nil), (404, "NoSuchKey", nil), (501, nil, nil), (412, nil, nil),
    ] as [(Int, String?, RetryPolicy.Reason?)])
  func reasons(status: Int, code: String?, expected: RetryPolicy.Reason?) {
    #expect(RetryPolicy.reason(status: status, code: code) == expected)
  }

  @Test("waiting times double, with jitter, up to twenty seconds") func delays() {
    #expect(RetryPolicy.delay(after: 1, .transient, jitter: 1) == 0.05)
    #expect(RetryPolicy.delay(after: 2, .transient, jitter: 1) == 0.1)
    #expect(RetryPolicy.delay(after: 2, .throttled, jitter: 0.5) == 1)
    #expect(RetryPolicy.delay(after: 40, .throttled, jitter: 1) == 20)
    #expect(RetryPolicy.delay(after: 3, .throttled, jitter: 0) == 0)
  }

  @Test("retries take tokens, and successes return them") func tokens() {
    var tokens = RetryTokens()
    let taken = (0..<100).map { _ in tokens.take(for: .throttled) }
    #expect(!taken.contains(false))
    let isEmpty = !tokens.take(for: .throttled)
    #expect(isEmpty)
    tokens.giveBack(5)
    let isBack = tokens.take(for: .throttled)
    #expect(isBack)
    for _ in 0..<1_000 { tokens.giveBack(0) }
    #expect(tokens.count == RetryTokens.capacity)
    let isTaken = tokens.take(for: .transient)
    #expect(isTaken)
    #expect(tokens.count == RetryTokens.capacity - 14)
  }
}

@Suite("Settings of S3 from environment and profile") struct S3ProfileTests {
  private func profile(_ environment: [String: String], credentials: String = "", config: String = "") -> S3Profile {
    S3Profile(environment: environment) { path in
      path == "/h/.aws/credentials"
        ? credentials
        : path == "/h/.aws/config"
          ? config : path == "/other" ? "[default]\naws_access_key_id=O\naws_secret_access_key=S" : nil
    }
  }

  private let credentials = """
    # comment
    [default]
    aws_access_key_id = A
    aws_secret_access_key = s=1
    [work]
    aws_access_key_id=W
    aws_secret_access_key=w
    aws_session_token = t
    """
  private let config = """
    [default]
    region = eu-central-1
    s3 =
      addressing_style = path
    [profile work]
    region = eu-west-1
    endpoint_url = http://localhost:9000
    """

  @Test("variables come before the default profile") func variables() {
    let found = profile(
      ["HOME": "/h", "AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "e", "AWS_REGION": "us-west-2"],
      credentials: credentials, config: config)
    #expect(found.credentials == S3Credentials(accessKey: "E", secretKey: "e"))
    #expect(found.region == "us-west-2")
  }

  @Test("the default profile has keys and region") func defaults() {
    let found = profile(["HOME": "/h"], credentials: credentials, config: config)
    #expect(found.credentials == S3Credentials(accessKey: "A", secretKey: "s=1"))
    #expect(found.region == "eu-central-1")
    #expect(found.endpoint == nil)
  }

  @Test("a named profile comes before the variables of keys") func named() {
    let found = profile(
      ["HOME": "/h", "AWS_PROFILE": "work", "AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "e"],
      credentials: credentials, config: config)
    #expect(found.credentials == S3Credentials(accessKey: "W", secretKey: "w", sessionToken: "t"))
    #expect(found.endpoint == "http://localhost:9000")
  }

  @Test("a file can be named, and the endpoint of S3 comes before the general one") func files() {
    let found = profile([
      "HOME": "/h", "AWS_SHARED_CREDENTIALS_FILE": "/other", "AWS_ENDPOINT_URL": "http://a",
      "AWS_ENDPOINT_URL_S3": "http://b",
    ])
    #expect(found.credentials == S3Credentials(accessKey: "O", secretKey: "S"))
    #expect(found.endpoint == "http://b")
  }
}
