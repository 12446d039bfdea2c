extension MediaEngine {
  /// Whose files may share a worker. Files of two domains never do: a worker serves one domain, and is replaced before it serves another.
  ///
  /// A file that has taken over its worker can falsify what the worker says of later files, and put what it read of one into the image of another.
  /// So the files of people who do not trust one another need domains of their own.
  public struct TrustDomain: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
      case shared
      case owner(String)
      case isolated
    }

    let scope: Scope

    /// Files without an owner: they share workers with one another. For files that come from one user, such as those of a command or a desktop app.
    public static let shared = TrustDomain(scope: .shared)

    /// Files that share their worker with no other file. Costs the start of a worker for each, a tenth of a second of one core; with a spare it is
    /// not waited for.
    public static let isolated = TrustDomain(scope: .isolated)

    /// The files of one owner: a user, an account or a tenant, by the name that the caller uses for it.
    public static func owner(_ name: String) -> TrustDomain { TrustDomain(scope: .owner(name)) }

    /// Whether a worker that has served this domain may serve the other.
    func shares(with other: TrustDomain) -> Bool { self == other && scope != .isolated }
  }
}

/// Why a worker is sent away that has done nothing wrong. The names are in metrics.
enum WorkerReplacement: String {
  /// The next job is of another trust domain, or the last one was of a file that shares its worker with none.
  case domain
  /// It has done as many jobs as one may.
  case jobs
  /// It has kept more memory, or more threads, than one may.
  case growth
  /// It had not loaded a library that the job needs.
  case libraries
}
