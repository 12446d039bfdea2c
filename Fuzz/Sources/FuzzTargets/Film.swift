internal import Messaging

/// Any bytes as a film: without metadata it is as long as before, and has none to lose.
@_cdecl("mediatool_fuzz_film")
public func fuzzFilm(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let file = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  guard let bare = BareFilm.bytes(of: file) else { return }
  guard bare.count == file.count, BareFilm.bytes(of: bare) == bare else { fatalError("not blanked once and for all") }
}
