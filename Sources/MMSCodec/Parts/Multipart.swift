extension WSPReader {
  /// The parts of a multipart body (WAP-230-WSP §8.5): a number of parts, and for each the length of its headers, the length of its data, headers,
  /// data. Lengths beyond the end are clamped to it.
  mutating func parts(_ note: (MMSMessage.Defect.Kind, _ offset: Int) -> Void) -> [MMSMessage.Part] {
    let start = offset
    guard let announced = uintvar() else {
      if !isAtEnd { note(.trailingOctets(count), offset) }
      return []
    }
    var parts: [MMSMessage.Part] = []
    while parts.count < announced, parts.count < MMSMessage.partLimit {
      let offset = offset
      guard let headerLength = uintvar(), let dataLength = uintvar() else { break }
      var headers = reader(of: position..<position + min(headerLength, count))
      move(to: headers.end)
      let type = headers.contentType()
      let (others, isWhole) = headers.headers()
      if type == nil || !isWhole { note(.malformedPartHeaders, offset) }
      let body = octets[position..<position + min(dataLength, count)]
      if body.count < dataLength { note(.partCutOff, offset) }
      move(to: body.endIndex)
      parts.append(
        MMSMessage.Part(contentType: type ?? ContentType("application/octet-stream"), headers: others, body: body))
    }
    if parts.count < announced { note(.missingParts(announced - parts.count), start) }
    if !isAtEnd { note(.trailingOctets(count), offset) }
    return parts
  }
}

extension WSPWriter {
  /// The body of a multipart.
  mutating func parts(_ parts: [MMSMessage.Part]) throws(MMSMessage.EncodingError) {
    guard parts.count <= MMSMessage.partLimit else { throw MMSMessage.EncodingError(.tooMany) }
    try uintvar(parts.count)
    for part in parts {
      var headers = WSPWriter()
      try headers.contentType(part.contentType)
      try headers.headers(part.headers)
      try uintvar(headers.octets.count)
      try uintvar(part.body.count)
      raw(headers.octets[...])
      raw(part.body)
    }
  }
}
