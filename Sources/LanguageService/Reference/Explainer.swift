import CEL
package import Catalog
import Items
package import Program
import YAML

/// Writes help on definitions and the language as Markdown.
package struct Explainer {
  package let context: CompilationContext

  package init(_ context: CompilationContext) { self.context = context }

  // MARK: Definitions

  /// An intent, a shortcut or an automation.
  package func text(of action: ActionDefinition) -> String {
    var lines = ["**\(action.displayTitle)** (\(action.kind.rawValue) `\(action.name.text)`)"]
    if let description = action.description { lines += ["", description] }
    let parameters = action.allParameters.filter { !$0.isTrigger }
    if !parameters.isEmpty { lines.append("") }
    for parameter in parameters { lines.append("- " + line(of: parameter)) }
    if let returns = action.returns { lines += ["", "Returns `\(returns.description)`."] }
    if !action.phrases.isEmpty {
      let phrases = action.phrases.map { "“\($0.text)”" }.joined(separator: ", ")
      lines += ["", phrases]
    }
    return lines.joined(separator: "\n")
  }

  private func line(of parameter: ParameterDefinition) -> String {
    "`\(parameter.name.text)`: `\(parameter.type.description)`\(values(of: parameter.type))"
      + (parameter.isRequired ? ", required" : "")
      + (parameter.description ?? parameter.title).map { " – \($0)" }.orEmpty
  }

  private func values(of type: DataType) -> String {
    guard case .enumeration(let values) = type.unwrapped, !values.isEmpty else { return "" }
    return " (\(values.map { "`\($0)`" }.joined(separator: ", ")))"
  }

  /// A parameter.
  package func text(of parameter: ParameterDefinition) -> String { line(of: parameter) }

  /// An entity.
  package func text(of entity: EntityDefinition) -> String {
    var lines = ["**\(entity.name.text)** (entity)"]
    if let description = entity.description { lines += ["", description] }
    lines.append("")
    for property in entity.properties { lines.append("- " + text(of: property)) }
    return lines.joined(separator: "\n")
  }

  /// A property of an entity.
  package func text(of property: EntityDefinition.Property) -> String {
    "`\(property.name.text)`: `\(property.type.description)`\(values(of: property.type))"
      + (property.description ?? property.title).map { " – \($0)" }.orEmpty
  }

  /// Help on the definition with a name; nil if there is none.
  package func text(ofDefinition name: String) -> String? {
    if let action = (try? context.catalog.action(name)) ?? context.catalog.partialAction(name) {
      return text(of: action)
    }
    return ((try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name))
      .map { text(of: $0) }
  }

  // MARK: The language

  /// A verb.
  package func text(of verb: VerbSignature) -> String {
    var lines = ["**\(verb.name)** (verb)"]
    if let text = ReferencePages.verb(verb.name) {
      if !text.arguments.isEmpty { lines += ["", text.arguments] }
      lines += ["", "Value: \(text.value)"]
    } else if !verb.arguments.isEmpty {
      lines.append("")
      for argument in verb.arguments { lines.append("- " + self.text(of: argument, of: verb)) }
    }
    return lines.joined(separator: "\n")
  }

  /// An argument of a verb.
  package func text(of argument: ArgumentDeclaration, of verb: VerbSignature) -> String {
    "`\(argument.name)`: \(argument.kind.wording)" + (argument.isRequired ? ", required" : "")
  }

  /// A key.
  package func text(of key: KeyDeclaration) -> String {
    "`\(key.name)`: \(key.form.wording)" + (key.isRequired ? ", required" : "")
      + " – \(key.summary)"
  }

  /// The text for a block: its first key as the heading, then all its keys.
  package func text(ofBlock keys: [KeyDeclaration]) -> String {
    (["**\(keys[0].name)** (block)", ""] + keys.map { "- " + text(of: $0) }).joined(separator: "\n")
  }

  /// The text for a function with its forms and examples; nil if the function is unknown.
  package func text(ofFunction name: String) -> String? {
    var forms = context.environment.functions(named: name).map { "\($0.signature) → \($0.result)" }
    let macros = context.environment.macroForms.filter { $0.name == name }
    forms += macros.map { "\($0.form) → \($0.summary)" }
    if forms.isEmpty { return nil }
    var seen: Set<String> = []
    forms = forms.filter { seen.insert($0).inserted }
    var lines = ["```", forms.joined(separator: "\n"), "```"]
    if let text = ReferencePages.function(name) { lines += ["", text] }
    let examples = ReferencePages.examples(of: name)
    if !examples.isEmpty { lines += ["", "```cel", examples.joined(separator: "\n"), "```"] }
    return lines.joined(separator: "\n")
  }
}

extension ValueForm {
  /// The form in a few words.
  var wording: String {
    switch self {
    case .text: "text"
    case .name: "a name"
    case .bool: "`true` or `false`"
    case .int: "a whole number"
    case .double: "a number"
    case .template: "text with `{{ }}`"
    case .expression: "an expression"
    case .value: "a value"
    case .type: "a type"
    case .steps: "steps"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let form): "\(form.wording), or a list"
    case .names: "a mapping from names"
    case .mapping: "a mapping"
    case .either(let forms): forms.map(\.wording).joined(separator: ", or ")
    }
  }
}

extension ArgumentKind {
  /// The kind in a few words.
  var wording: String {
    switch self {
    case .value(let type): "`\(type.description)`"
    case .literal: "text without `{{ }}`"
    case .filter: "an expression over `self`"
    case .itemTemplate: "a template over `self`"
    case .entityName: "the name of an entity"
    case .typeName: "a type"
    case .actionName: "the name of an intent or a shortcut"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .fields: "a mapping from names to values"
    case .sortKeys: "a property, or a list of them"
    }
  }
}

extension String? {
  /// The text, or none.
  var orEmpty: String { self ?? "" }
}
