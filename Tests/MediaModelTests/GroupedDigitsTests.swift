internal import MediaModel
internal import Testing

@Suite("Numbers in messages") struct GroupedDigitsTests {
  @Test(
    "Digits are grouped in threes",
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (312_004, "312,004"), (268_402_689, "268,402,689"), (-1_234, "-1,234"),
      (-999, "-999"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func groups(number: Int, text: String) {
    #expect(number.grouped == text)
  }
}
