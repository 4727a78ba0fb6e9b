import ErrandKit

/// The transcript of a run of the server, as its process tells it; confined to the serving thread.
struct ServedTranscript {
  private struct Entry {
    let place: Int64
    let number: Int64
    let value: JSONValue
  }

  /// The entries by place, oldest first.
  private var entries: [Entry] = []
  private var last: Int64 = 0
  private(set) var hasEnded = false
  private var streams: [EventStream] = []

  /// The maximum number of entries.
  private static let limit = 1_000

  /// Takes in an entry.
  mutating func put(_ value: JSONValue) {
    guard let number = value["number"]?.int else { return }
    let entry = Entry(place: value["replaces"]?.int ?? number, number: number, value: value)
    last = max(last, number)
    if let index = entries.lastIndex(where: { $0.place == entry.place }) {
      entries[index] = entry
    } else {
      entries.append(entry)
      // The first ones say what it is about.
      if entries.count > Self.limit { entries.remove(at: Self.limit / 5) }
    }
    hasEnded = value["kind"] == "ended"
    for stream in streams { stream.send(Self.line(entry)) }
  }

  /// Ends it for a process that has not done so itself.
  ///
  /// - Parameter error: The failure; nil if it has none, or has told it.
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

  /// Starts a stream of entries with a number above another one.
  mutating func follow(after number: Int64, isOpen: Bool) -> EventStream {
    let stream = EventStream()
    stream.send(": open\n\n")
    for entry in entries.filter({ $0.number > number }).sorted(by: { $0.number < $1.number }) {
      stream.send(Self.line(entry))
    }
    if isOpen { streams.append(stream) } else { stream.end() }
    return stream
  }

  /// Sends a comment to each client, so that one that has gone is noticed.
  mutating func beat() {
    streams.removeAll(where: \.isClosed)
    for stream in streams { stream.send(": \n\n") }
  }

  private static func line(_ entry: Entry) -> String {
    "id: \(entry.number)\nevent: entry\ndata: \((try? entry.value.text()) ?? "{}")\n\n"
  }
}
