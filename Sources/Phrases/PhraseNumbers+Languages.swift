extension PhraseNumbers {
  /// The numbers below a hundred in a language; empty for one that is not known.
  package static func words(of language: String) -> [String: Double] {
    switch language {
    case "en": lowEnglish
    case "de": german
    case "fr": french
    case "es": spanish
    case "ja": japanese
    default: [:]
    }
  }

  private static func numbered(_ words: String) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for (number, forms) in words.split(separator: " ").enumerated() {
      for form in forms.split(separator: "/") { numbers[String(form)] = Double(number) }
    }
    return numbers
  }

  private static let german: [String: Double] = {
    var numbers = numbered(
      "null ein/eins/eine/einen zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf "
        + "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn")
    let units = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
    let tens = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
    for (index, ten) in tens.split(separator: " ").enumerated() {
      let value = Double(20 + index * 10)
      numbers[String(ten)] = value
      for (unit, word) in units.enumerated() {
        numbers["\(word)und\(ten)"] = value + Double(unit + 1)
      }
    }
    return numbers
  }()

  private static let french: [String: Double] = {
    var numbers = numbered(
      "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
        + "seize dix-sept dix-huit dix-neuf")
    let low = numbers
    for (ten, value, last) in [
      ("vingt", 20.0, 9.0), ("trente", 30, 9), ("quarante", 40, 9), ("cinquante", 50, 9),
      ("soixante", 60, 19), ("quatre-vingt", 80, 19),
    ] {
      numbers[ten == "quatre-vingt" ? "quatre-vingts" : ten] = value
      for (word, unit) in low where unit > 0 && unit <= last {
        numbers["\(ten)-\(word)"] = value + unit
        if unit == 1 || unit == 11, value < 80 { numbers["\(ten) et \(word)"] = value + unit }
      }
    }
    return numbers
  }()

  private static let spanish: [String: Double] = {
    var numbers = numbered(
      "cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
        + "quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna "
        + "veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho "
        + "veintinueve")
    let low = numbers
    let tens = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
    for (index, ten) in tens.split(separator: " ").enumerated() {
      let value = Double(30 + index * 10)
      numbers[String(ten)] = value
      for (word, unit) in low where unit > 0 && unit < 10 {
        numbers["\(ten) y \(word)"] = value + unit
      }
    }
    return numbers
  }()

  private static let japanese: [String: Double] = {
    var numbers: [String: Double] = ["零": 0, "ゼロ": 0]
    let digits = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"]
    for number in 1...99 {
      let (ten, unit) = (number / 10, number % 10)
      let word = (ten > 1 ? digits[ten] : "") + (ten > 0 ? "十" : "") + digits[unit]
      numbers[word] = Double(number)
    }
    for (number, word) in ["ひと", "ふた", "みっ", "よっ", "いつ", "むっ", "なな", "やっ", "ここの"].enumerated() {
      numbers[word] = Double(number + 1)
    }
    return numbers
  }()
}
