package import Engine
package import Exchange
import Glibc
import Source
import Store

extension RunError {
  /// Creates the error for a failed import or export.
  ///
  /// - Parameter file: Name of the file in messages.
  package init(_ error: ExchangeError, file: String = "the file") {
    switch error {
    case .store(let error):
      self.init(Code(error.languageCode), error.message, remedy: error.remedy.map(Remedy.store))
    case .noTemporaryFile(let folder, let code):
      self.init(
        .io, "cannot create a temporary file in \(folder): \(String(cString: strerror(code)))")
    case .temporaryFile(let code):
      self.init(.io, "cannot use a temporary file: \(String(cString: strerror(code)))")
    default:
      let words = error.words(file)
      self.init(.invalidValue, words.message, help: words.help)
      switch error {
      case .unknownFormat, .unfit: isUsage = true
      default: break
      }
    }
  }
}

extension ExchangeError {
  /// Returns the message and help for an invalid file or request.
  fileprivate func words(_ file: String) -> (message: String, help: String?) {
    let readable =
      "import reads JSON Lines, CSV, calendars, and the bookmarks of browsers and services"
    return switch self {
    case .compressed: ("\(file) is compressed", "gzip -dc FILE | errand import -")
    case .archive: ("\(file) is an archive", "unpack it and import the files in it")
    case .tooLarge(let bytes): ("\(file) is larger than \(bytes >> 20) MiB", nil)
    case .empty: ("the file is empty: \(file)", nil)
    case .notText: ("\(file) is not a text file", readable)
    case .yaml: ("\(file): this looks like YAML; \(readable)", "--from names a format")
    case .other(let kind): ("\(file) is \(kind.words.noun)", kind.words.command)
    case .unknown: ("\(file) is not in a known format", readable + "; --from names one")
    case .nothing(let format, let likely):
      (
        "\(file) contains no \(format == "ical" ? "calendar" : "bookmarks") in the format \(format); it looks like \(likely)",
        "omit --from to detect the format"
      )
    case .unknownFormat(let name):
      ("unknown format “\(name)”", Suggestion.help(for: name, in: ImportFormat.names))
    case .noDatabase: ("\(file) is not a Firefox database", "omit --from to detect the format")
    case .database(let reason): ("\(file) cannot be read: \(reason)", nil)
    case .unfit(let entity, let need):
      ("a \(entity) has no \(need), which this format needs", "use --to csv or --to jsonl")
    case .noTemporaryFile, .temporaryFile, .store: ("\(self)", nil)
    }
  }
}
