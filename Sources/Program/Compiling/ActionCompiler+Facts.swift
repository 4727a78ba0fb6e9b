import CEL
import Catalog
import Items

/// What is known of values: the parts that are not null.
extension ActionCompiler {
  /// Non-null facts about a step's result, to follow its name; `@` is each element of a list.
  func facts(of kind: CompiledStep.Kind) -> Set<String> {
    guard case .verb(let call) = kind else { return [] }
    if let value = call.givenValue { return elementFacts(of: value) }
    // What was chosen from a list is one of its elements, or several.
    if case .ask = call.verb.effect, let first = call.verb.arguments.first, first.role == .items,
      case .value(let list, _, _)?? = call.arguments.first
    {
      let facts = elementFacts(of: list).filter { $0.hasPrefix("@") }
      if case .list? = call.verb.resultType.of(call)?.unwrapped { return facts }
      return Set(facts.compactMap { $0 == "@" ? nil : String($0.dropFirst()) })
    }
    if let use = call.verb.properties?.use {
      // A conflict may give an item that exists, as it is.
      let isFound = zip(call.verb.arguments, call.arguments).contains {
        $0.name == "onConflict" && $1 != nil
      }
      if use == .creation, isFound { return [] }
      for case .fields(let fields)? in call.arguments {
        return Set(fields.lazy.filter(\.value.isNeverNull).map { "." + $0.name })
      }
    }
    guard case .read = call.verb.effect else { return [] }
    let root: String
    switch call.verb.resultType.of(call)?.unwrapped {
    case .list?: root = "@"
    case .entity?: root = ""
    default: return []
    }
    for case .filter(let condition, _)? in call.arguments {
      let facts = condition.checked?.whenTrue ?? []
      return Set(facts.compactMap { $0.hasPrefix("self.") ? "\(root)\($0.dropFirst(4))" : nil })
    }
    return []
  }

  /// Non-null facts about each element of a list, with `@` for the element.
  func elementFacts(of list: CompiledValue?) -> Set<String> {
    guard case .template(let template)? = list, let lone = template.lone else { return [] }
    if let name = lone.source.text.names.first, lone.source.text == name {
      return scopes.flowFacts.elementFacts(of: name)
    }
    return lone.checked?.elements ?? []
  }
}
