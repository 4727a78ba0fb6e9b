import YAML

/// The public description of a key, for schemas and help: its name, the form of its value and a
/// summary.
package struct KeyDeclaration: Sendable {
  package let name: String
  package let form: ValueForm
  package let summary: String
  package let isRequired: Bool

  init(_ name: String, _ form: ValueForm, _ summary: String, isRequired: Bool = false) {
    self.name = name
    self.form = form
    self.summary = summary
    self.isRequired = isRequired
  }
}

/// The form of a key's value.
package indirect enum ValueForm: Sendable {
  case text, bool, int, double
  /// A name that the document chooses.
  case name(NameKind)
  /// Text with `{{ }}`.
  case template
  /// An expression, bare or in `{{ }}`.
  case expression
  /// Any value; its texts may be templates.
  case value
  /// A type.
  case type
  /// One step, or a list of them.
  case steps
  /// One of a fixed set of words.
  case choice([String])
  /// One value, or a list.
  case list(of: ValueForm)
  /// A mapping from names chosen by the document; nil for any text.
  case names(NameKind? = nil, of: ValueForm)
  /// A mapping with these keys.
  case mapping(@Sendable () -> [KeyDeclaration])
  /// One of several forms.
  case either([ValueForm])

  /// The form of a mapping that is read by a table of keys.
  static func keys<Subject>(_ keys: @escaping @Sendable () -> [Key<Subject>]) -> ValueForm {
    .mapping { keys().map(\.declaration) }
  }
}

/// A row of the table used to read a mapping: a key, and where to store its value.
///
/// These tables are the only list of keys; parsing, schemas and help all use them.
struct Key<Subject>: Sendable {
  /// The form of a value, and where to store it.
  enum Reading: Sendable {
    case text(@Sendable (inout Subject, String) -> Void)
    case texts(@Sendable (inout Subject, [Scalar]) -> Void)
    case bool(@Sendable (inout Subject, Bool) -> Void)
    case int(@Sendable (inout Subject, Int) -> Void)
    case double(@Sendable (inout Subject, Double) -> Void)
    case template(@Sendable (inout Subject, Template) -> Void)
    case templates(@Sendable (inout Subject, [Template]) -> Void)
    case expression(@Sendable (inout Subject, ExpressionSource) -> Void)
    case value(@Sendable (inout Subject, Node) -> Void)
    case scalar(@Sendable (inout Subject, Scalar) -> Void)
    /// A mapping from names to values of a form.
    case entries(
      ValueForm, named: NameKind? = nil,
      @Sendable (inout Subject, [Mapping.Entry], DiagnosticCollector) -> Void)
    /// Custom reading, also called if the key is missing.
    case other(ValueForm, @Sendable (inout Subject, inout DefinitionReader) -> Void)
    /// A key that is read together with a related key.
    case beside(ValueForm)
  }

  let name: String
  let summary: String
  let isRequired: Bool
  let reading: Reading

  init(_ name: String, _ summary: String, isRequired: Bool = false, _ reading: Reading) {
    self.name = name
    self.summary = summary
    self.isRequired = isRequired
    self.reading = reading
  }

  var declaration: KeyDeclaration {
    let form: ValueForm =
      switch reading {
      case .text, .scalar: .text
      case .entries(let form, let name, _): .names(name, of: form)
      case .texts: .list(of: .text)
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .template: .template
      case .templates: .list(of: .template)
      case .expression: .expression
      case .value: .value
      case .other(let form, _), .beside(let form): form
      }
    return KeyDeclaration(name, form, summary, isRequired: isRequired)
  }

  func read(_ reader: inout DefinitionReader, into subject: inout Subject) {
    switch reading {
    case .text(let store): reader.text(name).map { store(&subject, $0) }
    case .texts(let store): reader.scalars(name).map { store(&subject, $0) }
    case .bool(let store): reader.bool(name).map { store(&subject, $0) }
    case .int(let store): reader.int(name).map { store(&subject, $0) }
    case .double(let store): reader.double(name).map { store(&subject, $0) }
    case .template(let store): reader.template(name).map { store(&subject, $0) }
    case .templates(let store): store(&subject, reader.templates(name))
    case .expression(let store): reader.expression(name).map { store(&subject, $0) }
    case .value(let store): reader.node(name).map { store(&subject, $0) }
    case .scalar(let store): reader.scalar(name).map { store(&subject, $0) }
    case .entries(_, _, let store): store(&subject, reader.entries(name), reader.collector)
    case .other(_, let read): read(&subject, &reader)
    case .beside: break
    }
  }
}

extension DefinitionReader {
  /// Reads the keys of a table in its order.
  mutating func read<Subject>(_ keys: [Key<Subject>], into subject: inout Subject) {
    for key in keys { key.read(&self, into: &subject) }
  }
}
