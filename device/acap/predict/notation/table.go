package notation

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table is CSV text whose first line names its columns, in any order. Lines that begin with # are comments.
type Table struct {
	Columns  []string // all that there are
	Optional []string // those that may be missing, whose fields are empty then
}

// ReadRows reads a table. row makes a row of the number of a line and its fields, in the order of the table's columns;
// an error of row is what a field should be. Errors start with the line and the column of what is wrong.
func ReadRows[R any](t *Table, from io.Reader, row func(line int, fields []string) (r R, field int, err error)) (rows []R, err error) {
	c := csv.NewReader(from)
	c.Comment = '#'
	first, err := c.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("1:1: the file is empty; its first line names the columns %s", t.names())
	}
	if err != nil {
		return nil, position(err)
	}
	places, err := t.places(c, first)
	if err != nil {
		return nil, err
	}
	fields := make([]string, len(t.Columns))
	for n := 0; ; n++ {
		record, err := c.Read()
		if err == io.EOF && n == 0 {
			return nil, fmt.Errorf("1:1: the file names columns and has no row")
		}
		if err == io.EOF {
			return rows, nil
		}
		if errors.Is(err, csv.ErrFieldCount) {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("%d:1: %d fields, want %d: %.500s", line, len(record), len(first), strings.Join(first, ","))
		}
		if err != nil {
			return nil, position(err)
		}
		line, _ := c.FieldPos(0)
		if n == maxRows {
			return nil, fmt.Errorf("%d:1: more than %d rows", line, maxRows)
		}
		for i, place := range places {
			if place < 0 {
				continue
			}
			if fields[i] = record[place]; len(fields[i]) > longest {
				line, column := c.FieldPos(place)
				return nil, fmt.Errorf("%d:%d: %s has %d bytes, want no more than %d", line, column, t.Columns[i], len(fields[i]), longest)
			}
		}
		r, field, err := row(line, slices.Clone(fields))
		if err != nil {
			line, column := c.FieldPos(places[field])
			return nil, fmt.Errorf("%d:%d: %s is %q, want %w", line, column, t.Columns[field], fields[field], err)
		}
		rows = append(rows, r)
	}
}

// maxRows bounds the rows of a table.
const maxRows = 1 << 20

// longest bounds the fields of a table, which errors repeat.
const longest = 2000

// names says which columns there are.
func (t *Table) names() string {
	text := strings.Join(t.Columns, ",")
	if len(t.Optional) > 0 {
		text += " (" + strings.Join(t.Optional, ", ") + " may be missing)"
	}
	return text
}

// places finds the table's columns in the first line, -1 for one that is missing.
func (t *Table) places(c *csv.Reader, first []string) ([]int, error) {
	places := slices.Repeat([]int{-1}, len(t.Columns))
	for i, name := range first {
		line, column := c.FieldPos(i)
		name = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")) // the mark of bytes that spreadsheets write
		at := slices.IndexFunc(t.Columns, func(known string) bool { return strings.EqualFold(known, name) })
		switch {
		case at < 0 && len(first) == 1 && strings.ContainsAny(name, ";\t"):
			return nil, fmt.Errorf("%d:%d: columns are separated by commas: %s", line, column, t.names())
		case at < 0:
			return nil, fmt.Errorf("%d:%d: there is no column %.60q, but %s", line, column, name, t.names())
		case places[at] >= 0:
			return nil, fmt.Errorf("%d:%d: column %s is there twice", line, column, t.Columns[at])
		}
		places[at] = i
	}
	for i, name := range t.Columns {
		if places[i] < 0 && !slices.Contains(t.Optional, name) {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("%d:1: the first line names no column %s; it names %s", line, name, t.names())
		}
	}
	return places, nil
}

// position puts the position of an error of package csv first.
func position(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return fmt.Errorf("%d:%d: %w", at.Line, at.Column, at.Err)
	}
	return err
}
