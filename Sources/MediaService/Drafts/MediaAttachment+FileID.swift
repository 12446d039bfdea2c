internal import AttachmentPolicy
internal import MediaLibrary

extension MediaAttachment {
  /// The file of the library that it names; nil if it names none.
  var fileID: FileID? { asset.flatMap { FileID($0) } }
}
