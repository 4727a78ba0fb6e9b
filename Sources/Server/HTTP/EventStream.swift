/// A growing response body of server-sent events; confined to the serving thread.
package final class EventStream {
  private var bytes: [UInt8] = []
  /// Whether no more events follow.
  package private(set) var isEnded = false
  /// Whether the client has disconnected.
  package private(set) var isClosed = false
  /// Called when bytes or the end can be sent.
  package var wake: (() -> Void)?
  /// Called when the client disconnects.
  var closed: (() -> Void)?

  /// Unsent bytes above which a client is too slow, and is disconnected.
  private static let limit = 8 << 20

  package init() {}

  /// Adds text to send.
  func send(_ text: String) {
    guard !isEnded, !isClosed else { return }
    bytes += Array(text.utf8)
    if bytes.count > Self.limit {
      bytes = []
      isEnded = true
    }
    wake?()
  }

  /// Ends the stream after the data sent so far.
  package func end() {
    isEnded = true
    wake?()
  }

  /// Records that the client has disconnected.
  package func close() {
    if !isClosed, !isEnded { closed?() }
    isClosed = true
    wake = nil
    closed = nil
    bytes = []
  }

  /// Removes and returns up to `count` bytes; nil at the end.
  package func take(_ count: Int) -> [UInt8]? {
    if bytes.isEmpty { return isEnded ? nil : [] }
    let taken = Array(bytes.prefix(count))
    bytes.removeFirst(taken.count)
    return taken
  }
}
