// MultipartScanner.swift in this folder is the server's: a link, for the server itself would take its HTTP stack along.

/// The parts of a form: the same however its bytes arrive, within the limits, and no byte more than there are.
///
/// The first byte of the input is the size of the pieces in which the rest arrives.
@_cdecl("mediatool_fuzz_multipart")
public func fuzzMultipart(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let first = input.first else { return }
  let body = input.dropFirst()
  let whole = Form(body, by: body.count)
  let pieces = Form(body, by: Int(first) + 1)
  // Which limit is met first may depend on the pieces; what is read may not.
  if whole.failure == nil || pieces.failure == nil { precondition(whole == pieces) }
}

/// What a scanner reads of a form.
private struct Form: Equatable {
  var parts: [[MultipartScanner.Field]] = []
  var contents: [[UInt8]] = []
  var failure: MultipartScanner.Failure?

  init(_ body: ArraySlice<UInt8>, by size: Int) {
    do throws(MultipartScanner.Failure) { try read(body, by: max(1, size)) } catch { failure = error }
    precondition(parts.count <= MultipartScanner.maxParts && contents.joined().count <= body.count)
    for fields in parts {
      precondition(fields.count <= MultipartScanner.maxFields)
      precondition(fields.map { $0.name.utf8.count }.reduce(0, +) <= MultipartScanner.maxFieldBytes)
    }
  }

  private mutating func read(_ body: ArraySlice<UInt8>, by size: Int) throws(MultipartScanner.Failure) {
    var scanner = try MultipartScanner(boundary: "b")
    var rest = body
    var isInside = false
    while true {
      while let event = try scanner.next() {
        switch event {
        case .part(let fields):
          precondition(!isInside)
          isInside = true
          parts.append(fields)
          contents.append([])
        case .bytes(let bytes):
          precondition(isInside && !bytes.isEmpty)
          contents[contents.count - 1] += bytes
        case .partEnd:
          precondition(isInside)
          isInside = false
        case .end:
          precondition(!isInside)
          return
        }
      }
      if rest.isEmpty { break }
      scanner.add(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    try scanner.finish()
  }
}
