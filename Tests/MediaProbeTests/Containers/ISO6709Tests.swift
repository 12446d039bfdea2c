internal import Testing

@testable internal import MediaProbe

@Suite struct ISO6709Tests {
  @Test(
    "A location is read",
    arguments: [
      // Apple, with an altitude.
      ("+51.5334-000.1255+026.756/", 51.5334, -0.1255, 26.756),
      // Android and 3GP, without.
      ("+40.6800-074.5000/", 40.68, -74.5, nil),
      ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
      // Degrees alone, minutes, minutes and seconds: the standard's own forms.
      ("+40-075/", 40, -75, nil),
      ("+40.20361-075.00417CRSWGS_84/", 40.20361, -75.00417, nil),
      ("+4012.22-07500.25/", 40.203667, -75.004167, nil),
      ("+401213.1-0750015.1/", 40.203639, -75.004194, nil),
      ("+274725+0865534+8850CRSWGS_84/", 27.790278, 86.926111, 8_850),
      ("-90+000/", -90, 0, nil),
      ("+00-025/", 0, -25, nil),
      // Without the solidus, and with a comma for the point, as some write it.
      ("+48.5773+009.2590", 48.5773, 9.259, nil),
      ("+48,5773+009,2590/", 48.5773, 9.259, nil),
      ("+48.5773+9.2590+410./", 48.5773, 9.259, 410),
    ] as [(String, Double, Double, Double?)])
  func aLocationIsRead(_ text: String, _ latitude: Double, _ longitude: Double, _ altitude: Double?) throws {
    let place = try #require(ISO6709(text))
    #expect(abs(place.latitude - latitude) < 1e-6)
    #expect(abs(place.longitude - longitude) < 1e-6)
    #expect(place.altitude == altitude)
  }

  @Test(arguments: [
    "", "/", "+", "+-/", "+51.5", "51.5334-000.1255/", "+51.5334,-0.1255", "+91-000/", "+10+181/", "+1060+01000/",
    "+1000+0106000/", "+123456789+000/", "+00.0000+000.0000/", "+0000.00-00000.00+0/",
    "+51.5-0.1 x",
    "+nan-inf/", "+51..5-0.1/", "+5é-0/", "+12+34+56+78/",
  ])
  func `Invalid locations are absent`(_ text: String) {
    #expect(ISO6709(text) == nil)
  }

  @Test func `An implausible altitude is dropped alone`() throws {
    let place = try #require(ISO6709("+10+020+1000001/"))
    #expect(place.latitude == 10)
    #expect(place.altitude == nil)
  }
}
