package mlir

import (
	"fmt"
	"strconv"
)

// Location says where an operation comes from. The zero value prints as
// loc(unknown).
type Location struct {
	File string // a source file; empty if unknown
	Line int    // 1-based
	Col  int    // 1-based; 0 if unknown
	// EndLine and EndCol are the end of a range of the file. Both are 0 for a single place.
	EndLine, EndCol int
	Name            string // a name such as a scope or a parameter path; may be empty
	// Serial is the place of a recorded call in its program, from 1; 0 if it is not known.
	// It has no text: it tells which call of another program of the same structure an
	// operation stands for.
	Serial int
	// Operator is the name of the operator that was lowered to the operation, such as "index.Tensor", for messages. It
	// is not part of the text.
	Operator string
	// Callers are the locations that led here, innermost first (callsite).
	Callers []Location
	// Fused are the locations of operations that were merged into this one.
	Fused []Location
}

// IsUnknown reports whether nothing is known.
func (l Location) IsUnknown() bool {
	return l.File == "" && l.Name == "" && len(l.Callers)+len(l.Fused) == 0
}

// Prefix puts the place before a message, if it is known: "file:line:col: message".
func (l Location) Prefix(message string) string {
	if place := l.Short(); place != "" {
		return place + ": " + message
	}
	return message
}

// Short returns "file:line:col" or the name, for error messages; "" if nothing is known.
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

// String returns the location as MLIR writes it: loc("f.go":1:2), loc("f.go":1:2 to 3:4), loc(unknown),
// loc("name"("f.go":1:2)), loc(callsite("f.go":1:2 at "g.go":3:4)), loc(fused[…]).
func (l Location) String() string { return string(append(l.append([]byte("loc(")), ')')) }

func (l Location) append(dst []byte) []byte {
	if len(l.Callers) == 0 {
		return l.appendPlace(dst)
	}
	dst = l.appendPlace(append(dst, "callsite("...))
	for i, caller := range l.Callers {
		dst = append(dst, " at "...)
		if i+1 < len(l.Callers) {
			dst = append(dst, "callsite("...)
		}
		dst = caller.append(dst)
	}
	for range l.Callers {
		dst = append(dst, ')')
	}
	return dst
}

// appendPlace appends the location without its callers.
func (l Location) appendPlace(dst []byte) []byte {
	place := l.File != "" || len(l.Fused) > 0
	if l.Name != "" {
		dst = appendQuoted(dst, l.Name)
		if !place {
			return dst
		}
		dst = append(dst, '(')
	}
	switch {
	case l.File != "":
		dst = append(appendQuoted(dst, l.File), ':')
		dst = append(strconv.AppendInt(dst, int64(l.Line), 10), ':')
		dst = strconv.AppendInt(dst, int64(l.Col), 10)
		dst = l.appendEnd(dst)
	case len(l.Fused) == 1 && l.Name != "":
		dst = l.Fused[0].append(dst)
	case len(l.Fused) > 0:
		dst = append(dst, "fused["...)
		for i, f := range l.Fused {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = f.append(dst)
		}
		dst = append(dst, ']')
	default:
		dst = append(dst, "unknown"...)
	}
	if l.Name != "" {
		dst = append(dst, ')')
	}
	return dst
}

// appendEnd appends the end of a range: " to :3", or " to 2:3" on another line.
func (l Location) appendEnd(dst []byte) []byte {
	if l.EndLine == 0 && l.EndCol == 0 {
		return dst
	}
	dst = append(dst, " to "...)
	if l.EndLine != l.Line {
		dst = strconv.AppendInt(dst, int64(l.EndLine), 10)
	}
	return strconv.AppendInt(append(dst, ':'), int64(l.EndCol), 10)
}
