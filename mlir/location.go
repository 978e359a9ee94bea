package mlir

import "fmt"

// Location says where an operation comes from. The zero value prints as
// loc(unknown).
type Location struct {
	File string // a source file; empty if unknown
	Line int    // 1-based
	Col  int    // 1-based; 0 if unknown
	Name string // a name such as a scope or a parameter path; may be empty
	// Callers are the locations that led here, innermost first (callsite).
	Callers []Location
}

// IsUnknown reports whether nothing is known.
func (l Location) IsUnknown() bool { return l.File == "" && l.Name == "" && len(l.Callers) == 0 }

// Short returns "file:line:col" or the name, for error messages.
func (l Location) Short() string {
	switch {
	case l.File == "":
		return l.Name
	case l.Col == 0:
		return fmt.Sprintf("%s:%d", l.File, l.Line)
	}
	return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Col)
}
