internal import MediaModel

/// Determines the text type. Everything else, including source code, is plain text: guessing a programming language
/// from keywords is wrong too often.
enum TextSignatures {
  static func type(of sample: TextSample) -> MediaType {
    let text = sample.bytes.drop { $0.isASCIIWhitespace }
    // RFC 6350, 6.1.1 and RFC 5545, 3.4.
    if text.startsIgnoringCase("BEGIN:VCARD") { return .vCard }
    if text.startsIgnoringCase("BEGIN:VCALENDAR") { return .calendar }
    if let type = script(sample.bytes) { return type }
    // WebVTT, 4.1: the signature, then white space or the end.
    if text.starts(with: Array("WEBVTT".utf8)), text.dropFirst(6).first?.isASCIIWhitespace != false { return .webVTT }
    // RFC 8216, 4.3.1.1.
    if text.starts(with: Array("#EXTM3U".utf8)) { return .playlist }
    if let type = MarkupSignatures.type(of: text) { return type }
    if JSONSignature.matches(text, isWhole: sample.isWhole) { return .json }
    if let type = MailSignature.type(of: sample.bytes) { return type }
    if CSVSignature.matches(sample) { return .csv }
    return .plainText
  }

  /// The type of a script with an interpreter in its first line.
  private static func script(_ bytes: [UInt8]) -> MediaType? {
    guard bytes.starts(with: Array("#!".utf8)) else { return nil }
    let line = String(decoding: bytes.prefix(128).prefix { $0 != 0x0A && $0 != 0x0D }.dropFirst(2), as: UTF8.self)
    let words = line.split(separator: " ")
    guard let first = words.first, first.hasPrefix("/") else { return nil }
    var interpreter = first.split(separator: "/").last ?? ""
    if interpreter == "env", let named = words.dropFirst().first(where: { !$0.hasPrefix("-") }) { interpreter = named }
    if interpreter.hasPrefix("python") { return .python }
    if interpreter.hasPrefix("perl") { return .perl }
    if interpreter.hasPrefix("php") { return .php }
    return .shellScript
  }
}
