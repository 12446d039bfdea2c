public import Hummingbird
public import MediaService

extension RouterMethods where Context: MediaRequestContext {
  /// Adds the routes of the service, below `/v1`.
  public func addMediaRoutes(for service: MediaService) {
    AttachmentRoutes<Context>(service: service).add(to: self)
    ContentRoutes<Context>(service: service).add(to: self)
    OwnerRoutes<Context>(service: service).add(to: self)
    TrayRoutes(service: service).add(to: self)
    DraftRoutes(service: service).add(to: self)
    MessageRoutes(service: service).add(to: self)
    LocationRoutes(service: service).add(to: self)
    AvatarRoutes(service: service).add(to: self)
    UploadRoutes<Context>(service: service).add(to: self)
  }
}
