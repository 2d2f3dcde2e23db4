//! The functions that Kubernetes adds to CEL, on the examples of its documentation.

use super::answer;

fn all_hold(expressions: &[&str]) {
    for expression in expressions {
        assert_eq!(answer(expression), "true", "{expression}");
    }
}

fn all_fail(cases: &[(&str, &str)]) {
    for (expression, words) in cases {
        let answer = answer(expression);
        assert!(answer.contains(words), "{expression}: {answer}");
    }
}

#[test]
fn durations() {
    all_hold(&[
        "duration('1h30m') == duration('90m') && duration('1h') + duration('30m') == duration('1h30m')",
        "duration('1h') - duration('1m') == duration('59m') && duration('-1.5h') < duration('0')",
        "duration('1h30m').getHours() == 1 && duration('1h30m').getMinutes() == 90",
        "duration('90s').getSeconds() == 90 && duration('1.5s').getMilliseconds() == 1500",
        "duration('1µs') > duration('999ns') && duration('+1ms') == duration('1000us')",
        "duration(duration('1s')) == duration('1s') && string(duration('1m')) == '60s'",
        "['1h', '2h'].all(text, duration(text) <= duration('2h'))",
    ]);
    all_fail(&[
        ("duration('1hour') > duration('1s')", "time: unknown unit \"hour\" in duration \"1hour\""),
        ("duration('30') > duration('1s')", "time: missing unit in duration \"30\""),
        ("duration('') > duration('1s')", "time: invalid duration \"\""),
        ("duration('1h ') > duration('1s')", "unknown unit"),
        ("duration('1..5h') > duration('1s')", "invalid duration"),
        ("duration('9999999999h') > duration('1s')", "invalid duration"),
        ("duration('290000000000ms') + duration('290000000000000ms') > duration('1s')", ""),
    ]);
}

#[test]
fn timestamps() {
    all_hold(&[
        "timestamp('2023-05-29T00:00:00Z') > timestamp('2023-05-28T00:00:00Z')",
        "timestamp('2023-05-29T00:00:00Z') - timestamp('2023-05-28T00:00:00Z') == duration('24h')",
        "timestamp('2023-05-28T00:00:00Z') + duration('24h') == timestamp('2023-05-29T00:00:00Z')",
        "timestamp('2023-05-28T02:00:00+02:00') == timestamp('2023-05-28T00:00:00Z')",
        "timestamp('2023-05-28T10:20:30.4Z').getFullYear() == 2023 && timestamp('2023-05-28T00:00:00Z').getMonth() == 4",
        "timestamp('2023-05-28T00:00:00Z').getDate() == 28 && timestamp('2023-05-28T00:00:00Z').getDayOfMonth() == 27",
        "timestamp('2023-05-28T00:00:00Z').getDayOfWeek() == 0 && timestamp('2023-02-01T00:00:00Z').getDayOfYear() == 31",
        "timestamp('2023-05-28T10:20:30.4Z').getHours() == 10 && timestamp('2023-05-28T10:20:30.4Z').getMinutes() == 20",
        "timestamp('2023-05-28T10:20:30.4Z').getSeconds() == 30 && timestamp('2023-05-28T10:20:30.4Z').getMilliseconds() == 400",
        "timestamp('2023-05-28T23:30:00Z').getHours('Europe/Berlin') == 1 && timestamp('2023-05-28T23:30:00Z').getDate('+02:00') == 29",
        "timestamp('2023-01-28T12:00:00Z').getHours('America/New_York') == 7 && timestamp(0).getFullYear() == 1970",
        "int(timestamp('1970-01-01T00:01:00Z')) == 60 && string(timestamp('2023-05-28T00:00:00Z')) == '2023-05-28T00:00:00Z'",
    ]);
    all_fail(&[
        ("timestamp('2023-05-28') > timestamp(0)", "\"2023-05-28\" is no time of RFC 3339"),
        ("timestamp('2023-05-28 00:00:00Z') > timestamp(0)", "RFC 3339"),
        ("timestamp('2023-05-28t00:00:00z') > timestamp(0)", "RFC 3339"),
        ("timestamp(0).getHours('Nowhere/City') == 0", "unknown time zone Nowhere/City"),
    ]);
}

