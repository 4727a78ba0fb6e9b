import AppleShortcuts
import Testing

/// The actions on texts, numbers, dates, lists and dictionaries: each converted and run, with the values
/// of Apple's documentation and the rules that public files rely on.
@Suite struct ValueActionTests {
  @Test(arguments: [
    // Texts.
    (#"[["gettext", {"WFTextActionText": "Hello"}]]"#, "Hello"),
    (#"[["gettext"]]"#, "''"),
    (
      #"[["gettext", {"WFTextActionText": "a", "UUID": "t"}], ["gettext", {"WFTextActionText": "😀‹t›b‹t›"}]]"#,
      "😀aba"
    ),
    (#"[["gettext", {"WFTextActionText": "{{ x }} and } {"}]]"#, "'{{ x }} and } {'"),
    (#"[["text.changecase", {"text": "straße der Ünion"}]]"#, "STRASSE DER ÜNION"),
    (#"[["text.changecase", {"text": "Ab CD", "WFCaseType": "lowercase"}]]"#, "ab cd"),
    (
      #"[["text.changecase", {"text": "the end of TIME", "WFCaseType": "Capitalize Every Word"}]]"#,
      "The End Of Time"
    ),
    (
      #"[["text.changecase", {"text": "the end of time", "WFCaseType": "Capitalize with Title Case"}]]"#,
      "The End of Time"
    ),
    (
      #"[["text.changecase", {"text": "ONE. two! three", "WFCaseType": "Capitalize with sentence case"}]]"#,
      "One. Two! Three"
    ),
    (
      #"[["text.changecase", {"text": "capitalize", "WFCaseType": "cApItAlIzE aLtErNaTiNg cAsE"}]]"#,
      "cApItAlIzE"
    ),
    (#"[["gettext", {"WFTextActionText": "a\nb\n\nc"}], ["text.split"]]"#, "[a, b, '', c]"),
    (#"[["gettext", {"WFTextActionText": "a\r\nb"}], ["text.split"]]"#, "[a, b]"),
    (
      #"[["gettext", {"WFTextActionText": "a b"}], ["text.split", {"WFTextSeparator": "Spaces"}]]"#,
      "[a, b]"
    ),
    (
      #"[["gettext", {"WFTextActionText": "é👨‍👩‍👧x"}], ["text.split", {"WFTextSeparator": "Every Character"}]]"#,
      "[é, 👨‍👩‍👧, x]"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a.b..c"}], ["text.split", {"WFTextSeparator": "Custom", "WFTextCustomSeparator": "."}]]"#,
      "[a, b, '', c]"
    ),
    (
      #"[["list", {"WFItems": ["a,b", "c"]}], ["text.split", {"WFTextSeparator": "Custom", "WFTextCustomSeparator": ","}]]"#,
      "[a, b, c]"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["text.combine", {"text": "=l"}]]"#,
      "\"a\\nb\""
    ),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["text.combine", {"text": "=l", "WFTextSeparator": "Custom", "WFTextCustomSeparator": ", "}]]"#,
      "'a, b'"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["text.combine", {"text": "=l", "WFTextSeparator": "Custom"}]]"#,
      "ab"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["text.combine", {"WFInput": "=l"}]]"#,
      "a b"
    ),
    (
      #"[["text.replace", {"WFInput": "a-b-c", "WFReplaceTextFind": "-", "WFReplaceTextReplace": "+"}]]"#,
      "a+b+c"
    ),
    (#"[["text.replace", {"WFInput": "a-b", "WFReplaceTextFind": "-"}]]"#, "ab"),
    (
      #"[["text.replace", {"WFInput": "A.a", "WFReplaceTextFind": "a.", "WFReplaceTextReplace": "x", "WFReplaceTextCaseSensitive": false}]]"#,
      "xa"
    ),
    (
      #"[["text.replace", {"WFInput": "John Smith", "WFReplaceTextFind": "(\\w+) (\\w+)", "WFReplaceTextReplace": "$2, $1", "WFReplaceTextRegularExpression": true}]]"#,
      "'Smith, John'"
    ),
    (
      #"[["text.replace", {"WFInput": "a1b22", "WFReplaceTextFind": "\\d+", "WFReplaceTextReplace": "\\n", "WFReplaceTextRegularExpression": true}]]"#,
      "\"a\\nb\\n\""
    ),
    (
      #"[["text.replace", {"WFInput": "<b>x</b>", "WFReplaceTextFind": "(?<=<b>).*?(?=</b>)", "WFReplaceTextReplace": "y", "WFReplaceTextRegularExpression": true}]]"#,
      "<b>y</b>"
    ),
    (
      #"[["list", {"WFItems": ["ab", "ac"], "UUID": "l"}], ["text.replace", {"WFInput": "=l", "WFReplaceTextFind": "^a", "WFReplaceTextReplace": "", "WFReplaceTextRegularExpression": true}]]"#,
      "[b, c]"
    ),
    (#"[["text.match", {"text": "a1 b22", "WFMatchTextPattern": "[0-9]+"}]]"#, "['1', '22']"),
    (
      #"[["text.match", {"text": "a1 b22", "WFMatchTextPattern": "([a-z])([0-9]+)"}]]"#, "[a1, b22]"
    ),
    (#"[["text.match", {"text": "id=7;", "WFMatchTextPattern": "(?<=id=)\\d+(?=;)"}]]"#, "['7']"),
    (
      #"[["text.match", {"text": "AB", "WFMatchTextPattern": "ab", "WFMatchTextCaseSensitive": false}]]"#,
      "[AB]"
    ),
    (
      #"[["text.match", {"text": "a1 b22", "WFMatchTextPattern": "([a-z])([0-9]+)", "UUID": "m"}], ["text.match.getgroup", {"matches": "=m", "WFGroupIndex": "2"}]]"#,
      "['1', '22']"
    ),
    (
      #"[["text.match", {"text": "a1", "WFMatchTextPattern": "([a-z])([0-9]+)", "UUID": "m"}], ["text.match.getgroup", {"matches": "=m", "WFGetGroupType": "All Groups"}]]"#,
      "[a, '1']"
    ),
    (
      #"[["gettext", {"WFTextActionText": "hello", "UUID": "t"}], ["base64encode", {"WFInput": "=t"}]]"#,
      "aGVsbG8="
    ),
    (
      #"[["gettext", {"WFTextActionText": "aGVs\r\nbG8=", "UUID": "t"}], ["base64encode", {"WFInput": "=t", "WFEncodeMode": "Decode"}]]"#,
      "hello"
    ),
    (
      #"[["gettext", {"WFTextActionText": "0123456789012345678901234567890123456789012345678901234567"}], ["base64encode"]]"#,
      "\"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2\\r\\nNw==\""
    ),
    (
      #"[["gettext", {"WFTextActionText": "0123456789012345678901234567890123456789012345678901234567"}], ["base64encode", {"WFBase64LineBreakMode": "None"}]]"#,
      "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nw=="
    ),
    (#"[["urlencode", {"WFInput": "a b/ü?"}]]"#, "a%20b%2F%C3%BC%3F"),
    (#"[["urlencode", {"WFInput": "a%20b%C3%BC", "WFEncodeMode": "Decode"}]]"#, "a bü"),
    // RFC 1321, RFC 3174, FIPS 180-4: the hashes of “abc”.
    (#"[["gettext", {"WFTextActionText": "abc"}], ["hash"]]"#, "900150983cd24fb0d6963f7d28e17f72"),
    (
      #"[["gettext", {"WFTextActionText": "abc"}], ["hash", {"WFHashType": "SHA1"}]]"#,
      "a9993e364706816aba3e25717850c26c9cd0d89d"
    ),
    (
      #"[["gettext", {"WFTextActionText": "abc"}], ["hash", {"WFHashType": "SHA256"}]]"#,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    (
      #"[["gettext", {"WFTextActionText": "abc"}], ["hash", {"WFHashType": "SHA512"}]]"#,
      "{startsWith: ddaf35a193617abacc417349ae204131, size: 128}"
    ),
    (
      #"[["detect.link", {"WFInput": "See https://a.example/x?y=1, (http://b.example) and swift.org."}]]"#,
      "['https://a.example/x?y=1', 'http://b.example', 'http://swift.org']"
    ),
    (#"[["detect.link", {"WFInput": "none here"}]]"#, "[]"),
    (
      #"[["detect.emailaddress", {"WFInput": "Ask ada@example.com or bob@b.example."}]]"#,
      "[ada@example.com, bob@b.example]"
    ),
    (
      #"[["detect.phonenumber", {"WFInput": "Call +1 (555) 010-0199 now"}]]"#,
      "['+1 (555) 010-0199']"
    ),
    (#"[["gettext", {"WFTextActionText": "a"}], ["correctspelling"]]"#, "a"),
    (
      ##"[["gettext", {"WFTextActionText": "# A"}], ["getrichtextfrommarkdown"], ["gethtmlfromrichtext"]]"##,
      "\"<h1>A</h1>\\n\""
    ),
    (
      #"[["gettext", {"WFTextActionText": "<h1>A</h1>"}], ["getrichtextfromhtml"], ["getmarkdownfromrichtext"]]"#,
      "'# A'"
    ),
    (#"[["gettext", {"WFTextActionText": "a"}], ["detect.text"]]"#, "a"),
    (
      #"[["gettext", {"WFTextActionText": "abc", "UUID": "t"}], ["setitemname", {"WFInput": "=t", "WFName": "n.txt", "UUID": "n"}], ["getitemname", {"WFInput": "=n"}]]"#,
      "n.txt"
    ),
    (#"[["number", {"WFNumberActionNumber": 3}], ["getitemtype"]]"#, "Number"),
    (#"[["dictionary"], ["getitemtype"]]"#, "Dictionary"),
  ])
  func textActions(actions: String, output: String) throws {
    let problems = try SampleShortcut(actions).problems("expect: {output: \(output)}")
    #expect(problems == [])
  }

  @Test(arguments: [
    (#"[["number", {"WFNumberActionNumber": "42"}]]"#, "42"),
    (#"[["number"]]"#, "0"),
    (#"[["number", {"WFNumberActionNumber": "0.10"}]]"#, "0.1"),
    (#"[["gettext", {"WFTextActionText": "02.Unsplash"}], ["detect.number"]]"#, "2"),
    (#"[["gettext", {"WFTextActionText": "none"}], ["detect.number"]]"#, "0"),
    (#"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperand": 2}]]"#, "9"),
    (
      #"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperation": "-", "WFMathOperand": 2}]]"#,
      "5"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperation": "×", "WFMathOperand": "2"}]]"#,
      "14"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperation": "÷", "WFMathOperand": 2}]]"#,
      "3.5"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "Modulus", "WFScientificMathOperand": 4}]]"#,
      "3"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 7}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "x^2"}]]"#,
      "49"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 2}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "x^y", "WFScientificMathOperand": "10"}]]"#,
      "1024"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 9}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "√x"}]]"#,
      "3"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 27}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "∛x"}]]"#,
      "3"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 5}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "x!"}]]"#,
      "120"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 0}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "e^x"}]]"#,
      "1"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 1000}], ["math", {"WFMathOperation": "…", "WFScientificMathOperation": "log(x)"}], ["round"]]"#,
      "3"
    ),
    (
      #"[["number", {"WFNumberActionNumber": "0.1"}], ["math", {"WFMathOperand": "0.2"}], ["detect.text"]]"#,
      "'0.3'"
    ),
    (#"[["calculateexpression", {"Input": "3 × (4 + 5) − 2^3"}]]"#, "19"),
    (#"[["calculateexpression", {"Input": "2(3)+sqrt(16)/2"}]]"#, "8"),
    (#"[["round", {"WFInput": "2.5"}]]"#, "3"),
    (#"[["round", {"WFInput": "-2.5"}]]"#, "-3"),
    (#"[["round", {"WFInput": "2.1", "WFRoundMode": "Always Round Up"}]]"#, "3"),
    (#"[["round", {"WFInput": "2.9", "WFRoundMode": "Always Round Down"}]]"#, "2"),
    (#"[["round", {"WFInput": "3.14159", "WFRoundTo": "Hundredths"}]]"#, "3.14"),
    (#"[["round", {"WFInput": "3.14159", "WFRoundTo": "Ten Thousandths"}]]"#, "3.1416"),
    (#"[["round", {"WFInput": "1234", "WFRoundTo": "Hundreds Place"}]]"#, "1200"),
    (
      #"[["round", {"WFInput": "3.14159", "WFRoundType": "Right of Decimal", "WFRoundDecimalPlaces": 3}]]"#,
      "3.142"
    ),
    (#"[["number.random", {"WFRandomNumberMinimum": 3, "WFRandomNumberMaximum": 3}]]"#, "3"),
    (
      #"[["number.random", {"WFRandomNumberMinimum": 1, "WFRandomNumberMaximum": 6}]]"#,
      "{where: self >= 1 && self <= 6}"
    ),
    (
      #"[["number", {"WFNumberActionNumber": "1234567.891"}], ["format.number"]]"#, "'1,234,567.89'"
    ),
    (
      #"[["number", {"WFNumberActionNumber": "5"}], ["format.number", {"WFNumberFormatDecimalPlaces": 0}]]"#,
      "'5'"
    ),
    (#"[["number", {"WFNumberActionNumber": "1500000"}], ["format.filesize"]]"#, "1.5 MB"),
    (#"[["list", {"WFItems": ["1", "2", "6"]}], ["statistics"]]"#, "3"),
    (
      #"[["list", {"WFItems": ["1", "2", "6"]}], ["statistics", {"WFStatisticsOperation": "Sum"}]]"#,
      "9"
    ),
    (
      #"[["list", {"WFItems": ["1", "2", "6"]}], ["statistics", {"WFStatisticsOperation": "Minimum"}]]"#,
      "1"
    ),
    (
      #"[["list", {"WFItems": ["1", "2", "6"]}], ["statistics", {"WFStatisticsOperation": "Maximum"}]]"#,
      "6"
    ),
    (
      #"[["list", {"WFItems": ["1", "2", "6", "3"]}], ["statistics", {"WFStatisticsOperation": "Median"}]]"#,
      "2.5"
    ),
    (
      #"[["list", {"WFItems": ["1", "2", "2"]}], ["statistics", {"WFStatisticsOperation": "Mode"}]]"#,
      "2"
    ),
    (
      #"[["list", {"WFItems": ["1", "2", "6"]}], ["statistics", {"WFStatisticsOperation": "Range"}]]"#,
      "5"
    ),
    (
      #"[["list", {"WFItems": ["2", "4", "6"]}], ["statistics", {"WFStatisticsOperation": "Standard Deviation"}]]"#,
      "2"
    ),
    (
      #"[["measurement.create", {"WFMeasurementUnit": {"Value": {"Magnitude": "5", "Unit": "km"}, "WFSerializationType": "WFQuantityFieldValue"}, "UUID": "m"}], ["measurement.convert", {"WFInput": "=m", "WFMeasurementUnit": {"WFNSUnitSymbol": "m", "WFNSUnitType": "Length"}}]]"#,
      "5000 m"
    ),
    (
      #"[["measurement.create", {"WFMeasurementUnit": {"Value": {"Magnitude": "100", "Unit": "°C"}, "WFSerializationType": "WFQuantityFieldValue"}, "UUID": "m"}], ["measurement.convert", {"WFInput": "=m", "WFMeasurementUnit": {"WFNSUnitSymbol": "°F", "WFNSUnitType": "Temperature"}}]]"#,
      "212 °F"
    ),
    // The clock of a test is 1 January 2026 at 9:00, a Thursday, in UTC.
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Custom", "WFDateFormat": "yyyy-MM-dd EEEE"}]]"#,
      "2026-01-01 Thursday"
    ),
    (#"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›"}]]"#, "'1/1/26, 9:00 AM'"),
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Medium", "WFTimeFormatStyle": "None"}]]"#,
      "'Jan 1, 2026'"
    ),
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Long", "WFTimeFormatStyle": "Short"}]]"#,
      "'January 1, 2026 at 9:00 AM'"
    ),
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "None", "WFTimeFormatStyle": "Short"}]]"#,
      "9:00 AM"
    ),
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "ISO 8601", "WFISO8601IncludeTime": true}]]"#,
      "'2026-01-01T09:00:00Z'"
    ),
    (
      #"[["date", {"UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "RFC 2822"}]]"#,
      "'Thu, 01 Jan 2026 09:00:00 +0000'"
    ),
    (#"[["date"], ["detect.text"]]"#, "'Jan 1, 2026 at 9:00 AM'"),
    (
      #"[["date", {"WFDateActionMode": "Specified Date", "WFDateActionDate": "January 1 1970 12am", "UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Custom", "WFDateFormat": "yyyy-MM-dd HH:mm"}]]"#,
      "'1970-01-01 00:00'"
    ),
    (
      #"[["date", {"WFDateActionMode": "Specified Date", "WFDateActionDate": "1970年1月1日", "UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Custom", "WFDateFormat": "yyyy-MM-dd"}]]"#,
      "'1970-01-01'"
    ),
    (
      #"[["gettext", {"WFTextActionText": "2026-03-05"}], ["detect.date"], ["format.date", {"WFDateFormatStyle": "Custom", "WFDateFormat": "d MMM"}]]"#,
      "5 Mar"
    ),
    (
      #"[["adjustdate", {"WFDate": "‹now›", "WFDuration": {"Value": {"Magnitude": "1", "Unit": "months"}, "WFSerializationType": "WFQuantityFieldValue"}}], ["detect.text"]]"#,
      "'Feb 1, 2026 at 9:00 AM'"
    ),
    (
      #"[["adjustdate", {"WFDate": "‹now›", "WFAdjustOperation": "Subtract", "WFDuration": {"Value": {"Magnitude": "90", "Unit": "min"}, "WFSerializationType": "WFQuantityFieldValue"}}], ["detect.text"]]"#,
      "'Jan 1, 2026 at 7:30 AM'"
    ),
    (
      #"[["adjustdate", {"WFDate": "‹now›", "WFAdjustOperation": "Get Start of Day"}], ["detect.text"]]"#,
      "'Jan 1, 2026 at 12:00 AM'"
    ),
    (
      #"[["gettimebetweendates", {"WFInput": "2026-01-02 09:00", "WFTimeUntilFromDate": "2026-01-01 09:00"}]]"#,
      "1440"
    ),
    (
      #"[["gettimebetweendates", {"WFInput": "2026-01-01", "WFTimeUntilFromDate": "2026-01-11", "WFTimeUntilUnit": "Days"}]]"#,
      "-10"
    ),
    (
      #"[["gettimebetweendates", {"WFInput": "2027-03-01", "WFTimeUntilFromDate": "2026-01-15", "WFTimeUntilUnit": "Months"}]]"#,
      "13"
    ),
  ])
  func numberAndDateActions(actions: String, output: String) throws {
    let problems = try SampleShortcut(actions).problems("expect: {output: \(output)}")
    #expect(problems == [])
  }

  private static let dictionary =
    #"["dictionary", {"UUID": "d", "WFItems": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 0, "WFKey": "a", "WFValue": "x"}, {"WFItemType": 3, "WFKey": "n", "WFValue": "5"}, {"WFItemType": 2, "WFKey": "l", "WFValue": {"Value": ["p", "q"]}}, {"WFItemType": 1, "WFKey": "d", "WFValue": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 4, "WFKey": "t", "WFValue": {"Value": true, "WFSerializationType": "WFNumberSubstitutableState"}}]}}}]}, "WFSerializationType": "WFDictionaryFieldValue"}}]"#

  @Test(arguments: [
    (#"[["list", {"WFItems": ["a", "b"]}]]"#, "[a, b]"),
    (#"[["list"]]"#, "[]"),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["list", {"WFItems": [{"WFItemType": 0, "WFValue": "‹l›"}, "c"]}]]"#,
      "[a, b, c]"
    ),
    (#"[["list", {"WFItems": ["a", "b", "c"]}], ["getitemfromlist"]]"#, "a"),
    (
      #"[["list", {"WFItems": ["a", "b", "c"]}], ["getitemfromlist", {"WFItemSpecifier": "Last Item"}]]"#,
      "c"
    ),
    (
      #"[["list", {"WFItems": ["a", "b", "c"]}], ["getitemfromlist", {"WFItemSpecifier": "Item At Index", "WFItemIndex": "2"}]]"#,
      "b"
    ),
    (
      #"[["list", {"WFItems": ["a", "b", "c"]}], ["getitemfromlist", {"WFItemSpecifier": "Items in Range", "WFItemRangeStart": "2"}]]"#,
      "[b, c]"
    ),
    (
      #"[["list", {"WFItems": ["a", "b", "c"]}], ["getitemfromlist", {"WFItemSpecifier": "Items in Range", "WFItemRangeStart": 2, "WFItemRangeEnd": "9"}]]"#,
      "[b, c]"
    ),
    (
      #"[["list", {"WFItems": ["a"]}], ["getitemfromlist", {"WFItemSpecifier": "Random Item"}]]"#,
      "a"
    ),
    (#"[["list", {"WFItems": ["a", "b"]}], ["count"]]"#, "2"),
    (#"[["nothing"], ["count"]]"#, "0"),
    (#"[["gettext", {"WFTextActionText": "👨‍👩‍👧é"}], ["count", {"WFCountType": "Characters"}]]"#, "2"),
    (
      #"[["gettext", {"WFTextActionText": "one two, three"}], ["count", {"WFCountType": "Words"}]]"#,
      "3"
    ),
    (
      #"[["gettext", {"WFTextActionText": "One. Two! Three?"}], ["count", {"WFCountType": "Sentences"}]]"#,
      "3"
    ),
    (#"[["list", {"WFItems": ["a", "b\nc"]}], ["count", {"WFCountType": "Lines"}]]"#, "3"),
    ("[\(dictionary)]", "{equals: {a: x, n: 5, l: [p, q], d: {t: true}}}"),
    (#"[["dictionary"]]"#, "{equals: {}}"),
    ("[\(dictionary), [\"getvalueforkey\", {\"WFDictionaryKey\": \"a\"}]]", "x"),
    ("[\(dictionary), [\"getvalueforkey\", {\"WFDictionaryKey\": \"d.t\"}]]", "true"),
    ("[\(dictionary), [\"getvalueforkey\", {\"WFDictionaryKey\": \"l.1\"}]]", "p"),
    ("[\(dictionary), [\"getvalueforkey\", {\"WFDictionaryKey\": \"none\"}], [\"count\"]]", "0"),
    (
      "[\(dictionary), [\"getvalueforkey\", {\"WFGetDictionaryValueType\": \"All Keys\", \"WFDictionaryKey\": \"a\"}]]",
      "[a, n, l, d]"
    ),
    (
      "[\(dictionary), [\"getvalueforkey\", {\"WFGetDictionaryValueType\": \"All Values\"}], [\"getitemfromlist\"]]",
      "x"
    ),
    (
      "[\(dictionary), [\"setvalueforkey\", {\"WFDictionary\": \"=d\", \"WFDictionaryKey\": \"a\", \"WFDictionaryValue\": \"y\"}], [\"getvalueforkey\", {\"WFDictionaryKey\": \"a\"}]]",
      "y"
    ),
    (
      "[\(dictionary), [\"setvalueforkey\", {\"WFDictionary\": \"=d\", \"WFDictionaryKey\": \"a\", \"WFDictionaryValue\": \"y\"}], [\"getvalueforkey\", {\"WFInput\": \"=d\", \"WFDictionaryKey\": \"a\"}]]",
      "x"
    ),
    (
      #"[["setvalueforkey", {"WFDictionary": "=$new", "WFDictionaryKey": "k", "WFDictionaryValue": "v"}]]"#,
      "{equals: {k: v}}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "{\"a\": {\"b\": 1}}"}], ["detect.dictionary"], ["getvalueforkey", {"WFDictionaryKey": "a.b"}]]"#,
      "1"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a=1&b=2"}], ["detect.dictionary"], ["getvalueforkey", {"WFDictionaryKey": "b"}]]"#,
      "'2'"
    ),
    (
      #"[["gettext", {"WFTextActionText": "[{\"a\": 1}, {\"a\": 2}]"}], ["detect.dictionary"], ["getvalueforkey", {"WFDictionaryKey": "a"}]]"#,
      "[1, 2]"
    ),
    (
      #"[["gettext", {"WFTextActionText": "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>k</key><string>v</string></dict></plist>"}], ["detect.dictionary"], ["getvalueforkey", {"WFDictionaryKey": "k"}]]"#,
      "v"
    ),
    (#"[["gettext", {"WFTextActionText": "words"}], ["detect.dictionary"], ["count"]]"#, "0"),
    (
      "[\(dictionary), [\"getvalueforkey\", {\"WFInput\": \"=d\", \"WFDictionaryKey\": \"d\"}], [\"detect.text\"]]",
      "'{\"t\":true}'"
    ),
    (
      #"[["list", {"WFItems": ["b10", "a", "b9"], "UUID": "l"}], ["filter.files", {"WFContentItemInputParameter": "=l", "WFContentItemSortProperty": "Name", "WFContentItemSortOrder": "A to Z"}]]"#,
      "[a, b9, b10]"
    ),
    (
      #"[["list", {"WFItems": ["b", "a"], "UUID": "l"}], ["filter.files", {"WFContentItemInputParameter": "=l", "WFContentItemSortProperty": "Name", "WFContentItemSortOrder": "Z to A", "WFContentItemLimitEnabled": true, "WFContentItemLimitNumber": 1}]]"#,
      "[b]"
    ),
    (
      #"[["list", {"WFItems": ["b", "a"], "UUID": "l"}], ["filter.files", {"WFContentItemInputParameter": "=l", "WFContentItemSortProperty": "Random"}], ["count"]]"#,
      "2"
    ),
    (
      #"[["list", {"WFItems": ["cat", "dog"], "UUID": "l"}], ["filter.files", {"WFContentItemInputParameter": "=l", "WFContentItemFilter": {"Value": {"WFActionParameterFilterPrefix": 1, "WFActionParameterFilterTemplates": [{"Operator": 99, "Property": "Name", "Values": {"String": "og"}}]}, "WFSerializationType": "WFContentPredicateTableTemplate"}}]]"#,
      "[dog]"
    ),
    (#"[["url", {"WFURLActionURL": "https://a.example/x y"}]]"#, "https://a.example/x y"),
    (
      #"[["url", {"WFURLActionURL": ["https://a.example", "https://b.example"]}]]"#,
      "['https://a.example', 'https://b.example']"
    ),
    (
      #"[["url", {"WFURLActionURL": "https://u:p@a.example:8080/p/q?x=1#f", "UUID": "u"}], ["geturlcomponent", {"WFURL": "‹u›"}]]"#,
      "https"
    ),
    (
      #"[["geturlcomponent", {"WFURL": "https://a.example:8080/p/q?x=1#f", "WFURLComponent": "Host"}]]"#,
      "a.example"
    ),
    (
      #"[["geturlcomponent", {"WFURL": "https://a.example:8080/p/q?x=1#f", "WFURLComponent": "Path"}]]"#,
      "/p/q"
    ),
    (
      #"[["geturlcomponent", {"WFURL": "https://a.example:8080/p/q?x=1#f", "WFURLComponent": "Port"}]]"#,
      "'8080'"
    ),
    (
      #"[["geturlcomponent", {"WFURL": "https://a.example:8080/p/q?x=1#f", "WFURLComponent": "Query"}]]"#,
      "x=1"
    ),
    (
      #"[["geturlcomponent", {"WFURL": "https://a.example:8080/p/q?x=1#f", "WFURLComponent": "Fragment"}]]"#,
      "f"
    ),
  ])
  func listAndDictionaryActions(actions: String, output: String) throws {
    let problems = try SampleShortcut(actions).problems("expect: {output: \(output)}")
    #expect(problems == [])
  }
}
