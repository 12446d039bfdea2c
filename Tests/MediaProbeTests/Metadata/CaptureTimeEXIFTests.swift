internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct CaptureTimeEXIFTests {
  @Test(arguments: [
    ("2018:07:25 16:34:23", "2018-07-25T16:34:23"), ("2018-07-25T16:34:23", "2018-07-25T16:34:23"),
    ("2018/07/25 16:34:23\0rubbish", "2018-07-25T16:34:23"), ("2018:07:25 16:34:23+02:00", "2018-07-25T16:34:23+02:00"),
  ])
  func `Common deviations are parsed`(text: String, wanted: String) {
    #expect(MediaInfo.CaptureTime(exif: ascii(text))?.description == wanted)
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2018:02:30 10:00:00", "2018:07:25 24:00:00", "2018:07:25", "",
    "2018:07:25 16:34:2", "2018:07:25 16:34:\u{E9}", "-018:07:25 16:34:23",
  ])
  func `An invalid time is absent`(text: String) { #expect(MediaInfo.CaptureTime(exif: ascii(text)) == nil) }

  @Test("Offsets from UTC are read") func offsets() {
    #expect(MediaInfo.CaptureTime.utcOffset(exif: ascii("+05:30\0")) == 19_800)
    #expect(MediaInfo.CaptureTime.utcOffset(exif: ascii("-0330")) == -12_600)
    #expect(MediaInfo.CaptureTime.utcOffset(exif: ascii("Z")) == 0)
    for text in ["   :  ", "", "+5", "+99:00", "+01:60", "+0x:00", "05:30"] {
      #expect(MediaInfo.CaptureTime.utcOffset(exif: ascii(text)) == nil, "\(text)")
    }
  }

  @Test func `Dates of XMP are read`() {
    #expect(MediaInfo.CaptureTime(xmp: "2022-01-10T15:15:44.31-04:00")?.description == "2022-01-10T15:15:44-04:00")
    #expect(MediaInfo.CaptureTime(xmp: "2022-01-10T15:15Z")?.description == "2022-01-10T15:15:00Z")
    #expect(MediaInfo.CaptureTime(xmp: "2022-01-10T15:15")?.description == "2022-01-10T15:15:00")
    for text in ["2022", "2022-01", "2022-01-10", "2022-01-10T15:1", "2022-01-10T15:15:", "ñ2022-01-10T15:15"] {
      #expect(MediaInfo.CaptureTime(xmp: text) == nil, "\(text)")
    }
  }
}
