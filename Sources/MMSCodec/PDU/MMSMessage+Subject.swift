internal import Encodings

extension MMSMessage {
  /// The subject for people: in characters, encoded words of mail (`=?utf-8?B?…?=`, RFC 2047) taken apart; nil without a subject.
  ///
  /// Gateways from mail pass encoded words through; one relay writes an empty subject as `=?utf-8?B??=`.
  public var subjectText: String? { self[.subject].map { EncodedWords.decoded($0.text) } }
}
