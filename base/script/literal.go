package script

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseNumber returns the int64, float64 or complex128 that a number token spells.
func parseNumber(at Position, s string) any {
	digits := strings.ReplaceAll(s, "_", "")
	if v, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return v
	}
	// 9223372036854775808 occurs only negated, as the smallest int64.
	if v, err := strconv.ParseUint(digits, 0, 64); err == nil && v == 1<<63 {
		return int64(-1 << 63)
	}
	imaginary := strings.HasSuffix(digits, "j")
	v, err := strconv.ParseFloat(strings.TrimSuffix(digits, "j"), 64)
	if err != nil && !isRange(err) || strings.ContainsAny(digits, "xXpP") {
		failAt(at, "%.40q is not a number of 64 bits", s)
	}
	if imaginary {
		return complex(0, v)
	}
	if !strings.ContainsAny(digits, ".eE") {
		failAt(at, "the integer %.40s does not fit 64 bits", s)
	}
	return v
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

var simpleEscapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r',
	't': '\t', 'v': '\v',
}

// unquote returns the text that a string token spells, with Python's escapes.
func unquote(at Position, s string) string {
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++
		c := s[i] // the lexer has seen to it that something follows
		switch digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; {
		case simpleEscapes[c] != 0:
			out = append(out, simpleEscapes[c])
		case c == '\n':
		case '0' <= c && c <= '7':
			end := i + 1
			for end < len(s) && end < i+3 && '0' <= s[end] && s[end] <= '7' {
				end++
			}
			v, _ := strconv.ParseUint(s[i:end], 8, 16)
			out = append(out, byte(v))
			i = end - 1
		case digits > 0:
			end := min(i+1+digits, len(s))
			v, err := strconv.ParseUint(s[i+1:end], 16, 32)
			if err != nil || end-i-1 != digits {
				failAt(at, "an escape in a string lacks digits")
			}
			if c == 'x' {
				out = append(out, byte(v))
			} else {
				out = utf8.AppendRune(out, rune(v))
			}
			i = end - 1
		default:
			out = append(out, '\\', c)
		}
	}
	return string(out)
}
