internal import Encodings

extension MMSMessage {
  /// The subject as text, with encoded words of mail (`=?utf-8?B?…?=`, RFC 2047) decoded; nil without a subject.
  ///
  /// Mail gateways forward encoded words; one relay writes an empty subject as `=?utf-8?B??=`.
  public var subjectText: String? { self[.subject].map { EncodedWords.decoded($0.text) } }
}
