public import Hummingbird
public import MediaService

extension RouterMethods where Context: MediaRequestContext {
  /// Adds the routes of the service, below `/v1`.
  public func addMediaRoutes(for service: MediaService) {
    addMediaRoutes(for: service, hot: nil, addresses: nil)
  }

  /// - Parameters:
  ///   - hot: Keeps small renditions of signed URLs for the event loop.
  ///   - addresses: Limits requests with signed URLs; nil for any number.
  func addMediaRoutes(for service: MediaService, hot: HotRenditions?, addresses: AddressLimit?) {
    AttachmentRoutes<Context>(service: service).add(to: self)
    ContentRoutes<Context>(service: service, hot: hot, addresses: addresses).add(to: self)
    OwnerRoutes<Context>(service: service).add(to: self)
    ModerationRoutes<Context>(service: service).add(to: self)
    TrayRoutes(service: service).add(to: self)
    DraftRoutes(service: service).add(to: self)
    MessageRoutes(service: service).add(to: self)
    ThreadRoutes(service: service).add(to: self)
    StoredMessageRoutes(service: service).add(to: self)
    CarrierAnswerRoutes(service: service).add(to: self)
    SMSRoutes(service: service).add(to: self)
    LocationRoutes(service: service).add(to: self)
    MomentRoutes(service: service).add(to: self)
    TripRoutes(service: service).add(to: self)
    AvatarRoutes(service: service).add(to: self)
    UploadRoutes<Context>(service: service).add(to: self)
  }
}
