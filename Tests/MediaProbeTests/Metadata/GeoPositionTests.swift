internal import Testing

@testable internal import MediaProbe

@Suite struct GeoPositionTests {
  private typealias Rational = (Int, Int)

  private func directory(
    latitude: (String, [(Int, Int)])?, longitude: (String, [(Int, Int)])?, more: [TIFFFixture.Entry] = []
  ) throws -> TIFFDirectory {
    var fixture = TIFFFixture(directories: [[]])
    func entry(_ tag: Int, _ values: [(Int, Int)]) -> TIFFFixture.Entry {
      TIFFFixture.Entry(
        tag: tag, type: 5, count: values.count, value: values.flatMap { joined(le32($0.0), le32($0.1)) })
    }
    var entries = more
    if let latitude { entries += [fixture.text(1, latitude.0), entry(2, latitude.1)] }
    if let longitude { entries += [fixture.text(3, longitude.0), entry(4, longitude.1)] }
    fixture.directories = [entries]
    return try #require(TIFFStructure(ByteReader(fixture.encoded))?.directory(at: 8))
  }

  @Test("Degrees, minutes and seconds are read in all hemispheres") func degreesMinutesAndSecondsInAllHemispheres()
    throws
  {
    let gps = try directory(
      latitude: ("S", [(39, 1), (6, 1), (5_400, 100)]), longitude: ("W", [(108, 1), (24_058, 1_000)]))
    let place = try #require(GeoPosition(exif: gps))
    #expect(abs(place.latitude + 39.115) < 1e-9)
    #expect(abs(place.longitude + 108.400_966_666) < 1e-6)
  }

  @Test(
    "An incomplete location is absent",
    arguments: [
      ("zero over zero", ("N", [(0, 0), (0, 0), (0, 0)]), ("E", [(0, 0), (0, 0), (0, 0)])),
      ("seconds over zero", ("N", [(10, 1), (5, 1), (3, 0)]), ("E", [(10, 1)])),
      ("no hemisphere", ("", [(10, 1)]), ("E", [(10, 1)])),
      ("the wrong hemisphere", ("E", [(10, 1)]), ("N", [(10, 1)])),
      ("91 degrees north", ("N", [(91, 1)]), ("E", [(10, 1)])),
      ("181 degrees east", ("N", [(10, 1)]), ("E", [(181, 1)])),
      ("no value", ("N", []), ("E", [])),
    ])
  func anIncompleteLocationIsAbsent(why: String, latitude: (String, [(Int, Int)]), longitude: (String, [(Int, Int)]))
    throws
  {
    let gps = try directory(latitude: latitude, longitude: longitude)
    #expect(GeoPosition(exif: gps) == nil, "\(why)")
  }

  @Test func `Latitude alone is no location`() throws {
    #expect(GeoPosition(exif: try directory(latitude: ("N", [(10, 1)]), longitude: nil)) == nil)
  }

  @Test("0, 0 is a location only if stated with a fix") func zeroZeroIsALocationOnlyIfStatedWithAFix() throws {
    let zero = ("N", [(0, 1), (0, 1), (0, 1)])
    let stated = try directory(latitude: zero, longitude: ("E", zero.1))
    let place = try #require(GeoPosition(exif: stated))
    #expect(place.latitude == 0)
    #expect(place.longitude == 0)
    let void = try directory(
      latitude: zero, longitude: ("E", zero.1), more: [TIFFFixture(directories: []).text(9, "V")])
    #expect(GeoPosition(exif: void) == nil)
  }

  @Test func `Altitudes have a sign`() throws {
    let fixture = TIFFFixture(directories: [])
    let place = ("N", [(10, 1)])
    func altitude(_ entries: [TIFFFixture.Entry], hasLocation: Bool = true) throws -> Double? {
      GeoPosition.altitude(
        exif: try directory(
          latitude: hasLocation ? place : nil, longitude: hasLocation ? ("E", place.1) : nil, more: entries))
    }
    #expect(try altitude([fixture.bytes(5, [0], type: 1), fixture.rational(6, (37, 1))]) == 37)
    #expect(try altitude([fixture.bytes(5, [1], type: 1), fixture.rational(6, (75, 2))]) == -37.5)
    #expect(try altitude([fixture.rational(6, (37, 1))], hasLocation: false) == 37)
    #expect(try altitude([fixture.rational(6, (0, 1))]) == 0)
    #expect(try altitude([fixture.rational(6, (0, 1))], hasLocation: false) == nil)
    #expect(try altitude([fixture.rational(6, (0, 0))]) == nil)
    #expect(try altitude([fixture.rational(6, (4_000_000, 1))]) == nil)
    #expect(try altitude([fixture.bytes(5, [], type: 1), fixture.rational(6, (5, 1))]) == 5)
  }

  @Test func `Locations of XMP are read`() throws {
    let place = try #require(GeoPosition(xmpLatitude: "39,6.9N", longitude: "108,24,3.486W"))
    #expect(abs(place.latitude - 39.115) < 1e-9)
    #expect(abs(place.longitude + 108.400_968_333) < 1e-6)
    for (latitude, longitude) in [
      ("39,6.9", "108W"), ("91N", "0E"), ("39,-6N", "8E"), ("39,6,1,1N", "8E"), ("nanN", "8E"), ("", ""),
    ] {
      #expect(GeoPosition(xmpLatitude: latitude, longitude: longitude) == nil)
    }
    #expect(GeoPosition.altitude(xmp: "14839/10", reference: "0") == 1_483.9)
    #expect(GeoPosition.altitude(xmp: "12", reference: "1") == -12)
    for text in ["1/0", "", "x", "1/2/3", "inf"] { #expect(GeoPosition.altitude(xmp: text, reference: nil) == nil) }
  }
}
