package jinja

import "fmt"

// Error is an error in a template, or in the values that it was given.
type Error struct {
	Line, Column int // from 1; columns are characters
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// position is an offset in the source.
type position int

// fault stops parsing and rendering; [Parse] and [Template.Render] return it as an [Error].
type fault struct {
	at      position
	message string
}

// failAt stops with an error at a position.
func failAt(at position, format string, values ...any) {
	panic(fault{at, fmt.Sprintf(format, values...)})
}

// caught makes an error of a fault that was recovered. Other panics go on.
func caught(recovered any, source string, err *error) {
	if recovered == nil {
		return
	}
	f, ok := recovered.(fault)
	if !ok {
		panic(recovered)
	}
	e := &Error{Line: 1, Column: 1, Message: f.message}
	for _, r := range source[:min(int(f.at), len(source))] {
		if e.Column++; r == '\n' {
			e.Line, e.Column = e.Line+1, 1
		}
	}
	*err = e
}
