import ForeignText

/// The XMP metadata of a document (ISO 16684-1), parsed as XML.
struct XMPData {
  private(set) var title: String?
  private(set) var author: String?
  private(set) var description: String?
  private(set) var language: String?
  private(set) var date: String?

  init(_ xml: String) {
    var scanner = MarkupScanner(xml, .xml)
    var open: [String] = []
    var text = ""
    var authors: [String] = []
    while let token = scanner.next() {
      switch token {
      case .text(let piece): text += piece
      case .start(let tag):
        if open.count < 100 { open.append(tag.name) }
        text = ""
        if tag.name == "rdf:Description" {
          date = date ?? tag["xmp:CreateDate"] ?? tag["photoshop:DateCreated"]
        }
      case .end(let name):
        let line = CleanText.line(text)
        text = ""
        if let index = open.lastIndex(of: name) { open.removeSubrange(index...) }
        guard let line else { continue }
        let isItem = name == "rdf:li"
        let property = isItem ? open.dropLast().last ?? "" : name
        switch property {
        case "dc:title": title = title ?? line
        case "dc:creator": authors.append(line)
        case "dc:description": description = description ?? line
        case "dc:language": language = language ?? line
        case "xmp:CreateDate", "photoshop:DateCreated": date = date ?? line
        default: break
        }
      case .cutOff: break
      }
    }
    author = authors.isEmpty ? nil : authors.prefix(20).joined(separator: ", ")
  }
}
