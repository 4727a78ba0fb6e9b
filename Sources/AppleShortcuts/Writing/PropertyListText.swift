package import CEL
import JSON

/// Property lists in XML.
package enum PropertyListText {
  /// The property list of a value: maps, lists, texts, numbers, Booleans and bytes.
  package static func xml(of value: Value) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    write(value, 0, to: &text)
    return text + "</plist>\n"
  }

  private static func write(_ value: Value, _ depth: Int, to text: inout String) {
    let indent = String(repeating: "\t", count: depth)
    switch value {
    case .map(let map):
      if map.isEmpty {
        text += indent + "<dict/>\n"
        return
      }
      text += indent + "<dict>\n"
      for entry in map.entries {
        text += "\(indent)\t<key>\(escaped(entry.key.text))</key>\n"
        write(entry.value, depth + 1, to: &text)
      }
      text += indent + "</dict>\n"
    case .list(let values):
      if values.isEmpty {
        text += indent + "<array/>\n"
        return
      }
      text += indent + "<array>\n"
      for value in values { write(value, depth + 1, to: &text) }
      text += indent + "</array>\n"
    case .int(let number): text += "\(indent)<integer>\(number)</integer>\n"
    case .double(let number): text += "\(indent)<real>\(number)</real>\n"
    case .bool(let flag): text += indent + (flag ? "<true/>\n" : "<false/>\n")
    case .bytes(let bytes): text += "\(indent)<data>\(Base64.encode(bytes))</data>\n"
    case .timestamp(let moment): text += "\(indent)<date>\(moment.jsonText)</date>\n"
    case .string(let string): text += "\(indent)<string>\(escaped(string))</string>\n"
    default: text += indent + "<string></string>\n"
    }
  }

  /// A text without the characters that XML does not allow.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      default:
        if scalar.value >= 0x20, scalar.value & 0xFFFE != 0xFFFE {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
