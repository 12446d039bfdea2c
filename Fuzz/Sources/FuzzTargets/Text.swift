internal import Messaging

/// Links and segments of any text: links in order and where they say they are, segments that put together are the text.
@_cdecl("mediatool_fuzz_text")
public func fuzzText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  let utf8 = Array(text.utf8)
  var end = 0
  for link in LinkDetector().links(in: text) {
    precondition(link.utf8.lowerBound >= end && !link.utf8.isEmpty && link.utf8.upperBound <= utf8.count)
    precondition(utf8[link.utf8].elementsEqual(link.text.utf8))
    end = link.utf8.upperBound
  }
  let languages = Set(SMSSegmenter.NationalLanguage.allCases)
  let segmenters = [
    SMSSegmenter(), SMSSegmenter(lockingLanguages: languages, singleShiftLanguages: languages),
    SMSSegmenter(isStrict7Bit: true),
  ]
  for segmenter in segmenters {
    let segments = segmenter.segments(of: text)
    let parts = segmenter.split(text)
    precondition(parts.count == segments.count && parts.joined().utf8.elementsEqual(segmenter.sentText(text).utf8))
    precondition((0...segments.perSegment).contains(segments.available))
  }
}
