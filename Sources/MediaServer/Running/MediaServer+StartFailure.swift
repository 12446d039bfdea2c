internal import Glibc
internal import NIOCore

extension MediaServer {
  /// Why a server does not start.
  public struct StartFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What has to change.
    public enum Kind: Hashable, Sendable {
      /// The settings: they contradict each other, or name a file that cannot be used.
      case settings
      /// The machine: the address is in use, or not one of its own.
      case machine
    }

    /// What has to change before the server starts.
    public let kind: Kind
    /// One sentence for the administrator.
    public let description: String

    static func settings(_ description: String) -> StartFailure {
      StartFailure(kind: .settings, description: description)
    }

    /// The failure of an address on which the server cannot listen.
    static func listening(on host: String, _ port: Int, _ error: any Error) -> StartFailure {
      let address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      return StartFailure(kind: .machine, description: "cannot listen on \(address): \(reason(error))")
    }

    private static func reason(_ error: any Error) -> String {
      switch error {
      case let error as IOError:
        let text = String(cString: strerror(error.errnoCode))
        switch error.errnoCode {
        case EADDRINUSE: return "\(text); stop the program that uses it, or choose another port with --listen"
        case EADDRNOTAVAIL: return "\(text); no network interface of this machine has this address"
        case EACCES: return "\(text); ports below 1024 need root or CAP_NET_BIND_SERVICE"
        default: return text
        }
      case let error as SocketAddressError.UnknownHost: return error.errorDescription
      default: return "\(error)"
      }
    }
  }
}
