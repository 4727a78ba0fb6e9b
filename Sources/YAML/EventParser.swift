import CYAML
import Source

/// A libyaml event in Swift values.
struct Event {
  /// The kinds that nodes consist of.
  enum Kind {
    case scalar, alias, mappingStart, mappingEnd, sequenceStart, sequenceEnd, documentEnd, other
  }

  let type: yaml_event_type_t

  var kind: Kind {
    switch type {
    case YAML_SCALAR_EVENT: .scalar
    case YAML_ALIAS_EVENT: .alias
    case YAML_MAPPING_START_EVENT: .mappingStart
    case YAML_MAPPING_END_EVENT: .mappingEnd
    case YAML_SEQUENCE_START_EVENT: .sequenceStart
    case YAML_SEQUENCE_END_EVENT: .sequenceEnd
    case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT, YAML_NO_EVENT: .documentEnd
    default: .other
    }
  }

  let span: Span
  /// Text of a scalar, or name of an alias.
  var text = ""
  var style = Scalar.Style.plain
  var anchor: String?
  var tag: String?
}

/// Owns a libyaml parser for the bytes of one document.
final class EventParser {
  private let slice: DocumentSlice
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  /// Byte offset of each code point; nil if the text is ASCII.
  private let offsets: [Int]?

  init(_ slice: DocumentSlice) {
    self.slice = slice
    let bytes = slice.file.bytes[slice.range]
    input = .allocate(capacity: bytes.count)
    let input = input
    bytes.withUnsafeBufferPointer { _ = input.initialize(fromContentsOf: $0) }
    var union: UInt8 = 0
    for byte in input { union |= byte }
    offsets =
      union < 0x80
      ? nil : bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.endIndex]
    parser = .allocate(capacity: 1)
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event.
  ///
  /// - Throws: a `yaml-syntax` diagnostic on a syntax error.
  func next() throws(Diagnostic) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
    defer { yaml_event_delete(&event) }
    let span = Span(
      slice.file,
      offset(of: event.start_mark)..<max(offset(of: event.start_mark), offset(of: event.end_mark)))
    func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      pointer.map { String(cString: $0) }
    }
    var result = Event(type: event.type, span: span)
    switch event.type {
    case YAML_ALIAS_EVENT: result.text = text(event.data.alias.anchor) ?? ""
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      result.text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      result.style = style(scalar.style)
      (result.anchor, result.tag) = (text(scalar.anchor), text(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      (result.anchor, result.tag) = (text(start.anchor), text(start.tag))
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      (result.anchor, result.tag) = (text(start.anchor), text(start.tag))
    default: break
    }
    return result
  }

  private func style(_ style: yaml_scalar_style_t) -> Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }

  private func offset(of mark: yaml_mark_t) -> Int {
    let index = Int(mark.index)
    if let offsets { return offsets[min(index, offsets.count - 1)] }
    return min(slice.range.lowerBound + index, slice.range.upperBound)
  }

  /// Whether only white space follows in the document.
  private func isFinished(from offset: Int) -> Bool {
    slice.file.bytes[min(offset, slice.range.upperBound)..<slice.range.upperBound]
      .allSatisfy { $0 <= 0x20 }
  }

  private func syntaxError() -> Diagnostic {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? "it is not YAML"
    let place = offset(of: state.problem_mark)
    let context = state.context.map { String(cString: $0) }
    let start = offset(of: state.context_mark)
    let failure = SyntaxFailure(
      problem: problem, context: context,
      span: Span(slice.file, place..<min(place + 1, slice.range.upperBound)),
      contextSpan: Span(slice.file, start..<min(start + 1, slice.range.upperBound)),
      isAtEnd: isFinished(from: place))
    return failure.diagnostic
  }
}
