package ops

import (
	_ "embed"
	"path"
	"strings"
	"sync"
)

// refusedText has patterns of operators that are refused, with the reasons.
//
//go:embed refused.txt
var refusedText string

// refusedPattern says which operators are refused for a reason: by a pattern of base names, or by what the schema
// holds.
type refusedPattern struct{ name, holds, reason string }

func (p refusedPattern) matches(base, schema string) bool {
	if p.holds != "" {
		return strings.Contains(schema, p.holds)
	}
	ok, err := path.Match(p.name, base)
	return ok && err == nil
}

// Refused returns why an operator of PyTorch's is refused, and what to do instead; "" without a reason. base is the
// name without namespace and overload; a variant in place has the reason of the other. The schema may be empty: reasons
// that lie in types are left out then.
func Refused(base, schema string) string {
	plain := strings.TrimSuffix(base, "_")
	for _, p := range refusedPatterns() {
		if p.matches(base, schema) || p.matches(plain, schema) {
			return p.reason
		}
	}
	return ""
}

// refusedPatterns reads lines of patterns of names, or of a text of schemas in quotes, with a colon and the reason.
var refusedPatterns = sync.OnceValue(func() []refusedPattern {
	var list []refusedPattern
	for line := range strings.Lines(refusedText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		what, reason, ok := strings.Cut(line, ": ")
		if !ok {
			panic("BUG: ops: refused.txt has a line without a reason: " + line)
		}
		if quoted, isText := strings.CutPrefix(what, "\""); isText {
			list = append(list, refusedPattern{holds: strings.TrimSuffix(quoted, "\""), reason: reason})
			continue
		}
		for _, name := range strings.Fields(what) {
			if _, err := path.Match(name, ""); err != nil {
				panic("BUG: ops: refused.txt: " + name + ": " + err.Error())
			}
			list = append(list, refusedPattern{name: name, reason: reason})
		}
	}
	return list
})
