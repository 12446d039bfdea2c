internal import MediaModel
internal import MediaProbe

/// The facts of any bytes: no trap, no hang, no failure without a code.
@_cdecl("mediatool_fuzz_probe")
public func fuzzProbe(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  guard let input = try? MediaInput(bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: count))) else { return }
  _ = MediaProber().facts(of: input)
}