#[test]
fn urls() {
    all_hold(&[
        "isURL('https://user:pass@example.com:80/path?query=val#fragment') && isURL('/absolute-path')",
        "!isURL('https://a:b:c/') && !isURL('../relative-path') && !isURL('') && !isURL('http://a b/')",
        "url('/path').getScheme() == '' && url('https://example.com/').getScheme() == 'https'",
        "url('https://example.com:80/').getHost() == 'example.com:80' && url('https://example.com/').getHost() == 'example.com'",
        "url('https://[::1]:80/').getHost() == '[::1]:80' && url('https://[::1]/').getHost() == '[::1]'",
        "url('/path').getHost() == '' && url('https://example.com:80/').getHostname() == 'example.com'",
        "url('https://127.0.0.1:80/').getHostname() == '127.0.0.1' && url('https://[::1]:80/').getHostname() == '::1'",
        "url('/path').getHostname() == '' && url('https://example.com:80/').getPort() == '80'",
        "url('https://example.com/').getPort() == '' && url('/path').getPort() == ''",
        "url('https://example.com/path').getEscapedPath() == '/path' && url('https://example.com').getEscapedPath() == ''",
        "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'",
        "url('https://example.com/path?k1=a&k2=b&k2=c').getQuery() == {'k1': ['a'], 'k2': ['b', 'c']}",
        "url('https://example.com/path?key with spaces=value with spaces').getQuery() == {'key with spaces': ['value with spaces']}",
        "url('https://example.com/path?').getQuery() == {} && url('https://example.com/path').getQuery() == {}",
        "url('HTTPS://example.com/a%2Fb').getEscapedPath() == '/a%2Fb' && url('mailto:a@b').getHost() == ''",
    ]);
    all_fail(&[
        (
            "url('https://a:b:c/').getHost() == ''",
            "URL parse error during conversion from string: parse \"https://a:b:c/\": invalid port \":c\" after host",
        ),
        ("url('../relative-path').getHost() == ''", "invalid URI for request"),
        ("url('/a%zz').getHost() == ''", "invalid URL escape \"%zz\""),
    ]);
}

#[test]
fn addresses() {
    all_hold(&[
        "isIP('127.0.0.1') && isIP('::1') && !isIP('127.0.0.256') && !isIP(':::1') && !isIP('010.0.0.1') && !isIP('fe80::1%eth0')",
        "ip.isCanonical('127.0.0.1') && ip.isCanonical('2001:db8::abcd')",
        "!ip.isCanonical('2001:DB8::ABCD') && !ip.isCanonical('2001:db8::0:0:0:abcd')",
        "ip('127.0.0.1').family() == 4 && ip('::1').family() == 6 && string(ip('2001:DB8::1')) == '2001:db8::1'",
        "ip('0.0.0.0').isUnspecified() && !ip('127.0.0.1').isUnspecified() && ip('::').isUnspecified() && !ip('::1').isUnspecified()",
        "ip('127.0.0.1').isLoopback() && !ip('192.168.0.1').isLoopback() && ip('::1').isLoopback() && !ip('2001:db8::abcd').isLoopback()",
        "ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()",
        "ip('ff02::1').isLinkLocalMulticast() && !ip('fd00::1').isLinkLocalMulticast()",
        "ip('169.254.169.254').isLinkLocalUnicast() && !ip('192.168.0.1').isLinkLocalUnicast()",
        "ip('fe80::1').isLinkLocalUnicast() && !ip('fd80::1').isLinkLocalUnicast()",
        "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
        "ip('2001:db8::abcd').isGlobalUnicast() && !ip('ff00::1').isGlobalUnicast()",
        "ip('::1') == ip('0:0:0:0:0:0:0:1') && ['10.0.0.1'].map(t, ip(t)).all(ip, ip.family() == 4)",
    ]);
    all_fail(&[
        ("ip('127.0.0.256').family() == 4", "IP Address \"127.0.0.256\" parse error during conversion from string"),
        ("ip('::ffff:1.2.3.4').family() == 4", "IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed"),
        ("ip('fe80::1%eth0').family() == 6", "IP address \"fe80::1%eth0\" with zone value is not allowed"),
        ("'127.0.0.1'.family() == 4", ""),
    ]);
}

