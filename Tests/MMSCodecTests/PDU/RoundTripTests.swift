internal import MMSCodec
internal import TestSupport
internal import Testing

@Suite struct RoundTripTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `Every written value is read unchanged`(seed: UInt64) throws {
    var maker = RandomMessage(random: SeededGenerator(seed: seed))
    for index in 0..<1_500 {
      let message = maker.message()
      let octets = try message.encoded()
      var defects: [MMSMessage.Defect] = []
      let again = try MMSMessage(decoding: octets[...], defects: &defects)
      try #require(again == message, "seed \(seed), message \(index)")
      try #require(defects.isEmpty, "seed \(seed), message \(index): \(defects)")
    }
  }

  @Test(arguments: [5, 6, 11, 12] as [UInt64])
  func `Every read message is unchanged by writing`(seed: UInt64) throws {
    var maker = RandomMessage(random: SeededGenerator(seed: seed))
    var random = SeededGenerator(seed: seed + 100)
    var read = 0
    for index in 0..<4_000 {
      var octets = try maker.message().encoded()
      for _ in 0...random.below(4) {
        switch random.below(4) {
        case 0: octets[random.below(octets.count)] = UInt8(random.below(256))
        case 1: octets.remove(at: random.below(octets.count))
        case 2: octets.insert(UInt8(random.below(256)), at: random.below(octets.count))
        default: octets.removeLast(random.below(octets.count))
        }
        if octets.isEmpty { octets = [0x8C] }
      }
      guard let message = try? MMSMessage(decoding: octets) else { continue }
      read += 1
      let again = Result { try MMSMessage(decoding: message.encoded()) }
      try #require((try? again.get()) == message, "seed \(seed), message \(index): \(message), \(again)")
    }
    #expect(read > 500)
  }

  @Test func `A slice is read at any start index`() throws {
    var maker = RandomMessage(random: SeededGenerator(seed: 7))
    for _ in 0..<50 {
      let message = maker.message()
      let octets = try message.encoded()
      let inside = [9, 9, 9] + octets + [9]
      #expect(try MMSMessage(decoding: inside[3..<inside.count - 1]) == (try MMSMessage(decoding: octets)))
    }
  }
}
