@_spi(Wire) internal import MediaEngine

/// What an engine does with whatever a worker says: no trap, no length believed, a result or a violation.
@_cdecl("mediatool_fuzz_answer")
public func fuzzAnswer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  WireFuzzing.readAnswer([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
}

/// What a worker does with whatever an engine says.
@_cdecl("mediatool_fuzz_request")
public func fuzzRequest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  WireFuzzing.readRequest([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
}
