extension MMSMessage {
  /// Decodes the octets of a PDU (OMA-TS-MMS-ENC 1.3, WAP-230-WSP).
  ///
  /// Accepts what real phones and relays write, even if it violates the specification. Texts and bodies of the message are slices of the octets:
  /// nothing is copied, and the octets stay in memory while a slice of them is in use. Lengths stated in the message reserve no memory.
  /// - Throws: ``MMSMessage/DecodingError`` with an offset, if the octets are not a PDU or end among its headers.
  public init(decoding octets: [UInt8]) throws(DecodingError) {
    try self.init(decoding: octets[...])
  }

  /// Decodes the octets of a PDU.
  /// - Throws: ``MMSMessage/DecodingError`` with an offset, if the octets are not a PDU or end among its headers.
  public init(decoding octets: ArraySlice<UInt8>) throws(DecodingError) {
    var defects: [Defect] = []
    try self.init(decoding: octets, defects: &defects)
  }

  /// Decodes the octets of a PDU, and appends its defects in the order of their offsets.
  public init(decoding octets: ArraySlice<UInt8>, defects: inout [Defect]) throws(DecodingError) {
    var decoder = MMSDecoder(octets)
    defer { defects = decoder.defects }
    self = try decoder.message()
  }

  /// Encodes the message: type, transaction and version first, Content-Type last, the other fields in their order between them.
  ///
  /// Follows the specification. Every value that can be encoded is decoded as the same value, and a decoded message is encoded so that it reads as
  /// before. Mandatory fields may be missing; ``missingFields`` lists them.
  /// - Throws: ``MMSMessage/EncodingError`` for a value that the format cannot represent.
  public func encoded() throws(EncodingError) -> [UInt8] {
    var encoder = MMSEncoder()
    try encoder.message(self)
    return encoder.writer.octets
  }

  /// Maximum number of header fields; a message with more is refused.
  public static let fieldLimit = 5_000
  /// Maximum number of parts of a multipart; further parts are skipped, with a ``MMSMessage/Defect``.
  public static let partLimit = 1_000
}
