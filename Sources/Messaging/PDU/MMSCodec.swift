/// Reads and writes MMS PDUs (OMA-TS-MMS-ENC 1.3, WAP-230-WSP).
///
/// Reading takes what real phones and relays write, which is not always what the specification says; writing follows the
/// specification. Every value that can be written is read again as the same value, and everything that was read is written again
/// so that it reads as before.
///
/// Texts and bodies of a message that was read are slices of its octets: nothing is copied, and the octets stay in memory as long
/// as any slice of them. No memory is reserved because of a length that a message states.
public enum MMSCodec {
  /// The message in these octets.
  /// - Throws: ``MMSDecodingError``, which names the place, for what is no PDU or is cut off among its headers.
  public static func decode(_ octets: [UInt8]) throws(MMSDecodingError) -> MMSMessage {
    try decode(octets[...])
  }

  /// The message in these octets.
  /// - Throws: ``MMSDecodingError``, which names the place, for what is no PDU or is cut off among its headers.
  public static func decode(_ octets: ArraySlice<UInt8>) throws(MMSDecodingError) -> MMSMessage {
    var defects: [MMSDefect] = []
    return try decode(octets, defects: &defects)
  }

  /// The same, and what the message gets wrong, in the order of the octets.
  public static func decode(
    _ octets: ArraySlice<UInt8>, defects: inout [MMSDefect]
  ) throws(MMSDecodingError) -> MMSMessage {
    var decoder = MMSDecoder(octets)
    defer { defects = decoder.defects }
    return try decoder.message()
  }

  /// The octets of a message: type, transaction and version first, Content-Type last, the other fields in their order between.
  ///
  /// Fields that the specification wants and that are not there do not hinder: ``MMSMessage/missingFields`` tells.
  /// - Throws: ``MMSEncodingError`` for a value that the format cannot carry.
  public static func encode(_ message: MMSMessage) throws(MMSEncodingError) -> [UInt8] {
    var encoder = MMSEncoder()
    try encoder.message(message)
    return encoder.writer.octets
  }

  /// Header fields of a message that are read; with more it is refused.
  public static let fieldLimit = 5_000
  /// Parts of a multipart that are read; those behind are left out, and a ``MMSDefect`` says so.
  public static let partLimit = 1_000
}
