package torchscript

import (
	"strings"
	"unicode"

	"github.com/go-acap/acap/mlir/importer/torchscript/script"
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
	"strip":         textMap(strings.TrimSpace),
	"lstrip":        textMap(trimLeft),
	"rstrip":        textMap(trimRight),
	"ord":           ordinal,
	"chr":           character,
}

func trimLeft(s string) string  { return strings.TrimLeftFunc(s, unicode.IsSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

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
	return out.String() + s, true
}

// percentFormat is the % operator of strings: each %d, %s, %f and the like takes an argument.
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
		end := strings.IndexFunc(after, func(r rune) bool { return unicode.IsLetter(r) || r == '%' })
		if !found || end < 0 {
			return out.String(), true
		}
		switch {
		case after[end] == '%':
			out.WriteByte('%')
		case len(rest) > 0:
			out.WriteString(text(rest[0]))
			rest = rest[1:]
		}
		ev.checkLength(at, out.Len())
		s = after[end+1:]
	}
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
		parts = strings.Split(s, separator)
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
	if n := strings.Count(s, from); len(to) > 0 && n > maxItems/len(to) {
		ev.checkLength(at, maxItems+1)
	}
	return strings.ReplaceAll(s, from, to), true
}

func findText(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	s, ok1 := args.at(0).(string)
	sub, ok2 := args.at(1).(string)
	return strings.Index(s, sub), ok1 && ok2
}

func textTest(test func(s, part string) bool) builtin {
	return func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
		s, ok1 := args.at(0).(string)
		part, ok2 := args.at(1).(string)
		return test(s, part), ok1 && ok2
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
