import Source

/// Lists and mappings in brackets.
extension LayoutWriter {
  func isFlow(_ event: Event) -> Bool {
    let start = flowStart(event)
    guard start < file.bytes.count else { return false }
    let byte = file.bytes[start]
    return byte == UInt8(ascii: event.kind == .mappingStart ? "{" : "[")
      && !event.span.range.isEmpty
  }

  /// The offset of the opening bracket.
  func flowStart(_ event: Event) -> Int {
    var start = event.span.range.lowerBound
    if let anchor = event.anchor { start += anchor.utf8.count + 1 }
    while start < file.bytes.count, file.bytes[start] <= 0x20 { start += 1 }
    return start
  }

  /// Writes a collection in brackets: on one line, or with a line for each entry if it has several
  /// lines already.
  mutating func writeFlow(_ indent: Int) throws {
    let opening = events[index]
    let isMapping = opening.kind == .mappingStart
    let close: Event.Kind = isMapping ? .mappingEnd : .sequenceEnd
    let start = flowStart(opening)
    end = start + 1
    index += 1
    let isBroken = file.bytes[start..<closing(opening)].contains(0x0A)
    out += isMapping ? "{" : "["
    endsWithComment = false
    var isFirst = true
    while events[index].kind != close {
      try take(to: events[index].span.range.lowerBound)
      if isBroken { beginLine(indent + 2, isFirst: isFirst) } else if !isFirst { out += " " }
      isFirst = false
      if isMapping { try writePair(indent + 2) } else { try writeFlowValue(indent + 2) }
      // The comma, and comments on its line.
      let next = events[index]
      let isLast = next.kind == close
      if !isLast { out += "," }
      try take(to: isLast ? bracket(next) : next.span.range.lowerBound, separators: ",".utf8)
    }
    try take(to: bracket(events[index]), separators: ",".utf8)
    if isBroken {
      flush(at: indent + 2)
      isBlankNext = false
      if !isFirst || endsWithComment { breakLine(indent) }
    }
    out += isMapping ? "}" : "]"
    finish(events[index])
  }

  /// The offset of the closing bracket.
  func bracket(_ event: Event) -> Int { event.span.range.lowerBound }

  /// The offset of the bracket that closes a collection.
  func closing(_ opening: Event) -> Int {
    var depth = 1
    var position = index
    while position < events.count {
      switch events[position].kind {
      case .mappingStart, .sequenceStart: depth += 1
      case .mappingEnd, .sequenceEnd: depth -= 1
      default: break
      }
      if depth == 0 { return events[position].span.range.upperBound }
      position += 1
    }
    return file.bytes.count
  }

  mutating func writePair(_ indent: Int) throws {
    let key = events[index]
    guard key.kind == .scalar, key.anchor == nil, let text = line(of: key, isInFlow: true) else {
      throw Unknown()
    }
    out += text
    finish(key)
    let value = events[index]
    if value.kind == .scalar, value.span.range.isEmpty {
      try take(to: value.span.range.lowerBound, separators: ":".utf8)
      index += 1
      return
    }
    out += ":"
    try take(to: value.span.range.lowerBound, separators: ":".utf8)
    guard held.isEmpty, !endsWithComment else { throw Unknown() }
    out += " "
    try writeFlowValue(indent)
  }

  mutating func writeFlowValue(_ indent: Int) throws {
    let event = events[index]
    guard event.anchor == nil || event.kind == .alias else { throw Unknown() }
    switch event.kind {
    case .alias:
      out += "*" + event.text
      finish(event)
    case .scalar:
      out +=
        line(of: event, isInFlow: true)
        ?? folded(event, from: event.span.range.lowerBound, indent + 2)
      finish(event)
    case .mappingStart, .sequenceStart:
      guard isFlow(event) else { throw Unknown() }
      try writeFlow(indent)
    default: throw Unknown()
    }
  }
}
