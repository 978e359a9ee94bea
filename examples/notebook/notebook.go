package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
)

// Notebook is a file of Jupyter, version 4.
type Notebook struct {
	Cells    []*Cell        `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

// Cell is a cell of text or of code.
type Cell struct {
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"cell_type"`
	Metadata map[string]any `json:"metadata"`
	Source   Lines          `json:"source"`
	Count    *int           `json:"execution_count,omitempty"`
	Outputs  []Output       `json:"outputs,omitempty"`

	Attachments map[string]any `json:"attachments,omitempty"` // of a cell of text
}

// MarshalJSON writes the outputs and the count of a cell of code in any case, as the format demands.
func (c *Cell) MarshalJSON() ([]byte, error) {
	type fields Cell
	if c.Type != "code" {
		return json.Marshal((*fields)(c))
	}
	return json.Marshal(struct {
		*fields
		Count   *int     `json:"execution_count"`
		Outputs []Output `json:"outputs"`
	}{(*fields)(c), c.Count, append([]Output{}, c.Outputs...)})
}

// Output is the output of a cell.
type Output struct {
	Type      string         `json:"output_type"`
	Name      string         `json:"name,omitempty"` // of a stream
	Text      Lines          `json:"text,omitempty"` // of a stream
	Data      map[string]any `json:"data,omitempty"` // by media type
	Metadata  map[string]any `json:"metadata,omitempty"`
	Count     *int           `json:"execution_count,omitempty"`
	Error     string         `json:"ename,omitempty"`
	Value     string         `json:"evalue,omitempty"`
	Traceback []string       `json:"traceback,omitempty"`
}

// Lines is text, which files hold whole or line by line.
type Lines string

// UnmarshalJSON reads both forms.
func (l *Lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = Lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// MarshalJSON writes line by line.
func (l Lines) MarshalJSON() ([]byte, error) {
	return json.Marshal(slices.DeleteFunc(strings.SplitAfter(string(l), "\n"), func(s string) bool { return s == "" }))
}

// Read reads a notebook.
func Read(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var n Notebook
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if n.Format != 4 {
		return nil, fmt.Errorf("%s: a notebook of format %d; this program reads 4", path, n.Format)
	}
	return &n, nil
}

// Write writes a notebook.
func (n *Notebook) Write(path string) error {
	data, err := json.MarshalIndent(n, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, append(data, '\n'))
}

// mayFail reports whether a cell is there to show an error.
func (c *Cell) mayFail() bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any("raises-exception"))
}
