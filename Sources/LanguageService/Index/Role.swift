package import Catalog
package import Items
package import Program
import Source
package import YAML

/// The role of a scalar in a document.
package enum Role {
  /// A known or unknown key of a mapping with a table of keys.
  case key(of: [KeyDeclaration])
  /// A key of a step: a callee, a keyword of a block, or an option; `others` are its sibling keys.
  case stepKey(others: [String])
  /// A step of one word.
  case step
  /// The name of an argument of a verb.
  case argument(of: VerbSignature)
  /// The name of a parameter of the called definition.
  case parameter(of: ActionDefinition)
  /// The name of a property of an item; nil if the entity is unknown.
  case property(of: EntityDefinition?)
  /// The name of the document's definition.
  case definitionName(Definition.Kind)
  /// A name chosen by the document.
  case newName(NameKind)
  /// A variable that is given a value.
  case assigned
  /// One of a few words.
  case choice([String])
  /// A type, in which entities may be named.
  case type
  /// The name of an entity.
  case entity
  /// The name of an intent or a shortcut.
  case action
  /// A property with `-` before it or not.
  case sortKey(of: EntityDefinition?)
  /// An expression.
  case expression
  /// A value, which may be a template; its type where that is known.
  case value(DataType?)
  /// Verbatim text.
  case text

  /// The kinds of names chosen by a document.
  package enum NameKind: Sendable {
    case parameter, property, variable, result, loop, other
  }
}

/// A scalar with its role.
package struct Site {
  package let scalar: Scalar
  package let role: Role
  /// The mapping whose key it is; nil for a value.
  package let mapping: Mapping?
  /// The value of a key; nil for a value.
  package let value: Node?
  /// The name of the definition that it belongs to.
  package let definition: String
}
