import Testing

@testable import MediaServer

@Suite("MediaServer") struct MediaServerTests {}
