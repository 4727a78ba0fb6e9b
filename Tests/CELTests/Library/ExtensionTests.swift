import Testing

@testable import CEL

/// The examples of the extensions' documentation; the conformance suite has more.
@Suite struct ExtensionTests {
  @Test(arguments: [
    "[1, 2, 2, 3, 3, 3].distinct() == [1, 2, 3]", "[1, 'b', 1.0, 'b'].distinct() == [1, 'b']",
    "[1, [2, 3], [4]].flatten() == [1, 2, 3, 4]", "[1, [2, [3, 4]]].flatten() == [1, 2, [3, 4]]",
    "[1, [2, [3, [4]]]].flatten(2) == [1, 2, 3, [4]]", "[[1]].flatten(0) == [[1]]",
    "lists.range(3) == [0, 1, 2]", "lists.range(-1) == []", "[5, 3, 1].reverse() == [1, 3, 5]",
    "[1, 2, 3, 4].slice(1, 3) == [2, 3]", "[3, 2, 1].sort() == [1, 2, 3]",
    "['b', 'a'].sort() == ['a', 'b']", "[1, 2].first().value() == 1",
    "[].last().hasValue() == false",
    "[{'n': 2}, {'n': 1}].sortBy(e, e.n) == [{'n': 1}, {'n': 2}]",
    "sets.contains([], [])", "!sets.contains([], [1])", "sets.contains([1, 2.0, 3u], [1.0, 2u, 3])",
    "sets.equivalent([1], [1, 1])", "sets.equivalent([1], [1u, 1.0])",
    "sets.intersects([1], [1, 2])",
    "!sets.intersects([1], [])", "sets.intersects([[1], [2, 3]], [[1, 2], [2, 3.0]])",
    "'hello'.charAt(5) == ''", "'hello mellow'.indexOf('ello', 2) == 7",
    "'hello mellow'.lastIndexOf('ello', 6) == 1",
    "'hello mellow'.lastIndexOf('') == 12", "'hello hello'.replace('he', 'we', 1) == 'wello hello'",
    "'hello hello'.replace('he', 'we', 0) == 'hello hello'", "'abc'.replace('', '-') == '-a-b-c-'",
    "'abc'.replace('', '-', 2) == '-a-bc'", "'a b c'.split(' ', 2) == ['a', 'b c']",
    "'a b'.split(' ', 0) == []", "'abc'.split('') == ['a', 'b', 'c']", "''.split(',') == ['']",
    "'abc'.split('', 2) == ['a', 'bc']", "'gums'.reverse() == 'smug'", "[].join('/') == ''",
    "math.greatest(-42.0, -21.5, -100.0) == -21.5", "math.least([3, 1u, 2.0]) == 1u",
    "math.round(-1.5) == -2.0", "math.trunc(-1.3) == -1.0", "math.sqrt(81) == 9.0",
    "math.isNaN(math.sqrt(-15))", "math.bitShiftLeft(-1, 2) == -4", "math.sign(-42) == -1",
    "math.bitNot(0u) == 18446744073709551615u", "math.bitAnd(-3, -5) == -7",
    "regex.replace('foobar', 'o+', 'u') == 'fubar'",
    "regex.replace('a1b2', r'([a-z])(\\d)', r'\\2\\1') == '1a2b'",
    "regex.replace('aaa', 'a', 'b', 2) == 'bba'", "regex.replace('é', '', '-') == '-é-'",
    "regex.extract('item-42', r'\\d+').value() == '42'",
    "regex.extract('user@example.com', r'@(.+)').value() == 'example.com'",
    "!regex.extract('x', r'\\d').hasValue()",
    "regex.extractAll('a1 b22', r'\\d+') == ['1', '22']", "regex.extractAll('x', r'\\d') == []",
    "base64.encode(b'hello') == 'aGVsbG8='", "base64.decode('aGVsbG8=') == b'hello'",
    "'%s %d'.format([1e25, 1.5e-7]) == '10000000000000000000000000 0.00000015'",
    "'%s'.format([b'a\\xff\\xfeb']) == 'a\\uFFFDb'", "ip('::1').isLoopback()", "!isIP('1.2.3.04')",
    "!isIP('1::2::3')", "isIP('1:2:3:4:5:6:7::')",
    "!isIP('1:2:3:4:5:6:7:8:9')", "isIP('64:ff9b::192.0.2.33')", "!isIP('fe80::1%eth0')",
    "ip('::ffff:c0a8:1') == ip('192.168.0.1')", "ip('::ffff:c0a8:1') != ip('192.168.10.1')",
    "string(ip('::ffff:c0a8:1')) == '192.168.0.1'", "!isCIDR('::ffff:c0a8:1/24')",
    "cidr('192.168.0.0/24').containsIP(ip('::ffff:c0a8:1'))", "ip('::ffff:7f00:1').isLoopback()",
    "ip.isCanonical('2001:db8::1')", "!ip.isCanonical('2001:db8:0:0:0:0:0:1')",
    "string(ip('2001:0db8:0:1::0:1')) == '2001:db8:0:1::1'", "!isCIDR('1.2.3.4/33')",
    "string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8'",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3')", "!cidr('10.0.0.0/8').containsCIDR('0.0.0.0/0')",
    "cidr('0.0.0.0/0').containsIP('255.1.2.3')", "!cidr('::/0').containsIP('1.2.3.4')",
    "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    "[optional.none(), optional.of(2)].unwrapOpt() == [2]",
    "{'a': 'x'}.transformMapEntry(k, v, {v: k}) == {'x': 'a'}",
    "coalesce(null, optional.none().orValue(null), 3) == 3", "coalesce(null) == null",
    "'%d %s %.1f %x %X %o %b %e'.format([1, 'a', 2.25, 255, 'Z', 8, true, 1500.0]) "
      + "== '1 a 2.2 ff 5A 10 1 1.500000e+03'",
  ])
  func holds(_ text: String) throws {
    #expect(try Environment().compile(Expression.parse(text)).evaluate() == true)
  }

  @Test(arguments: [
    "[1, 'b'].sort()", "[[1]].sort()", "[1, [2]].flatten(-1)", "[1, 2].slice(1, 3)",
    "'hello'.charAt(-1)", "'hello'.indexOf('l', -1)", "'hello'.indexOf('l', 20)",
    "'hello'.lastIndexOf('l', 20)", "'tacocat'.substring(2, 1)",
    "math.greatest(dyn('string'))", "math.least([])", "math.bitShiftLeft(1, -2)",
    "math.abs(-9223372036854775808)", "base64.decode('a')", "base64.decode('a?==')",
    "regex.extract('x', '(a)(b)')", "regex.replace('x', 'x', r'\\1')",
    "regex.replace('x', '(', '')",
    "['a', 1].join()", "'%d'.format(['a'])", "'%d %d'.format([1])", "'%'.format([])",
    "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})", "ip('::ffff:1.2.3.4')",
    "cidr('1.2.3.4')",
  ])
  func fails(_ text: String) throws {
    #expect(throws: EvaluationError.self) {
      try Environment().compile(Expression.parse(text)).evaluate()
    }
  }
}
