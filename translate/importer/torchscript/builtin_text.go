package torchscript

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-acap/acap/base/script"
)

func indexOf(s, sub string) int { return strings.Index(s, sub) }

// textBuiltins work on strings.
var textBuiltins = map[string]builtin{
	"add":           concatenate,
	"format":        formatText,
	"percentFormat": percentFormat,
	"join":          joinText,
	"split":         splitText,
	"replace":       replaceText,
	"find":          findText,
	"startswith":    textTest(strings.HasPrefix),
	"endswith":      textTest(strings.HasSuffix),
	"lower":         textMap(strings.ToLower),
	"upper":         textMap(strings.ToUpper),
	"strip":         trimText(strings.Trim),
	"lstrip":        trimText(strings.TrimLeft),
	"rstrip":        trimText(strings.TrimRight),
	"ord":           ordinal,
	"chr":           character,
}

// trimText cuts off white space, or the characters of the second argument.
func trimText(trim func(s, characters string) string) builtin {
	return func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
		s, ok := args.at(0).(string)
		characters, given := args.at(1).(string)
		if !given {
			characters = " \n\t\f\v"
		}
		return trim(s, characters), ok
	}
}

// part returns the text between two positions, and where it starts. A position below 0 counts from the end (-1 is the
// end itself). It is not ok if there is nothing.
func (args arguments) part(s string, from, to int) (part string, start int, ok bool) {
	position := func(i, otherwise, pastEnd int) int {
		n, given := args.at(i).(int)
		if !given {
			n = otherwise
		}
		if n < 0 {
			n += len(s) + pastEnd
		}
		return min(max(n, 0), len(s))
	}
	start = position(from, 0, 0)
	end := position(to, -1, 1)
	if end < start {
		return "", start, false
	}
	return s[start:end], start, true
}

func concatenate(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok1 := args.at(0).(string)
	y, ok2 := args.at(1).(string)
	if !ok1 || !ok2 {
		return nil, false
	}
	ev.checkLength(at, len(x)+len(y))
	return x + y, true
}

// formatText replaces each {} by the next argument.
func formatText(ev *evaluator, at script.Position, args arguments) (value, bool) {
	s, ok := args.at(0).(string)
	if !ok {
		return nil, false
	}
	var out strings.Builder
	for _, arg := range args.positional[1:] {
		before, after, found := strings.Cut(s, "{}")
		if !found {
			break
		}
		out.WriteString(before + text(arg))
		ev.checkLength(at, out.Len())
		s = after
	}
	if strings.Contains(s, "{}") {
		failAt(at, "too few arguments for the format %q", args.at(0))
	}
	return out.String() + s, true
}

// percentFormat is the % operator of strings: each %d, %s, %f and the like takes an argument, as percentFormat of
// torch/csrc/jit/runtime/vararg_functions.cpp has it.
func percentFormat(ev *evaluator, at script.Position, args arguments) (value, bool) {
	s, ok := args.at(0).(string)
	if !ok {
		return nil, false
	}
	rest := args.positional[1:]
	if len(rest) == 1 {
		if t, ok := rest[0].(*tuple); ok {
			rest = t.items
		}
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		out.WriteString(before)
		if !found && len(rest) > 0 {
			failAt(at, "too many arguments for the format %q", args.at(0))
		}
		if !found {
			return out.String(), true
		}
		end := strings.IndexFunc(after, func(r rune) bool { return unicode.IsLetter(r) || r == '%' })
		switch {
		case end < 0:
			failAt(at, "the format %q ends within a conversion", args.at(0))
		case after[end] == '%':
			out.WriteByte('%')
		case len(rest) == 0:
			failAt(at, "too few arguments for the format %q", args.at(0))
		default:
			out.WriteString(formatted(at, after[:end+1], rest[0]))
			rest = rest[1:]
		}
		ev.checkLength(at, out.Len())
		s = after[end+1:]
	}
}

