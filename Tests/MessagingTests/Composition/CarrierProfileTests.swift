internal import MediaModel
internal import Messaging
internal import Testing

/// Limits of carriers.
@Suite struct CarrierProfileTests {
  @Test("The presets have the sizes of their classes, and unique names")
  func presets() {
    #expect(Set(CarrierProfile.presets.map(\.name)).count == CarrierProfile.presets.count)
    let bytes = ["text": 30_720, "image-rich": 102_400, "megapixel": 614_400, "mms-300k": 307_200, "mms-1m": 1_048_576]
    for (name, size) in bytes { #expect(CarrierProfile.preset(name)?.maxMessageBytes == size) }
    #expect(CarrierProfile.preset("image-basic")?.maxImageSize == PixelSize(width: 160, height: 120))
    #expect(CarrierProfile.preset("mms-300k") == CarrierProfile())
    #expect(CarrierProfile.preset("nothing") == nil)
  }

  @Test("A profile file states what differs from the defaults")
  func file() throws {
    #expect(try JSON.decode(CarrierProfile.self, "{}") == CarrierProfile())
    let profile = try JSON.decode(
      CarrierProfile.self,
      #"{"name":"x","maxMessageBytes":1000,"maxSMSSegments":0,"segmenter":{"reference":6,"lockingLanguages":[1],"singleShiftLanguages":[]}}"#
    )
    #expect(profile.maxMessageBytes == 1_000)
    #expect(profile.maxSMSSegments == nil)
    #expect(profile.name == "x")
    #expect(profile.segmenter.lockingLanguages == [.turkish])
    #expect(profile.segmenter.reference == .sixteenBit)
    #expect(try JSON.roundTrip(profile) == profile)
    for preset in CarrierProfile.presets { #expect(try JSON.roundTrip(preset) == preset) }
  }

  @Test(
    "Numbers out of range are refused",
    arguments: ["maxMessageBytes", "maxRecipients", "maxSubjectLength", "maxAttachments"])
  func nonsense(key: String) {
    #expect(throws: DecodingError.self) { try JSON.decode(CarrierProfile.self, "{\"\(key)\":0}") }
  }

  @Test("An unknown key is refused by name, and null means the default, because a misspelt limit would have no effect")
  func unknownKeys() {
    let profiles = [
      (#"{"maxMessageByte":1000}"#, "maxMessageByte"), (#"{"maxRecipients":null}"#, "null"),
      (#"{"segmenter":{"isStrict7bit":true}}"#, "isStrict7bit"),
      (#"{"maxImageSize":{"width":1,"height":1,"depth":1}}"#, "depth"),
    ]
    for (text, word) in profiles {
      let error = #expect(throws: DecodingError.self) { try JSON.decode(CarrierProfile.self, text) }
      guard case .dataCorrupted(let context) = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
      #expect(context.debugDescription.contains(word))
    }
  }
}