#[test]
fn networks() {
    all_hold(&[
        "isCIDR('192.168.0.0/16') && isCIDR('::1/128') && !isCIDR('192.168.0.0/33') && !isCIDR('::1/129')",
        "!isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/08') && !isCIDR('10.0.0.0/+8') && !isCIDR('::ffff:1.2.3.4/24')",
        "cidr('192.168.0.0/24').containsIP(ip('192.168.0.1')) && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))",
        "cidr('192.168.0.0/24').containsIP('192.168.0.1') && !cidr('192.168.0.0/24').containsIP('192.168.1.1')",
        "cidr('192.168.0.0/16').containsCIDR(cidr('192.168.10.0/24')) && !cidr('192.168.1.0/24').containsCIDR(cidr('192.168.2.0/24'))",
        "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.1.0/24').containsCIDR('192.168.2.0/24')",
        "!cidr('192.168.10.0/24').containsCIDR('192.168.0.0/16') && !cidr('0.0.0.0/0').containsIP('::1')",
        "cidr('192.168.0.1/24').ip() == ip('192.168.0.1') && cidr('::1/128').ip().family() == 6",
        "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && cidr('192.168.0.1/24') != cidr('192.168.0.1/24').masked()",
        "cidr('192.168.0.0/16').prefixLength() == 16 && cidr('::1/128').prefixLength() == 128",
        "cidr('0.0.0.0/0').containsIP('8.8.8.8') && cidr('::/0').containsIP('2001:db8::1') && string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
    ]);
    all_fail(&[(
        "cidr('192.168.0.0/33').prefixLength() == 1",
        "network address parse error during conversion from string",
    )]);
}

#[test]
fn versions() {
    all_hold(&[
        "isSemver('1.0.0') && isSemver('0.1.0-alpha.1') && !isSemver('hello') && !isSemver('v1.0') && !isSemver('01.1.1')",
        "isSemver('v1.0', true) && isSemver('1.0', true) && isSemver('01.01.01', true) && !isSemver('1.0-rc1', true)",
        "semver('v1.0.0', true) == semver('1.0.0') && semver('1.0', true) == semver('1.0.0') && semver('01.01.01', true) == semver('1.1.1')",
        "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3-rc.1+b').patch() == 3",
        "semver('1.2.3').compareTo(semver('1.2.3')) == 0 && semver('1.2.3').compareTo(semver('2.0.0')) == -1",
        "semver('1.2.3').compareTo(semver('0.1.2')) == 1 && semver('1.2.3+a') == semver('1.2.3+b')",
        "semver('1.0.0-alpha').isLessThan(semver('1.0.0')) && semver('1.0.0-alpha.beta').isGreaterThan(semver('1.0.0-alpha.1'))",
        "semver('1.0.0-rc.10').isGreaterThan(semver('1.0.0-rc.9')) && semver('1.10.0').isGreaterThan(semver('1.9.9'))",
    ]);
    all_fail(&[
        ("semver('200K').major() == 1", "No Major.Minor.Patch elements found"),
        ("semver('1.0.x').major() == 1", "Invalid character(s) found in patch number \"x\""),
        ("semver('1.0.0').isLessThan(quantity('1'))", ""),
    ]);
}

#[test]
fn quantities() {
    all_hold(&[
        "isQuantity('1.3G') && isQuantity('1.3Gi') && !isQuantity('1,3G') && isQuantity('10000k') && !isQuantity('200K')",
        "quantity('50000000G').isInteger() && quantity('50k').isInteger() && quantity('50k').asInteger() == 50000",
        "!quantity('9999999999999999999999999999999999999G').isInteger() && !quantity('1000m').isInteger() && quantity('2Gi').isInteger()",
        "quantity('50k').sub(20000).asApproximateFloat() == 30000.0 && quantity('1n').asApproximateFloat() == 1e-9",
        "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').add(20) == quantity('50020')",
        "quantity('50k').sub(quantity('20k')) == quantity('30k') && quantity('50k').sub(20000) == quantity('30k')",
        "quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')",
        "quantity('200M').compareTo(quantity('0.2G')) == 0 && quantity('50M').compareTo(quantity('50Mi')) == -1",
        "quantity('50Mi').compareTo(quantity('50M')) == 1 && quantity('0').sign() == 0 && quantity('-1').sign() == -1",
    ]);
    all_fail(&[(
        "quantity('9999999999999999999999999999999999999G').asInteger() == 1",
        "cannot convert value to integer",
    )]);
}

#[test]
fn sets() {
    all_hold(&[
        "sets.contains([], []) && !sets.contains([], [1]) && sets.contains([1, 2, 3, 4], [2, 3]) && sets.contains([1, 2.0, 3u], [1.0, 2u, 3])",
        "sets.equivalent([], []) && sets.equivalent([1], [1, 1]) && sets.equivalent([1, 2, 3], [3u, 2.0, 1]) && !sets.equivalent([1], [2])",
        "!sets.intersects([1], []) && sets.intersects([1], [1, 2]) && sets.intersects([[1], [2, 3]], [[1, 2], [2, 3.0]])",
    ]);
}

#[test]
fn what_they_cost_is_bounded() {
    let list = |item: &str| format!("'{}'.split(',')", item.repeat(2000));
    let expression = format!("sets.contains({}, {})", list("a,"), list("b,"));
    assert!(answer(&expression).contains("1000000 steps"), "{}", answer(&expression));
}
