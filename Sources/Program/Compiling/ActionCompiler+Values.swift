import CEL
import Catalog
package import Items
import Source
package import YAML

extension ActionCompiler {
  /// A value as written, read as `type`; nil when something is wrong with it, which is reported.
  ///
  /// `need` says why it may not be null; nil when it may.
  package func compile(
    _ node: Node, as type: DataType?, need: String? = nil
  ) -> CompiledValue? {
    switch node.content {
    case .scalar(let scalar): return compile(scalar, as: type, need)
    case .sequence(let nodes):
      var element: DataType?
      if case .list(let declared) = type?.unwrapped { element = declared }
      if let type, element == nil, type.unwrapped != .any {
        report("a list does not fit \(type.description)", at: node.span)
        return nil
      }
      let values = nodes.compactMap { compile($0, as: element) }
      return values.count == nodes.count ? folded(values) : nil
    case .mapping(let mapping):
      var element: DataType?
      if case .map(let declared) = type?.unwrapped { element = declared }
      if let type, element == nil, type.unwrapped != .any {
        report("a mapping does not fit \(type.description)", at: node.span)
        return nil
      }
      let values = mapping.entries.compactMap { entry in
        compile(entry.value, as: element).map { (entry.key.text, $0) }
      }
      return values.count == mapping.entries.count ? folded(values) : nil
    }
  }

  private func folded(_ entries: [(String, CompiledValue)]) -> CompiledValue {
    var constants = MapValue()
    for (key, value) in entries {
      guard case .constant(let constant) = value else { return .map(entries) }
      constants[key] = constant
    }
    return .constant(.map(constants))
  }

  private func folded(_ values: [CompiledValue]) -> CompiledValue {
    var constants: [Value] = []
    for value in values {
      guard case .constant(let constant) = value else { return .list(values) }
      constants.append(constant)
    }
    return .constant(.list(constants))
  }

  private func compile(
    _ scalar: Scalar, as type: DataType?, _ need: String?
  ) -> CompiledValue? {
    if scalar.isNull { return .constant(.null) }
    guard
      let template = collector.collecting({ () throws(Diagnostic) in
        try Template(scalar: scalar)
      })
    else { return nil }
    guard let text = template.plainText else {
      return expressions.compile(template, scopes, need: need).map(CompiledValue.template)
    }
    switch type?.unwrapped {
    case nil, .any: return .constant(scalar.style == .plain ? Self.coreSchema(text) : .string(text))
    case .string, .file, .entity, .date, .timestamp, .duration:
      // Entities are looked up, and days such as `tomorrow` known, when the step runs.
      return .constant(.string(text))
    case .list, .map:
      report(
        "text does not fit \(type?.description ?? "")", at: scalar.span,
        help: "write a list: [\(scalar.text)]")
      return nil
    case .some(let simple):
      switch LiteralReader.read(text, as: simple) {
      case .success(let value): return .constant(value)
      case .failure(let problem):
        report(problem.message, at: scalar.span, help: problem.help)
        return nil
      }
    }
  }

  private func report(_ message: String, at span: Span, help: String? = nil) {
    collector.report(Diagnostic("invalid-value", message, at: span, help: help))
  }

  /// A plain scalar of no wanted type, by YAML's core schema (YAML 1.2.2 §10.3.2).
  private static func coreSchema(_ text: String) -> Value {
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if let int = Int64(text), text.first != "+" { return .int(int) }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }), let double = Double(text),
      double.isFinite
    {
      return .double(double)
    }
    return .string(text)
  }
}
