package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"

	"github.com/cosmos72/gomacro/fast"
)

// Session runs cells, one after the other, in one interpreter.
type Session struct {
	interpreter *fast.Interp
	count       int
}

// NewSession starts an interpreter.
func NewSession() *Session { return &Session{interpreter: fast.New()} }

// CellError is an error of a cell, with the line at which the statement begins.
type CellError struct {
	Cell, Line int
	Err        error
}

// Error names the cell, the line and what is wrong, once.
func (e *CellError) Error() string {
	return fmt.Sprintf("cell %d, line %d: %s", e.Cell, e.Line, place.ReplaceAllString(e.Err.Error(), ""))
}

// Unwrap returns the cause.
func (e *CellError) Unwrap() error { return e.Err }

// place is how the interpreter names a line at the start of its errors.
var place = regexp.MustCompile(`^(cell \d+(:\d+)*: )+`)

// Run runs all cells and stores what they show in them. It ends with the first error of a cell
// that is not there to show one.
func (s *Session) Run(n *Notebook) error {
	for _, c := range n.Cells {
		if c.Type != "code" {
			continue
		}
		if err := s.cell(c); err != nil && !c.mayFail() {
			return err
		}
	}
	return nil
}

// cell runs a cell statement by statement; the value of the last one is shown.
func (s *Session) cell(c *Cell) error {
	s.count++
	count := s.count
	c.Count, c.Outputs = &count, nil
	var last any
	var err *CellError
	text := printed(func() { last, err = s.statements(string(c.Source)) })
	if text != "" {
		c.Outputs = append(c.Outputs, Output{Type: "stream", Name: "stdout", Text: Lines(text)})
	}
	if err != nil {
		kind := reflect.TypeOf(err.Err).String()
		c.Outputs = append(c.Outputs, Output{Type: "error", Error: kind, Value: err.Error(), Traceback: []string{err.Error()}})
		return err
	}
	if last != nil {
		c.Outputs = append(c.Outputs, Output{Type: "execute_result", Data: show(last), Metadata: map[string]any{}, Count: &count})
	}
	return nil
}

// statements runs the statements of a cell and returns the value of the last one, nil if it has none.
func (s *Session) statements(source string) (last any, err *CellError) {
	line := 1
	defer func() {
		if p := recover(); p != nil {
			cause, ok := p.(error)
			if !ok {
				cause = errors.New(fmt.Sprint(p))
			}
			last, err = nil, &CellError{s.count, line, cause}
		}
	}()
	g := &s.interpreter.Comp.Globals
	g.Filepath, g.Line = fmt.Sprintf("cell %d", s.count), 0
	for _, node := range g.ParseBytes([]byte(source)) {
		if node == nil {
			continue
		}
		if at := g.Fileset.Position(node.Pos()); at.Line > 0 {
			line = at.Line
		}
		last = nil
		values, _ := s.interpreter.RunExpr(s.interpreter.CompileNode(node))
		if len(values) > 0 && values[0].IsValid() && values[0].CanInterface() {
			last = values[0].Interface()
		}
	}
	return last, nil
}

// printed runs f and returns what it wrote to standard output.
func printed(f func()) string {
	r, w, err := os.Pipe()
	if err != nil {
		f()
		return ""
	}
	out := make(chan string)
	go func() {
		text, _ := io.ReadAll(r) // what could be read is shown
		out <- string(text)
	}()
	before := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = before }()
	f()
	w.Close()
	return <-out
}
