package import CEL

/// Writes values as JSON texts.
///
/// Timestamps become RFC 3339 text, durations CEL's text (`1.5s`), bytes base64, numbers without
/// a JSON form text (`NaN`, `Infinity`, as in the JSON of protocol buffers), types their name and
/// optionals their value or null.
package struct JSONWriter {
  /// How a text is laid out.
  package enum Layout: Sendable {
    /// On one line, without blanks.
    case compact
    /// For people: one member a line, indented by two spaces.
    case pretty
  }

  /// How the text is laid out.
  package var layout: Layout
  /// How deep lists, maps and objects may stand in one another.
  package var maxDepth: Int
  /// Whether U+007F to U+009F and bidirectional marks are escapes, as they must be on a terminal;
  /// a text that only the program itself compares has them as they are.
  package var escapesInvisible: Bool
  /// The members written for an object, in order.
  package var members: (any ObjectValue) -> [(String, Value)]

  package init(
    layout: Layout = .compact, maxDepth: Int = 128, escapesInvisible: Bool = true,
    members: @escaping (any ObjectValue) -> [(String, Value)] = { object in
      object.fieldNames.map { ($0, object.field($0) ?? .null) }
    }
  ) {
    self.layout = layout
    self.maxDepth = maxDepth
    self.escapesInvisible = escapesInvisible
    self.members = members
  }

  /// The JSON text of a value, without a line break at the end.
  package func text(of value: Value) throws(JSONError) -> String {
    var output: [UInt8] = []
    try write(value, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the JSON text of a value, without a line break at the end.
  package func write(_ value: Value, to output: inout [UInt8]) throws(JSONError) {
    try write(value, depth: 0, to: &output)
  }

  private func write(_ value: Value, depth: Int, to output: inout [UInt8]) throws(JSONError) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
    case .int(let int): output.append(contentsOf: String(int).utf8)
    case .uint(let uint): output.append(contentsOf: String(uint).utf8)
    case .double(let double): write(double, to: &output)
    case .string(let string):
      output.appendJSONString(string, escapesInvisible: escapesInvisible)
    case .bytes(let bytes): output.appendJSONString(Base64.encode(bytes))
    case .timestamp(let timestamp): output.appendJSONString(timestamp.jsonText)
    case .duration(let duration): output.appendJSONString(duration.text)
    case .type(let type): output.appendJSONString(type.name)
    case .optional(let optional):
      try write(optional.wrapped ?? .null, depth: nextDepth(depth), to: &output)
    case .list(let items):
      let inner = try nextDepth(depth)
      output.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        startMember(index, depth: inner, in: &output)
        try write(item, depth: inner, to: &output)
      }
      end("]", isEmpty: items.isEmpty, depth: depth, in: &output)
    case .map(let map):
      let inner = try nextDepth(depth)
      output.append(UInt8(ascii: "{"))
      for (index, entry) in map.entries.enumerated() {
        startMember(index, depth: inner, in: &output)
        write(key: entry.key, to: &output)
        try write(entry.value, depth: inner, to: &output)
      }
      end("}", isEmpty: map.count == 0, depth: depth, in: &output)
    case .object(let object):
      let inner = try nextDepth(depth)
      let members = members(object)
      if members.isEmpty, let hidden = object as? any HiddenText {
        output.appendJSONString(hidden.shownText)
        return
      }
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        startMember(index, depth: inner, in: &output)
        write(key: .string(member.0), to: &output)
        try write(member.1, depth: inner, to: &output)
      }
      end("}", isEmpty: members.isEmpty, depth: depth, in: &output)
    }
  }

  private func nextDepth(_ depth: Int) throws(JSONError) -> Int {
    guard depth < maxDepth else {
      throw JSONError(.limit, "the value is nested deeper than \(maxDepth) levels")
    }
    return depth + 1
  }

  private func write(_ double: Double, to output: inout [UInt8]) {
    if double.isFinite {
      output.append(contentsOf: double.description.utf8)
    } else {
      output.appendJSONString(double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity")
    }
  }

  private func write(key: Value, to output: inout [UInt8]) {
    switch key {
    case .string(let text):
      output.appendJSONString(text, escapesInvisible: escapesInvisible)
    case .int(let int): output.appendJSONString(String(int))
    case .uint(let uint): output.appendJSONString(String(uint))
    case .bool(let bool): output.appendJSONString(bool ? "true" : "false")
    // CEL admits no other keys.
    default: output.appendJSONString("")
    }
    output.append(UInt8(ascii: ":"))
    if layout == .pretty { output.append(UInt8(ascii: " ")) }
  }

  private func startMember(_ index: Int, depth: Int, in output: inout [UInt8]) {
    if index > 0 { output.append(UInt8(ascii: ",")) }
    if layout == .pretty { breakLine(depth: depth, in: &output) }
  }

  private func end(
    _ bracket: Unicode.Scalar, isEmpty: Bool, depth: Int, in output: inout [UInt8]
  ) {
    if layout == .pretty, !isEmpty { breakLine(depth: depth, in: &output) }
    output.append(UInt8(ascii: bracket))
  }

  private func breakLine(depth: Int, in output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

extension Timestamp {
  /// The moment as JSON holds it: RFC 3339 in UTC, to the microsecond as stores keep it.
  package var jsonText: String {
    Timestamp(microseconds: microseconds).text
  }
}
