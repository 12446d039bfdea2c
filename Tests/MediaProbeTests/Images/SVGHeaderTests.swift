internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct SVGHeaderTests {
  private func facts(_ text: String) -> MediaInfo { stillFacts(ascii(text), as: .svg) }

  @Test(arguments: [
    ("width='100' height='50'", 100, 50), ("width='100px' height='50.6PX'", 100, 51),
    ("width='1in' height='2.54cm'", 96, 96),
    ("width='210mm' height='297mm' viewBox='0 0 21 29'", 794, 1_123), ("width='72pt' height='6pc'", 96, 96),
    ("width='101.6q' height='1e2'", 96, 100), ("width='10em' height='10ex'", 160, 80),
    ("viewBox='0 0 30.5 40.4'", 31, 40),
    ("width='100%' height='100%' viewBox='0,0,30,40'", 30, 40), ("width='60' viewBox='0 0 30 40'", 60, 80),
    ("height='60' viewBox='-5 -5  30 40'", 45, 60), ("width='auto' height='60' viewBox='0 0 30 40'", 45, 60),
    ("width='-5' height='60' viewBox='0 0 30 40'", 45, 60),
    ("style='width:80px; height: 90px' width='1' viewBox='0 0 7 9'", 80, 90),
    ("style='color:red;width:50%' width='80' height='90'", 80, 90), ("width='0.2' height='0.3'", 1, 1),
  ])
  func `Sizes are CSS pixels`(attributes: String, width: Int, height: Int) {
    let info = facts("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)><g/></svg>")
    #expect(info.displaySize == PixelSize(width: width, height: height))
    #expect(info.alpha == true)
    #expect(info.error == nil)
  }

  @Test(arguments: [
    "", "width='100'", "width='50%' height='50%'", "width='nan' height='inf'", "viewBox='0 0 0 10'", "viewBox='0 0 10'",
    "width='1e300' height='1e300'", "width='9999999999' height='1'", "viewBox='a b c d'",
    "viewBox='0 0 1e-300 1e300' width='5'",
  ])
  func `Without lengths there is no size`(attributes: String) {
    let info = facts("<svg \(attributes)/>")
    #expect(info.width == nil)
    #expect(info.height == nil)
    #expect(info.error == nil)
  }

  @Test func `Content before the root is skipped`() {
    let text = """
      \u{FEFF}<?xml version="1.0"?><!-- <svg width="1" height="1"> --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x>" [
      <!ENTITY w "77"> <!-- ] > --> ]><s:svg xmlns:s="http://www.w3.org/2000/svg" width="20" height="&w;" viewBox="0 0 2 1"/>
      """
    #expect(facts(text).displaySize == PixelSize(width: 20, height: 10))
  }

  @Test func `The root may follow long comments`() {
    let comment = "<!--" + String(repeating: "x", count: 100_000) + "-->"
    #expect(facts(comment + "<svg width='5' height='4'/>").width == 5)
    let endless = "<!--" + String(repeating: "x", count: 2_000_000)
    #expect(facts(endless).error?.code == .corrupt)
  }

  @Test func `UTF-16 is read by its byte order mark`() {
    let text = "\u{FEFF}<svg width='5' height='4'/>"
    #expect(stillFacts(text.utf16.flatMap { be16(Int($0)) }, as: .svg).width == 5)
    #expect(stillFacts(text.utf16.flatMap { le16(Int($0)) }, as: .svg).width == 5)
    #expect(stillFacts([0xFF, 0xFE], as: .svg).error?.code == .corrupt)
  }

  @Test func `Another root element is no image`() {
    #expect(facts("<html><svg width='5' height='4'/></html>").error?.code == .corrupt)
    #expect(facts("no markup").error?.code == .corrupt)
    #expect(facts("<svg width='5' height='4").error?.code == .corrupt)
  }
}
