/// The properties common to items: given name, file, date, dictionary, address.
enum ItemProperties {
  /// The fields of vCards by the names of Apple's properties.
  static let contactFields = [
    "Phone Number": "TEL", "Phone Numbers": "TEL", "Email Address": "EMAIL",
    "Email Addresses": "EMAIL", "URL": "URL", "URLs": "URL", "Notes": "NOTE", "Company": "ORG",
    "Job Title": "TITLE", "Nickname": "NICKNAME", "Birthday": "BDAY", "Address": "ADR",
    "Street Address": "ADR", "Street Addresses": "ADR",
  ]

  /// A property as an expression; nil if it is unknown.
  static func value(_ name: String, of code: Code, _ t: inout Translation) -> Code? {
    let traits = t.traits(code)
    let isFile = traits?.isFile ?? false
    switch name {
    case "Name", "Title", "Full Name":
      if let given = traits?.itemName { return given }
      switch traits?.form {
      case .file?, .media?: return .cel("\(code.asText).stem()", .text)
      case .contact?: return .cel("contactNames(\(code))", .texts)
      case .page?, .article?: return .cel("valueFor(\(code), \"title\")", .any)
      default: return code.asText
      }
    case "File Size", "Creation Date", "Last Modified Date":
      return isFile ? FileActions.knownProperty(name, of: code, &t) : nil
    case "Width", "Height", "Orientation", "Date Taken":
      return traits?.form == .media ? ImageActions.property(name, of: code, &t) : nil
    case let name where traits?.form == .contact && contactFields[name] != nil:
      return .cel("contactField(\(code), \(.text(contactFields[name] ?? name)))", .texts)
    case "Keys": return .cel("keysOf(\(code))", .texts)
    case "Values": return .cel("valuesOf(\(code))", .list)
    case "File Extension": return .cel("\((traits?.itemName ?? code).asText).extension()", .text)
    case "File Path": return code.asText
    case "Host", "Scheme", "Path", "Query", "Fragment", "Port":
      return .cel("urlPart(\(code), \(.text(name.lowercased())))", .text)
    case "URL", "Link", "Page URL": return t.address(code).asText
    case let name
    where WebActions.articleKeys[name] != nil
      && (traits?.form == .page || traits?.form == .article):
      return .cel("valueFor(\(code), \(.text(WebActions.articleKeys[name] ?? name)))", .any)
    case "Year", "Month", "Day", "Hour", "Minute", "Second":
      let patterns = [
        "Year": "y", "Month": "M", "Day": "d", "Hour": "H", "Minute": "m", "Second": "s",
      ]
      return .cel("\(code.asDate).format(\(.text(patterns[name] ?? "y")))", .text)
    case "Number of Words": return .cel("size(\(code.asText).words())", .integer)
    default: return nil
    }
  }
}
