import CEL
import Catalog
import Engine
import Items
import Program
import Source
import YAML

/// A word such as `title=Swift`, `status:open` or `due<today`, which compares a property.
struct FieldWord {
  let name: String
  let sign: String
  let value: String
  /// The property; nil for the moments that each item has.
  private let property: EntityDefinition.Property?
  private let type: DataType?
  /// The value as a date; nil for other texts.
  private let day: String?
  private let entity: EntityDefinition

  /// Parses a word; nil if it has another form.
  init?(_ word: String, of entity: EntityDefinition, _ run: Run) {
    name = String(word.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    sign = String(word.dropFirst(name.count).prefix { "=<>!:".contains($0) })
    value = word.dropFirst(name.count + sign.count).filter { $0 != "\"" }
    guard name.first?.isLetter == true, !value.isEmpty, value.first != "/",
      [":", "=", "==", "!=", "<", "<=", ">", ">="].contains(sign)
    else { return nil }
    self.entity = entity
    property = entity.property(name) ?? entity.property(name + "s")
    let isMoment = ["createdAt", "updatedAt"].contains(name)
    type = isMoment ? .timestamp : property?.type.unwrapped
    // Few words are compared with a date, whose reading takes the words of a language.
    day =
      type?.isTime ?? false
      ? DateReader(now: run.host.now(), clock: run.host.clock).date(value)?.iso8601 : nil
  }

  private var isOn: Bool {
    if case .success(.bool(let isOn)) = LiteralReader.read(value, as: .bool) { isOn } else { false }
  }

  /// The expression it stands for; nil without such a property.
  var condition: String? {
    guard let type else { return nil }
    let comparison = ["=", ":"].contains(sign) ? "==" : sign
    let own = property?.name.text ?? name
    return switch type {
    case .list: sign == "!=" ? "!(\"\(value)\" in \(own))" : "\"\(value)\" in \(own)"
    case .bool: "\(own) \(comparison) \(isOn)"
    case .int, .double: "\(own) \(comparison) \(value)"
    case .when where comparison == "==": "\(own).day() == date(\"\(day ?? value)\")"
    case .date, .when, .timestamp: "\(own) \(comparison) date(\"\(day ?? value)\")"
    default: "\(own) \(comparison) \"\(value)\""
    }
  }

  /// Advice for a search that found nothing by it; nil if the search understands it.
  ///
  /// - Parameter find: The beginning of the command line.
  func help(_ find: String) -> String? {
    if case .enumeration(let values)? = type, !values.contains(value) {
      let list = values.joined(separator: ", ")
      return "`\(name)` is one of \(list)"
        + (Suggestion.nearest(to: value, in: values).map { ": write \(find)\(name):\($0)" } ?? "")
    }
    if sign == ":" {
      if let day, type?.hasDays ?? false {
        return day == value ? nil : "write the date: \(find)\(name):\(day)"
      }
      if type != nil || ["before", "after"].contains(name) { return nil }
    }
    if let condition {
      return "to filter by a property: \(find)--where \(condition.quotedForShell)"
    }
    let names = entity.properties.map(\.name.text)
    return "\(entity.name.text) has no property `\(name)`"
      + (Suggestion.help(for: name, in: names).map { ": \($0)" } ?? "")
  }

  /// Rejects a condition with a single `=` and a text without quotes.
  static func expectExpression(_ filter: String?, of entity: EntityDefinition?, _ run: Run) throws {
    guard let filter, let entity,
      let word = FieldWord(filter.replacing(" = ", with: "="), of: entity, run), word.sign == "=",
      word.value.allSatisfy({ $0.isLetter || $0.isNumber || "-_. ".contains($0) }),
      let condition = word.condition
    else { return }
    throw UsageError(
      "--where takes an expression, and “\(filter.shortened)” is none",
      help: "write --where \(condition.quotedForShell)")
  }
}
