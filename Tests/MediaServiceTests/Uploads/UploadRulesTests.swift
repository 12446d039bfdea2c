internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The rules of uploads") struct UploadRulesTests {
  private func upload(_ form: Upload.Form, length: Int?, offset: Int = 0) -> Upload {
    var upload = Upload(owner: "ada", form: form, claims: Upload.Claims(), created: 0, expires: 100)
    (upload.length, upload.offset) = (length, offset)
    return upload
  }

  private func code(_ body: () throws(ServiceError) -> Void) -> ServiceError.Code? {
    do throws(ServiceError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Bytes at another offset than that of the upload are refused, and both offsets are named")
  func offsets() {
    var one = upload(.tus, length: 100, offset: 40)
    #expect(
      throws: ServiceError.offsetMismatch(expected: 40, provided: 39)
    ) { _ = try one.begin(Upload.Append(form: .tus, offset: 39, bytes: 10), limit: 1_000) }
    #expect(one.offset == 40)
  }

  @Test("A tus upload is complete when its offset is its length; an IETF upload when a request says that it ends it")
  func completion() throws {
    var tus = upload(.tus, length: 100, offset: 100)
    #expect(try tus.end(Upload.Append(form: .tus, offset: 60, bytes: 40), isWhole: true))
    var ietf = upload(.ietf, length: 100, offset: 100)
    #expect(try !ietf.end(Upload.Append(form: .ietf, offset: 60, bytes: 40, isLast: false), isWhole: true))
    // Its end was not seen: more may follow.
    #expect(try !ietf.end(Upload.Append(form: .ietf, offset: 60, bytes: nil, isLast: true), isWhole: false))
    #expect(try ietf.end(Upload.Append(form: .ietf, offset: 100, bytes: 0, isLast: true), isWhole: true))
  }

  @Test("An IETF upload of unknown length gets the length at which it is ended")
  func unknownLength() throws {
    var ietf = upload(.ietf, length: nil, offset: 77)
    #expect(try ietf.end(Upload.Append(form: .ietf, offset: 0, bytes: 77, isLast: true), isWhole: true))
    #expect(ietf.length == 77)
  }

  @Test("A length that was stated cannot be changed, and is not less than what arrived")
  func lengths() {
    var one = upload(.tus, length: 100, offset: 40)
    #expect(code { () throws(ServiceError) in try one.setLength(101, limit: 1_000) } == .lengthMismatch)
    #expect(code { () throws(ServiceError) in try one.setLength(100, limit: 1_000) } == nil)
    var open = upload(.tus, length: nil, offset: 40)
    #expect(code { () throws(ServiceError) in try open.setLength(39, limit: 1_000) } == .lengthMismatch)
    #expect(code { () throws(ServiceError) in try open.setLength(1_001, limit: 1_000) } == .tooLarge)
    #expect(open.length == nil)
  }

  @Test(
    "Lies about offsets and lengths are refused without a trap, and change nothing",
    arguments: [
      (Int.max, 0, ServiceError.Code.offsetMismatch), (40, Int.max, .lengthMismatch), (40, 61, .lengthMismatch),
      (-1, 0, .offsetMismatch), (40, -1, .lengthMismatch), (100, 0, .offsetMismatch),
    ])
  func lies(offset: Int, bytes: Int, expected: ServiceError.Code) {
    var one = upload(.tus, length: 100, offset: 40)
    let before = one
    #expect(
      code { () throws(ServiceError) in
        _ = try one.begin(Upload.Append(form: .tus, offset: offset, bytes: bytes), limit: 1_000)
      } == expected)
    #expect(one == before)
  }

  @Test("A piece with a checksum has at most 16 MiB, and its refusal has the offset at which the upload continues")
  func largePiece() {
    let checksum = Upload.Checksum(.sha256, [UInt8](repeating: 0, count: 32))
    for bytes in [Upload.Checksum.maxBytes + 1, nil] {
      var one = upload(.ietf, length: nil, offset: 40)
      let append = Upload.Append(form: .ietf, offset: 40, bytes: bytes, isLast: false, checksum: checksum)
      let error = #expect(throws: ServiceError.self) { _ = try one.begin(append, limit: 1 << 30) }
      #expect(error?.code == .tooLarge)
      #expect(error?.numbers["expected"] == 40)
    }
  }

  @Test("An upload takes requests of its own protocol alone")
  func protocols() {
    var tus = upload(.tus, length: 100)
    #expect(
      code { () throws(ServiceError) in
        _ = try tus.begin(Upload.Append(form: .ietf, offset: 0, bytes: 1, isLast: false), limit: 1_000)
      } == .conflict)
  }

  @Test("After its end an upload repeats its answer to a repeated last request, and refuses more bytes")
  func repetition() throws {
    var one = upload(.ietf, length: 100, offset: 100)
    for state in [Upload.State.examining, .finished] {
      one.state = state
      #expect(
        try one.begin(Upload.Append(form: .ietf, offset: 100, bytes: 0, isLast: true), limit: 1_000) == .repeats)
      #expect(
        code { () throws(ServiceError) in
          _ = try one.begin(Upload.Append(form: .ietf, offset: 100, bytes: 1, isLast: true), limit: 1_000)
        } == .lengthMismatch)
    }
  }

  @Test(
    "An upload that was refused, deleted or has expired is gone", arguments: [Upload.State.refused, .deleted, .expired])
  func gone(state: Upload.State) {
    var one = upload(.tus, length: 100)
    one.state = state
    #expect(
      code { () throws(ServiceError) in
        _ = try one.begin(Upload.Append(form: .tus, offset: 0, bytes: 1), limit: 1_000)
      } == .gone)
  }

  @Test("Whatever is sent, an upload stays within its length and the limit", arguments: 0..<20)
  func bounds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = [-1, 0, 1, 2, 50, 99, 100, 101, 200, 201, .max]
    for _ in 0..<2_000 {
      let form = random.below(2) == 0 ? Upload.Form.tus : .ietf
      var one = upload(form, length: [nil, 0, 100, 200][random.below(4)])
      one.offset = random.below((one.length ?? 200) + 1)
      let append = Upload.Append(
        form: form, offset: random.below(3) == 0 ? numbers[random.below(11)] : one.offset,
        bytes: random.below(4) == 0 ? nil : numbers[random.below(11)],
        isLast: form == .ietf ? random.below(2) == 0 : nil,
        length: random.below(3) == 0 ? numbers[random.below(11)] : nil)
      guard case .receives(let end) = try? one.begin(append, limit: 200) else { continue }
      #expect(one.offset...(one.length ?? 200) ~= end, "\(append) of \(one)")
      #expect(one.length ?? 0 <= 200)
    }
  }

  @Test(
    "The name of a file is text without folders, control characters and marks of direction",
    arguments: [
      ("a/b/../../etc/passwd", "passwd"), ("C:\\photo.jpg", "photo.jpg"), ("..", nil), ("a\r\nb\u{0}.jpg", "ab.jpg"),
      ("\u{202E}gpj.exe", "gpj.exe"), ("naïve.jpg", "naïve.jpg"), ("", nil),
      (String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
    ])
  func names(stated: String, kept: String?) { #expect(Upload.Claims(name: stated).name == kept) }

  @Test("A checksum is sha1 or sha256 with a digest of its length, and nothing else")
  func checksums() throws {
    #expect(try Upload.Checksum(field: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=").algorithm == .sha1)
    for field in [
      "md5 XUFAKrxLKna5cZ2REBfFkg==", "sha1", "sha1 Kq5s", "sha1 ?", "", "sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
    ] {
      #expect(code { () throws(ServiceError) in _ = try Upload.Checksum(field: field) } == .invalidRequest, "\(field)")
    }
  }
}
