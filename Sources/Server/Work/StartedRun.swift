import ErrandKit

/// A run whose process was started by a worker.
struct StartedRun: Sendable {
  let handle: RunHandle
  let action: String
  let isDurable: Bool
  /// The values it was started with; nil if they are not known here.
  var parameters: JSONValue?
  /// The files uploaded with the request, kept until the run ends.
  var uploads: MultipartForm?
}
