internal import Foundation
internal import Mail
internal import MediaModel

// mail-loop LIST: the type, name and decoded size of each part of the mails that the file LIST names, one per line.

let arguments = CommandLine.arguments
guard arguments.count == 2, let list = FileManager.default.contents(atPath: arguments[1]) else { exit(64) }
for path in list.split(separator: UInt8(ascii: "\n")) {
  guard let mail = FileManager.default.contents(atPath: String(decoding: path, as: UTF8.self)) else { exit(1) }
  let structure = MailStructure(message: Array(mail))
  var lines = ""
  for part in structure.parts {
    lines += "\(part.type.rawValue)\t\(part.name ?? "")\t\(part.decodedSize.octets)\n"
  }
  print(lines, terminator: "")
}
