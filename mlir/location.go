package mlir

import (
	"fmt"
	"strconv"
	"strings"
)

// Location says where an operation comes from. The zero value prints as
// loc(unknown).
type Location struct {
	File string // a source file; empty if unknown
	Line int    // 1-based
	Col  int    // 1-based; 0 if unknown
	Name string // a name such as a scope or a parameter path; may be empty
	// Callers are the locations that led here, innermost first (callsite).
	Callers []Location
	// Fused are the locations of operations that were merged into this one.
	Fused []Location
}

// IsUnknown reports whether nothing is known.
func (l Location) IsUnknown() bool {
	return l.File == "" && l.Name == "" && len(l.Callers)+len(l.Fused) == 0
}

// Short returns "file:line:col" or the name, for error messages.
func (l Location) Short() string {
	switch {
	case l.File == "" && l.Name == "" && len(l.Fused) > 0:
		return l.Fused[0].Short()
	case l.File == "":
		return l.Name
	case l.Col == 0:
		return fmt.Sprintf("%s:%d", l.File, l.Line)
	}
	return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Col)
}

// String returns the location as MLIR writes it: loc("f.go":1:2), loc(unknown),
// loc("name"("f.go":1:2)), loc(callsite("f.go":1:2 at "g.go":3:4)), loc(fused[…]).
func (l Location) String() string { return "loc(" + l.inner() + ")" }

func (l Location) inner() string {
	text := l.place()
	for i, caller := range l.Callers {
		if i+1 < len(l.Callers) {
			text += " at callsite(" + caller.inner()
		} else {
			text += " at " + caller.inner()
		}
	}
	if n := len(l.Callers); n > 0 {
		return "callsite(" + text + strings.Repeat(")", n)
	}
	return text
}

// place is the location without its callers.
func (l Location) place() string {
	text := "unknown"
	switch {
	case l.File != "":
		text = quote(l.File) + ":" + strconv.Itoa(l.Line) + ":" + strconv.Itoa(l.Col)
	case len(l.Fused) == 1 && l.Name != "":
		text = l.Fused[0].inner()
	case len(l.Fused) > 0:
		parts := make([]string, len(l.Fused))
		for i, f := range l.Fused {
			parts[i] = f.inner()
		}
		text = "fused[" + strings.Join(parts, ", ") + "]"
	case l.Name != "":
		return quote(l.Name)
	}
	if l.Name != "" {
		return quote(l.Name) + "(" + text + ")"
	}
	return text
}
