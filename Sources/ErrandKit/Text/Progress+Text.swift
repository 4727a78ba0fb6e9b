import CEL
package import Engine
import Program

extension Progress {
  /// The label, the amount done, the rate and the remaining time, on one line.
  ///
  /// - Parameter rate: The amount done per second; nil if unknown.
  package func text(rate: Double?) -> String {
    var parts = [label].compactMap { $0 }
    func plain(_ number: Double) -> String {
      number == number.rounded() && abs(number) < 1e15
        ? Int(number).grouped : String((number * 10).rounded() / 10)
    }
    func left(_ seconds: Double) -> String {
      let duration = DurationValue(seconds: Int64(min(max(seconds.rounded(), 0), 1e9)))
      return "\(DurationText.text(for: duration)) left"
    }
    switch unit {
    case .seconds: parts.append("waiting, " + left((total ?? 0) - done))
    case .items:
      parts.append(total.map { "\(plain(done)) of \(plain($0))" } ?? plain(done))
      if let rate, rate > 0 {
        parts.append("\(plain(rate < 10 ? rate : rate.rounded()))/s")
        if let total { parts.append(left((total - done) / rate)) }
      }
    }
    return parts.joined(separator: "  ")
  }
}
