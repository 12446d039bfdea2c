import Testing

@testable import MediaService

@Suite("MediaService") struct MediaServiceTests {}
