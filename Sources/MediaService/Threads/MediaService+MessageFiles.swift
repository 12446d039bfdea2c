internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import MessageStore
internal import Messaging

/// The files of stored messages: their bytes and images, for the owner alone.
extension MediaService {
  /// A file of a stored message (R-MMS-44).
  /// - Parameter number: Counted from 1, in the order of the message.
  /// - Returns: Its bytes with the type that they have, and the name that the message states; without metadata while the owner's switch is
  ///   `Moment.LocationSharing.none`.
  /// - Throws: `notFound` for a number that no file has, and for a blocked content; `unavailable` if it was not found clean yet, or metadata cannot be removed.
  public func messageFile(
    _ number: Int, of id: String, for caller: Caller
  ) async throws(ServiceError) -> (content: Rendered, name: String?) {
    let part = try await readablePart(number, of: id, for: caller)
    return try await ServiceError.mapping {
      let bytes = try await Self.bytes(of: part)
      let info = try await engine.probe(
        .bytes(bytes), claim: .mediaType(part.type.rawValue), domain: .owner(caller.owner))
      let content = try await withoutMetadata(bytes, info, name: part.name, owner: caller.owner)
      return (Rendered(content, info.type), part.name)
    }
  }

  /// An image of a file of a stored message, made when it is asked for.
  ///
  /// Equal requests at the same time are one job. The image is not stored: an entity tag saves a client from asking for its bytes again.
  /// - Parameters:
  ///   - name: A name with a format, or without: then the first of `accepted` that can be made, and JPEG if there is none.
  ///   - accepted: The formats that the reader can show, the preferred first.
  /// - Throws: As ``messageFile(_:of:for:)``; `unavailable` also if the file has no such image.
  public func messageImage(
    _ name: RenditionName, ofFile number: Int, of id: String, accepting accepted: [RenditionName.Format] = [],
    for caller: Caller
  ) async throws(ServiceError) -> Rendered {
    let part = try await readablePart(number, of: id, for: caller)
    return try await ServiceError.mapping {
      let format = name.format ?? accepted.first { $0 != .avif } ?? .jpeg
      guard format != .avif else {
        throw ServiceError(.unavailable, "This rendition is not available in this format.")
      }
      let chosen = name.with(format)
      let key = MessageImageKey(owner: caller.owner, message: id, number: number, name: "\(chosen)")
      let engine = engine
      return try await messageImages.run(key) {
        var request = RenditionRequest(name: key.name, box: chosen.box, fit: chosen.fit)
        (request.format, request.crop) = (format.request, chosen.crop)
        let preview = try await engine.preview(
          .bytes(try await Self.bytes(of: part)), claim: .mediaType(part.type.rawValue),
          MediaPreview.Request(renditions: [request]), domain: .owner(key.owner))
        if let image = preview.thumbnails.renditions.first { return Rendered(image.data, image.type, name: chosen) }
        if let error = preview.thumbnails.error ?? preview.info.error { throw error }
        throw ServiceError(.unavailable, "This file has no image: its type is not supported, or it is damaged.")
      }
    }
  }

  /// The modules of a stored message, with the facts of its files.
  func modules(ofStored id: String, for caller: Caller) async throws(ServiceError) -> MessageModules {
    let message = try await storedMessage(id, of: caller)
    var content: [MessageModule.Content] = []
    var number = 0
    for part in message.parts {
      if let text = part.text {
        content.append(.text(text))
        continue
      }
      number += 1
      var file = MessageModule.File(part, at: number, of: id)
      if part.path != nil, number <= Self.maxParts {
        if try await isHeld(part, of: caller.owner) == false {
          let bytes = try await ServiceError.mapping { try await Self.bytes(of: part) }
          let address = file.media
          file = try await self.file(
            bytes, declared: part.type, id: part.contentID, name: part.name, owner: caller.owner)
          file.media = address
          if let source = file.images.first?.from {
            let image = "/v1/messages/\(id)/parts/\(number)/renditions/message.webp"
            file.images = [MessageModule.File.Image(image, from: source)]
          }
        } else {
          (file.images, file.media) = ([], nil)
        }
      }
      content.append(.file(file))
    }
    var answer = MessageModules(
      direction: message.isIncoming ? "incoming" : "outgoing", modules: MessageModule.modules(of: content))
    answer.type = message.type == .sms ? .sms : .mms
    (answer.from, answer.subject, answer.date) = (message.sender, message.subject, message.time.wholeSeconds)
    answer.to = message.sending?.recipients.map(\.address)
    return answer
  }

  /// A file of a message that the caller may read.
  private func readablePart(
    _ number: Int, of id: String, for caller: Caller
  ) async throws(ServiceError) -> MessageStore.Part {
    let message = try await storedMessage(id, of: caller)
    let files = message.parts.filter { $0.text == nil }
    guard (1...Self.maxParts).contains(number), files.indices.contains(number - 1), files[number - 1].path != nil,
      let isHeld = try await self.isHeld(files[number - 1], of: caller.owner)
    else { throw .notFound }
    guard !isHeld else {
      throw ServiceError(.unavailable, "The malware scan of this file has not finished; try again later.")
    }
    return files[number - 1]
  }

  private static func bytes(of part: MessageStore.Part) async throws -> [UInt8] {
    guard let path = part.path else { throw ServiceError.notFound }
    return try await MediaSource.path(bytes: path.bytes).contents(limit: maxMessageBytes)
  }
}

/// One image of one file of a message.
struct MessageImageKey: Hashable, Sendable {
  let owner: String
  let message: String
  let number: Int
  let name: String
}
