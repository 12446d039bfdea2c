public import MediaModel

extension MediaService {
  /// A draft of a thread as a client writes it: texts and attachments in their order, recipients and subject.
  public struct ThreadDraft: Decodable, Sendable {
    /// A text or an attachment.
    public enum Item: Decodable, Sendable {
      /// Text between two attachments, before the first or after the last.
      case text(String)
      /// An attachment of the caller, with the part of the image that is sent; nil for all of it.
      case attachment(DraftAddition, crop: PixelRect?)

      private enum Keys: CodingKey { case text, attachment, id, altText, crop }

      /// Decodes `{"text"}` or `{"attachment","id","altText","crop"}`.
      public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let text = try values.decodeIfPresent(String.self, forKey: .text) {
          self = .text(text)
          return
        }
        let addition = DraftAddition(
          attachment: try values.decode(String.self, forKey: .attachment),
          id: try values.decodeIfPresent(String.self, forKey: .id),
          altText: try values.decodeIfPresent(String.self, forKey: .altText))
        self = .attachment(addition, crop: try values.decodeIfPresent(PixelRect.self, forKey: .crop))
      }
    }

    /// The content. Default: empty.
    public var content: [Item]?
    /// The recipients. Default nil: the people of the thread.
    public var to: [String]?
    /// The subject. Default nil: none.
    public var subject: String?

    /// By default, for the people of the thread and without a subject.
    public init(content: [Item], to: [String]? = nil, subject: String? = nil) {
      (self.content, self.to, self.subject) = (content, to, subject)
    }
  }

  /// A draft of a thread with what is known of its attachments now.
  public struct ThreadDraftAnswer: Encodable, Sendable {
    /// A text or an attachment.
    public struct Item: Encodable, Sendable {
      /// The text; nil for an attachment.
      public var text: String?
      /// The attachment; nil for a text.
      public var attachment: String?
      /// The id of the attachment in the draft.
      public var id: String?
      /// The name of the file, which is untrusted text.
      public var name: String?
      /// The facts; nil if the attachment was erased.
      public var info: MediaInfo?
      /// The part of the image that is sent, in upright pixels.
      public var crop: PixelRect?
      /// The alternative text.
      public var altText: String?
      /// The address of its thumbnail.
      public var thumbnail: String?
      /// What to show until the thumbnail is loaded.
      public var placeholder: Placeholder?
    }

    /// The id of the thread to which the draft belongs.
    public var thread: String
    /// When it was saved, in seconds since 1970.
    public var time: Int
    /// The recipients.
    public var to: [String]
    /// The subject; nil for none.
    public var subject: String?
    /// Texts and attachments in their order.
    public var content: [Item]
  }
}
