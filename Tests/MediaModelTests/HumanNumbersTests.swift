internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Sizes, durations, times and dimensions have one form") struct HumanNumbersTests {
  /// Numbers and their texts, for this and for the page (`sizes.test_numbers`).
  struct Table: Decodable {
    let sizes, limits, clocks: [Row]

    struct Row: Decodable {
      let number: Double
      let text: String

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        number = try values.decode(Double.self)
        text = try values.decode(String.self)
      }
    }

    static func read() throws -> Table {
      let path = Corpus.packageRoot.appendingPathComponent("scripts/page/numbers.json")
      return try JSONDecoder().decode(Table.self, from: Data(contentsOf: path))
    }
  }

  @Test("Sizes are in powers of 1,000, below ten with one decimal") func sizes() throws {
    let rows = try Table.read().sizes
    #expect(rows.count > 15)
    for row in rows { #expect(HumanNumbers.size(Int(row.number)) == row.text) }
    #expect(HumanNumbers.size(.max) == "9.2 EB")
    #expect(HumanNumbers.size(-1) == "0 B")
    #expect(HumanNumbers.size(.min) == "0 B")
  }

  @Test("A limit that is rounded is also exact") func limits() throws {
    let rows = try Table.read().limits
    #expect(rows.count > 10)
    for row in rows { #expect(HumanNumbers.limit(Int(row.number)) == row.text) }
    #expect(HumanNumbers.limit(.max) == "9.2 EB (9,223,372,036,854,775,807 bytes)")
  }

  @Test func `A size that looks like its limit is written in bytes, as is the limit`() {
    #expect(HumanNumbers.sizes(2_097_152, limit: 1_048_576) == ("2.1 MB", "1.0 MB (1 MiB)"))
    #expect(HumanNumbers.sizes(104_857_601, limit: 104_857_600) == ("104,857,601 bytes", "104,857,600 bytes"))
  }

  @Test("Durations in whole seconds have minutes, and hours from 60 minutes on") func clocks() throws {
    let rows = try Table.read().clocks
    #expect(rows.count > 10)
    for row in rows { #expect(HumanNumbers.clock(row.number) == row.text) }
  }

  @Test(
    arguments: [
      (0, "0:00.0"), (1.54, "0:01.5"), (9.94, "0:09.9"), (9.96, "0:10"), (59.4, "0:59"), (59.6, "1:00"), (245, "4:05"),
      (3_599.4, "59:59"), (3_599.6, "1:00:00"), (3_723, "1:02:03"), (-1, ""), (.nan, ""), (.infinity, ""), (1e300, ""),
    ] as [(Double, String)])
  func `Durations below ten seconds have tenths`(seconds: Double, text: String) {
    #expect(HumanNumbers.duration(seconds) == text)
  }

  @Test func `Times are in the words of ISO 8601, without their offset`() throws {
    let time = try #require(MediaInfo.CaptureTime(iso8601: "2024-06-30T12:00:03+02:00"))
    #expect(HumanNumbers.day(time) == "2024-06-30")
    #expect(HumanNumbers.minute(time) == "2024-06-30 12:00")
    #expect(HumanNumbers.second(time) == "2024-06-30 12:00:03")
  }

  @Test func `Dimensions are width and height`() {
    #expect(HumanNumbers.dimensions(4_032, 3_024) == "4032×3024")
  }
}
