internal import Foundation

/// Wireshark's dissector: a second opinion on what we write. It knows message types to 0x93 and fields to 0xA1.
public struct Dissector {
  /// Whether it is installed; says so once when it is not.
  public static let isPresent: Bool = {
    do {
      _ = try Tool("tshark", package: "tshark")
      return true
    } catch {
      print("skipped: \(error)")
      return false
    }
  }()

  /// What the dissector finds: for each PDU the values of each field, a field that is repeated with all of them. `_ws.malformed` and `_ws.lua.text`,
  /// its complaints, are always among them. A PDU has 262,144 octets at most.
  public static func fields(_ names: [String], of pdus: [[UInt8]]) throws -> [[String: [String]]] {
    let folder = try TemporaryFolder()
    let script = try folder.write(Array(script.utf8), to: "mms.lua")
    let capture = try folder.write(capture(of: pdus), to: "pdus.pcap")
    var arguments = ["-X", "lua_script:\(script)", "-r", capture, "-T", "fields"]
    arguments += ["-E", "separator=|", "-E", "aggregator=;", "-E", "occurrence=a"]
    let all = ["_ws.malformed", "_ws.lua.text"] + names
    for name in all { arguments += ["-e", name] }
    let text = String(decoding: try Tool("tshark", package: "tshark").output(arguments), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      return Dictionary(
        uniqueKeysWithValues: zip(all, columns).map { name, column in
          (name, column.isEmpty ? [] : column.split(separator: ";", omittingEmptySubsequences: false).map(String.init))
        })
    }
  }

  /// Hands each packet of link type 147 to the dissector of MMS, which has no name of its own to choose it by.
  private static let script = """
    local p = Proto("mmsraw", "raw MMS PDU")
    local d = DissectorTable.get("media_type"):get_dissector("application/vnd.wap.mms-message")
    function p.dissector(tvb, pinfo, tree) d:call(tvb, pinfo, tree) end
    DissectorTable.get("wtap_encap"):add(wtap.USER0, p)
    """

  /// A capture file with a packet for each PDU.
  private static func capture(of pdus: [[UInt8]]) -> [UInt8] {
    func little(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
    let header =
      little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(262_144, 4) + little(147, 4)
    return header + pdus.flatMap { little(0, 8) + little($0.count, 4) + little($0.count, 4) + $0 }
  }
}
