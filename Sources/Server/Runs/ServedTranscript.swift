import ErrandKit

/// The transcript of a served run, as its process reports it; confined to the serving thread.
struct ServedTranscript {
  private struct Entry {
    let place: Int64
    let number: Int64
    let value: JSONValue
    /// The entry as a server-sent event.
    let line: String
  }

  /// The entries by place, oldest first.
  private var entries: [Entry] = []
  private var last: Int64 = 0
  private var bytes = 0
  /// The number of entries left out.
  private(set) var omitted: Int64 = 0
  private(set) var hasEnded = false
  private var streams: [EventStream] = []

  /// The maximum number of entries, and of their bytes.
  private static let limit = 1_000
  private static let byteLimit = 4 << 20

  /// Adds or replaces an entry.
  mutating func put(_ value: JSONValue) {
    guard let number = value["number"]?.int else { return }
    let entry = Entry(
      place: value["replaces"]?.int ?? number, number: number, value: value,
      line: "id: \(number)\nevent: entry\ndata: \((try? value.text()) ?? "{}")\n\n")
    last = max(last, number)
    bytes += entry.line.utf8.count
    if let index = entries.lastIndex(where: { $0.place == entry.place }) {
      bytes -= entries[index].line.utf8.count
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    while entries.count > Self.limit || bytes > Self.byteLimit && entries.count > 1 {
      // Keep the first entries, which give the context.
      let index = min(Self.limit / 5, entries.count / 2)
      bytes -= entries.remove(at: index).line.utf8.count
      omitted += 1
    }
    hasEnded = value["kind"] == "ended"
    for stream in streams { stream.send(entry.line) }
  }

  /// Ends the transcript on behalf of a process that has not.
  ///
  /// - Parameter error: The failure; nil if there is none, or the process has reported it.
  mutating func end(_ state: String, _ error: ErrandError?) {
    let time = JSONValue.now
    if !hasEnded {
      if let error {
        put([
          "number": .int(last + 1), "time": time, "kind": "error",
          "code": .string(error.code), "message": .string(error.message),
          "help": error.help.map(JSONValue.string) ?? .null, "path": [], "remedies": [],
        ])
      }
      put([
        "number": .int(last + 1), "time": time, "kind": "ended", "state": .string(state),
      ])
    }
    for stream in streams { stream.end() }
    streams = []
  }

  /// The entries with at least a number, by place.
  func entries(from number: Int64) -> [JSONValue] {
    entries.filter { $0.number >= number }.map(\.value)
  }

  /// Starts a stream of the entries after a number.
  mutating func follow(after number: Int64, isOpen: Bool) -> EventStream {
    let stream = EventStream()
    stream.send(": open\n\n")
    for entry in entries.filter({ $0.number > number }).sorted(by: { $0.number < $1.number }) {
      stream.send(entry.line)
    }
    if isOpen { streams.append(stream) } else { stream.end() }
    return stream
  }

  /// Sends a comment to each client to detect disconnected clients.
  mutating func beat() {
    streams.removeAll(where: \.isClosed)
    for stream in streams { stream.send(": \n\n") }
  }
}
