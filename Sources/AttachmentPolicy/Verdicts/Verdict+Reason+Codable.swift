internal import MediaModel

/// `{"code":"fileTooLarge","limit":100,"actual":131}`: the code with its associated values.
extension Verdict.Reason: Codable {
  private enum CodingKeys: CodingKey { case code, limit, actual, of, declared, failure }

  /// Decodes a reason; an unknown code is kept as `other`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value { try values.decode(Value.self, forKey: key) }
    let code: Code = try value(.code)
    self =
      switch code.rawValue {
      case "tooManyAttachments": .tooManyAttachments(limit: try value(.limit))
      case "fileTooLarge": .fileTooLarge(limit: try value(.limit), actual: try value(.actual))
      case "messageTooLarge": .messageTooLarge(limit: try value(.limit), actual: try value(.actual))
      case "duplicate": .duplicate(of: try value(.of))
      case "kindNotAllowed": .kindNotAllowed(try value(.actual))
      case "typeNotAllowed": .typeNotAllowed(try value(.actual))
      case "typeMismatch": .typeMismatch(declared: try value(.declared), actual: try value(.actual))
      case "tooManyPixels": .tooManyPixels(limit: try value(.limit), actual: try value(.actual))
      case "tooLong": .tooLong(limit: try value(.limit), actual: try value(.actual))
      case "empty": .empty
      case "unreadable": .unreadable(try value(.failure))
      case "attachmentsDisabled": .attachmentsDisabled
      case "batchRefused": .batchRefused
      case "invalidCrop": .invalidCrop
      default: .other(code)
      }
  }

  /// Encodes the code and its associated values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(code, forKey: .code)
    switch self {
    case .tooManyAttachments(let limit): try values.encode(limit, forKey: .limit)
    case .fileTooLarge(let limit, let actual), .messageTooLarge(let limit, let actual),
      .tooManyPixels(let limit, let actual):
      try values.encode(limit, forKey: .limit)
      try values.encode(actual, forKey: .actual)
    case .tooLong(let limit, let actual):
      try values.encode(limit, forKey: .limit)
      try values.encode(actual, forKey: .actual)
    case .duplicate(let original): try values.encode(original, forKey: .of)
    case .kindNotAllowed(let kind): try values.encode(kind, forKey: .actual)
    case .typeNotAllowed(let type): try values.encode(type, forKey: .actual)
    case .typeMismatch(let declared, let actual):
      try values.encode(declared, forKey: .declared)
      try values.encode(actual, forKey: .actual)
    case .unreadable(let failure): try values.encode(failure, forKey: .failure)
    case .empty, .attachmentsDisabled, .batchRefused, .invalidCrop, .other: break
    }
  }
}
