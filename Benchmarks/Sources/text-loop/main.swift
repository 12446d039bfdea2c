internal import Foundation
internal import Messaging

// text-loop links|segments FILE: the links, or the segments, of each line, and how many there were.

let arguments = CommandLine.arguments
guard arguments.count == 3, let bytes = FileManager.default.contents(atPath: arguments[2]) else { exit(64) }
let detector = LinkDetector()
let segmenter = SMSSegmenter()
var found = 0
for line in bytes.split(separator: UInt8(ascii: "\n")) {
  let text = String(decoding: line, as: UTF8.self)
  switch arguments[1] {
  case "links": found += detector.links(in: text).count
  case "segments": found += segmenter.segments(of: text).count
  default: exit(64)
  }
}
print(found)
