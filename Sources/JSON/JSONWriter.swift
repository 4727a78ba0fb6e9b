package import CEL

/// Writes values as JSON texts.
///
/// Timestamps become RFC 3339 text, durations CEL's text (`1.5s`), bytes base64, non-finite numbers
/// text (`NaN`, `Infinity`, as in the JSON of protocol buffers), types their name, and optionals
/// their value or null.
package struct JSONWriter {
  /// Layout of the text.
  package enum Layout: Sendable {
    /// On one line, without spaces.
    case compact
    /// For people: one member per line, indented by two spaces.
    case pretty
  }

  /// Layout of the text.
  package var layout: Layout
  /// Maximum nesting depth.
  package var maxDepth: Int
  /// Whether to escape U+007F to U+009F and bidirectional marks, as output to a terminal requires;
  /// not needed for text that only the program compares.
  package var escapesInvisible: Bool
  /// Returns the members of an object, in order.
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

  /// Returns the JSON text of a value, without a final line break.
  package func text(of value: Value) throws(JSONError) -> String {
    var output: [UInt8] = []
    try write(value, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the JSON text of a value, without a final line break.
  package func write(_ value: Value, to output: inout [UInt8]) throws(JSONError) {
    try write(value, depth: 0, to: &output)
  }

  private func write(_ value: Value, depth: Int, to output: inout [UInt8]) throws(JSONError) {
    switch value {
    case .null, .bool, .int, .uint: output.append(contentsOf: value.text.utf8)
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
      try write(items, in: ("[", "]"), depth: depth, to: &output) {
        item, inner, output throws(JSONError) in
        try write(item, depth: inner, to: &output)
      }
    case .map(let map):
      try write(map.entries, in: ("{", "}"), depth: depth, to: &output) {
        entry, inner, output throws(JSONError) in
        write(key: entry.key, to: &output)
        try write(entry.value, depth: inner, to: &output)
      }
    case .object(let object):
      let members = members(object)
      if members.isEmpty, let hidden = object as? any HiddenText {
        output.appendJSONString(hidden.shownText)
        return
      }
      try write(members, in: ("{", "}"), depth: depth, to: &output) {
        member, inner, output throws(JSONError) in
        write(key: .string(member.0), to: &output)
        try write(member.1, depth: inner, to: &output)
      }
    }
  }

  /// Writes members in brackets, with separators.
  private func write<Member>(
    _ members: [Member], in brackets: (open: Unicode.Scalar, close: Unicode.Scalar), depth: Int,
    to output: inout [UInt8],
    _ write: (Member, _ depth: Int, _ output: inout [UInt8]) throws(JSONError) -> Void
  ) throws(JSONError) {
    let inner = try nextDepth(depth)
    output.append(UInt8(ascii: brackets.open))
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      breakLine(depth: inner, in: &output)
      try write(member, inner, &output)
    }
    if !members.isEmpty { breakLine(depth: depth, in: &output) }
    output.append(UInt8(ascii: brackets.close))
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
    case .int, .uint, .bool: output.appendJSONString(key.text)
    // CEL has no other key types.
    default: output.appendJSONString("")
    }
    output.append(UInt8(ascii: ":"))
    if layout == .pretty { output.append(UInt8(ascii: " ")) }
  }

  private func breakLine(depth: Int, in output: inout [UInt8]) {
    if layout == .compact { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

extension Timestamp {
  /// The timestamp in RFC 3339, in UTC, to the microsecond as in stores.
  package var jsonText: String { Timestamp(microseconds: microseconds).text }
}
