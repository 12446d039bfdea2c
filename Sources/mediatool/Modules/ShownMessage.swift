internal import FileSupport
internal import MMSCodec
internal import MediaModel
internal import Messaging

/// A message as a thread shows it: who wrote it, and its modules.
struct ShownMessage: Sendable {
  /// The PDU's file; nil for files that are only about to be a message.
  var path: PathBytes?
  /// What the PDU says; nil for files.
  var message: MMSMessage?
  /// What the PDU gets wrong and was read all the same.
  var defects: [MMSDefect] = []
  var modules: [ShownModule] = []
  /// Why the PDU cannot be read.
  var failure: MediaFailure?

  /// Whether it came from somebody else. Files are on their way out.
  var isIncoming: Bool { message?.type.isFromRelay ?? (failure != nil) }

  /// Whether it or one of its files has failed.
  var hasFailed: Bool { failure != nil || modules.contains { $0.failure != nil } }
}

/// A module and what the page needs beside it.
struct ShownModule: Sendable {
  var module: MessageModule
  /// The file of an input.
  var path: PathBytes?
  /// What went wrong with that file.
  var failure: MediaFailure?
  /// The file itself, where a page can play it.
  var playable: String?
}
