internal import FileSupport
internal import MMSCodec
internal import Mail
internal import MediaModel
internal import Messaging

/// A message as a thread shows it: its direction, and its modules.
struct ShownMessage: Sendable {
  /// The file of the PDU; nil for files that form a message.
  var path: PathBytes?
  /// The number of the mail in an mbox with several, from 1.
  var number: Int?
  /// The name of its folder, where its parts are written beside those of other messages.
  var outputName = ""
  /// The decoded PDU; nil for files.
  var message: MMSMessage?
  /// The structure of a mail; nil for a PDU and for files.
  var mail: MailStructure?
  /// The defects that the decoder tolerated.
  var defects: [MMSMessage.Defect] = []
  var modules: [ShownModule] = []
  /// Why the PDU cannot be decoded.
  var failure: MediaFailure?

  /// Whether it was received. Files are outgoing.
  var isIncoming: Bool { message?.type.isFromRelay ?? (mail != nil || failure != nil) }

  /// Whether it is a message of its own rather than files.
  var isMessage: Bool { message != nil || mail != nil }

  /// Whether the message or one of its files has failed.
  var hasFailed: Bool { failure != nil || modules.contains { $0.failure != nil } }
}

/// A module with additional data for the page.
struct ShownModule: Sendable {
  var module: MessageModule
  /// The file of an input.
  var path: PathBytes?
  /// Why the file has failed.
  var failure: MediaFailure?
  /// The file as a `data:` URL, if a page can play it.
  var playable: String?
  /// The title of the file: of a contact, the person's name.
  var title: String?
  /// What the thumbnail was made from; nil without one.
  var from: Rendition.Source?
  /// Whether parts of the image may be transparent.
  var hasAlpha = false
  /// The bytes of the part, where parts are written: of a text in UTF-8.
  var content: ArraySlice<UInt8>?
  /// Where the part was written.
  var written: PathBytes?
}
