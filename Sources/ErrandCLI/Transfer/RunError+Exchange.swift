import Engine
import Exchange
import Glibc
import Source
import Store

extension RunError {
  /// Words for why an import or an export ended.
  ///
  /// - Parameter file: what the file is called.
  init(_ error: ExchangeError, file: String = "the file") {
    switch error {
    case .compressed:
      self.init(
        .invalidValue, "\(file) is compressed", help: "gzip -dc FILE | errand import -")
    case .archive:
      self.init(
        .invalidValue, "\(file) is an archive", help: "unpack it and import the files in it")
    case .tooLarge(let bytes):
      self.init(.invalidValue, "\(file) is larger than \(bytes >> 20) MiB")
    case .empty:
      self.init(.invalidValue, "the file is empty: \(file)")
    case .notText:
      self.init(
        .invalidValue, "\(file) is not a text file",
        help: "import reads JSON Lines, CSV, and the bookmarks of browsers and services")
    case .yaml:
      self.init(
        .invalidValue,
        "\(file): this looks like YAML; import reads JSON Lines, CSV, and the bookmarks of browsers "
          + "and services",
        help: "--from names a format")
    case .nothing(let format, let likely):
      self.init(
        .invalidValue,
        "\(file) holds no bookmarks in the form \(format); it looks like \(likely)",
        help: "leave --from out to find out")
    case .unknownFormat(let name):
      self.init(
        .invalidValue, "there is no format “\(name)”",
        help: Suggestion.help(for: name, in: ImportFormat.names))
      isUsage = true
    case .noDatabase:
      self.init(
        .invalidValue, "\(file) is no database of Firefox", help: "leave --from out to find out")
    case .database(let reason):
      self.init(.invalidValue, "\(file) can't be read: \(reason)")
    case .noAddress(let entity):
      self.init(
        .invalidValue, "a \(entity) has no address, which this format needs",
        help: "use --to csv or --to jsonl")
      isUsage = true
    case .noTemporaryFile(let folder, let code):
      self.init(
        .io, "no temporary file can be made in \(folder): \(String(cString: strerror(code)))")
    case .temporaryFile(let code):
      self.init(.io, "a temporary file can't be used: \(String(cString: strerror(code)))")
    case .store(let error):
      self.init(
        Code(error.languageCode), error.message, remedy: error.remedy.map(Remedy.store))
    }
  }
}
