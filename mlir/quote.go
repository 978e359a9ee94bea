package mlir

// appendQuoted appends s as an MLIR string literal: quotes, backslashes and
// unprintable bytes are escaped, the latter as two hex digits.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			dst = append(dst, '\\', '\\')
		case c < 0x20 || c > 0x7e || c == '"':
			dst = append(dst, '\\', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func quote(s string) string { return string(appendQuoted(nil, s)) }

// isIdentifier reports whether s is a bare identifier: it can stand as an
// attribute name or after "@" without quotes.
func isIdentifier(s string) bool {
	if s == "" || !isLetter(s[0]) && s[0] != '_' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '$' && c != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// keyOrQuoted returns an attribute name, quoted where it is not an identifier.
func keyOrQuoted(s string) string {
	if isIdentifier(s) {
		return s
	}
	return quote(s)
}
