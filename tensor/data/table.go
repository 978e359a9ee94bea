package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
)

// maxColumns bounds the columns of a table.
const maxColumns = 1 << 16

// Table is a dataset of rows: the features of each, float32 [F], and, if the table has a
// target, its value.
type Table struct {
	Arrays
	Columns []string // the names of the features

	// Classes are the names that a target stands for, sorted, if it is no number: it is an
	// int64 then, and float32 otherwise.
	Classes []string
}

// CSV reads a table from a file with comma-separated values; see [ReadCSV]. Errors name the file.
func CSV(path, target string) (*Table, error) {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := ReadCSV(file, target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// ReadCSV reads a table of comma-separated values: a first line with the names of the
// columns, then rows of numbers. The column named target, which may hold names instead, is
// what is to be learnt; "" stands for none. Errors give line and column of a cell.
func ReadCSV(r io.Reader, target string) (*Table, error) {
	limited := &io.LimitedReader{R: r, N: maxBytes}
	c := csv.NewReader(limited)
	c.ReuseRecord = true
	head, err := c.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("csv: the file is empty: its first line has the names of the columns")
	case err != nil:
		return nil, fmt.Errorf("csv: names of columns: %w", err)
	}
	names := slices.Clone(head)
	for i := range names {
		names[i] = strings.TrimSpace(strings.TrimPrefix(names[i], "\ufeff"))
	}
	at := slices.Index(names, target)
	if target != "" && at < 0 {
		return nil, fmt.Errorf("csv: there is no column %q; there is %s", target, strings.Join(names, ", "))
	}
	if target == "" {
		at = -1
	}
	if len(names) > maxColumns || len(names) < 1 || len(names) == 1 && at == 0 {
		return nil, fmt.Errorf("csv: %d columns", len(names))
	}
	t := &Table{}
	for i, name := range names {
		if i != at {
			t.Columns = append(t.Columns, name)
		}
	}
	numbers, targets, err := rows(c, at)
	if err != nil {
		return nil, err
	}
	if limited.N == 0 {
		return nil, fmt.Errorf("csv: more than %d bytes", maxBytes)
	}
	n := len(numbers) / len(t.Columns)
	t.Arrays = Arrays{buf.From(numbers, n, len(t.Columns))}
	if at >= 0 {
		t.Arrays = append(t.Arrays, t.encode(targets))
	}
	return t, nil
}

// rows reads the features of all rows, and the targets as text.
func rows(c *csv.Reader, target int) (numbers []float32, targets []string, err error) {
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return numbers, targets, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("csv: %w", err)
		}
		for i, cell := range row {
			cell = strings.TrimSpace(cell)
			if i == target {
				if cell == "" {
					line, column := c.FieldPos(i)
					return nil, nil, fmt.Errorf("csv: line %d, column %d: the target is empty", line, column)
				}
				targets = append(targets, strings.Clone(cell))
				continue
			}
			v, err := strconv.ParseFloat(cell, 32)
			if err != nil {
				line, column := c.FieldPos(i)
				return nil, nil, fmt.Errorf("csv: line %d, column %d: %.40q is no number", line, column, cell)
			}
			numbers = append(numbers, float32(v))
		}
	}
}

// encode makes numbers of targets: what they are, or the places of their names.
func (t *Table) encode(targets []string) *buf.Buffer {
	numbers := make([]float32, len(targets))
	for i, s := range targets {
		v, err := strconv.ParseFloat(s, 32)
		if err != nil {
			return t.classify(targets)
		}
		numbers[i] = float32(v)
	}
	return buf.From(numbers, len(numbers))
}

func (t *Table) classify(targets []string) *buf.Buffer {
	t.Classes = slices.Compact(slices.Sorted(slices.Values(targets)))
	b := buf.New(dtype.I64, []int{len(targets)})
	s := buf.Slice[int64](b)
	for i, name := range targets {
		k, _ := slices.BinarySearch(t.Classes, name)
		s[i] = int64(k)
	}
	return b
}
