import Engine
import Exchange
import Glibc
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
    case .noTemporaryFile(let folder, let code):
      self.init(
        .io, "no temporary file can be made in \(folder): \(String(cString: strerror(code)))")
    case .temporaryFile(let code):
      self.init(.io, "a temporary file can't be used: \(String(cString: strerror(code)))")
    case .store(let error):
      self.init(Code(error.languageCode), error.message)
    }
  }
}