// formatted writes a value as a conversion such as d, f or s says; TorchScript has none with a width. Integers are made
// of a float by a C++ int, and e and f write what an f32 holds of a number (addFormattedArg of vararg_functions.cpp).
func formatted(at script.Position, conversion string, v value) string {
	n, isNumber := number(v)
	switch conversion {
	case "s":
		return text(v)
	case "c":
		if i, ok := v.(int); ok {
			return string(rune(i))
		}
		return text(v)
	case "d", "i", "e", "E", "f", "F":
		if !isNumber {
			failAt(at, "%%%s of a %s", conversion, kindOf(v))
		}
		if conversion == "d" || conversion == "i" {
			if i, ok := n.(int); ok {
				return strconv.Itoa(i)
			}
			f := math.Trunc(float(n))
			if !(f >= math.MinInt32 && f <= math.MaxInt32) {
				f = math.MinInt32 // as x86 makes a C++ int of what it does not hold
			}
			return strconv.Itoa(int(f))
		}
		form := conversion[0]
		if form == 'F' {
			form = 'f'
		}
		return streamed(float64(float32(float(n))), form, 6)
	}
	failAt(at, "the conversion %%%s is not supported", conversion)
	return ""
}

func joinText(ev *evaluator, at script.Position, args arguments) (value, bool) {
	separator, ok := args.at(0).(string)
	items, isList := ev.iterate(at, args.at(1))
	if !ok || !isList {
		return nil, false
	}
	parts, size := make([]string, len(items)), 0
	for i, item := range items {
		parts[i] = text(item)
		size += len(parts[i]) + len(separator)
		ev.checkLength(at, size)
	}
	return strings.Join(parts, separator), true
}

func splitText(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	s, ok := args.at(0).(string)
	if !ok {
		return nil, false
	}
	parts := strings.Fields(s)
	if separator, ok := args.at(1).(string); ok {
		most, limited := args.at(2).(int)
		if !limited {
			most = -1
		}
		if most >= 0 {
			most++ // a part more than there are cuts
		}
		parts = strings.SplitN(s, separator, most)
	}
	l := &list{}
	for _, part := range parts {
		l.items = append(l.items, part)
	}
	return l, true
}

func replaceText(ev *evaluator, at script.Position, args arguments) (value, bool) {
	s, ok1 := args.at(0).(string)
	from, ok2 := args.at(1).(string)
	to, ok3 := args.at(2).(string)
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	most, limited := args.at(3).(int)
	if !limited {
		most = -1
	}
	if n := strings.Count(s, from); len(to) > 0 && n > maxItems/len(to) {
		ev.checkLength(at, maxItems+1)
	}
	return strings.Replace(s, from, to, most), true
}

func findText(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	s, ok1 := args.at(0).(string)
	sub, ok2 := args.at(1).(string)
	part, start, ok := args.part(s, 2, 3)
	at := strings.Index(part, sub)
	if !ok || at < 0 {
		return -1, ok1 && ok2
	}
	return start + at, ok1 && ok2
}

func textTest(test func(s, part string) bool) builtin {
	return func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
		s, ok1 := args.at(0).(string)
		sub, ok2 := args.at(1).(string)
		part, _, ok := args.part(s, 2, 3)
		return ok && test(part, sub), ok1 && ok2
	}
}

func textMap(f func(string) string) builtin {
	return func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
		s, ok := args.at(0).(string)
		return f(s), ok
	}
}

func ordinal(_ *evaluator, at script.Position, args arguments) (value, bool) {
	s, ok := args.at(0).(string)
	runes := []rune(s)
	if !ok || len(runes) != 1 {
		return nil, false
	}
	return int(runes[0]), true
}

func character(_ *evaluator, at script.Position, args arguments) (value, bool) {
	n, ok := args.at(0).(int)
	return string(rune(n)), ok && n >= 0 && n <= unicode.MaxRune
}
