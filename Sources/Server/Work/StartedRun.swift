import ErrandKit

/// A run whose process was started by a worker.
struct StartedRun: Sendable {
  let handle: RunHandle
  let action: String
  let isDurable: Bool
  /// The files that the request brought, kept until the run ends.
  var uploads: MultipartForm?
}
