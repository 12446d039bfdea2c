internal import Hummingbird
internal import MediaService

extension Request {
  /// The ids of the query parameter `ids`, which are separated by commas, in their order.
  /// - Throws: 400 if the parameter is missing or has no id: otherwise a request whose ids were lost on the way would look like one that succeeded.
  func ids() throws(ServiceError) -> [String] {
    let ids = (parameter("ids") ?? "").split(separator: ",").map(String.init)
    guard !ids.isEmpty else {
      throw ServiceError(
        .invalidRequest, "The query parameter `ids` is missing or empty; it lists ids, separated by commas.")
    }
    return ids
  }
}
