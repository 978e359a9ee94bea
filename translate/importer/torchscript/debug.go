package torchscript

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// sourceMap says where in the original Python each part of a code file comes from. It is read from
// the file's .debug_pkl, which is optional and of no consequence: one that is damaged is ignored.
type sourceMap struct {
	lineStarts []int // byte offsets of the code file's lines
	records    []sourceRecord
}

// sourceRecord says that the code from an offset in bytes on comes from a place.
type sourceRecord struct {
	offset int
	place  mlir.Location
}

// at returns the place in the original Python of a position in the code.
func (m *sourceMap) at(p script.Position) (mlir.Location, bool) {
	if m == nil || p.Line < 1 || p.Line > len(m.lineStarts) {
		return mlir.Location{}, false
	}
	offset := m.lineStarts[p.Line-1] + p.Col - 1
	i := sort.Search(len(m.records), func(i int) bool { return m.records[i].offset > offset })
	if i == 0 || m.records[i-1].place.File == "" {
		return mlir.Location{}, false
	}
	return m.records[i-1].place, true
}

// readSourceMap reads the map of a code file, or returns nil.
func readSourceMap(data []byte, source string) *sourceMap {
	if data == nil {
		return nil
	}
	tree, err := pickle.Read(data, pickle.Limits{})
	if err != nil {
		return nil
	}
	m := &sourceMap{lineStarts: []int{0}}
	for i := range len(source) {
		if source[i] == '\n' {
			m.lineStarts = append(m.lineStarts, i+1)
		}
	}
	r := &sourceReader{lines: map[pickle.Value]sourceText{}}
	for _, row := range r.rows(tree) {
		if record, ok := r.record(row); ok {
			m.records = append(m.records, record)
		}
	}
	slices.SortStableFunc(m.records, func(a, b sourceRecord) int {
		return cmp.Compare(a.offset, b.offset)
	})
	return m
}

// sourceReader reads the rows of a .debug_pkl: tuples of an offset, a range and further things. A
// range is (source, start, end), with start and end in bytes of the source's text. A source is
// (text, file, first line); in newer releases text is a list of indices of lines in a table that
// the file begins with, and file is an index, too. The text of traced code is a stack trace.
type sourceReader struct {
	table []pickle.Value
	lines map[pickle.Value]sourceText // by source
}

// sourceText is a piece of an original file.
type sourceText struct {
	file   string
	first  int   // the line of the file where the text begins, from 1
	starts []int // byte offsets of the lines
}

func pickleItems(v pickle.Value) []pickle.Value {
	switch v := v.(type) {
	case *pickle.Tuple:
		return v.Items
	case *pickle.List:
		return v.Items
	case *pickle.Object: // torch.jit._pickle.build_intlist([...])
		if len(v.Args) == 1 {
			if l, ok := v.Args[0].(*pickle.List); ok {
				return l.Items
			}
		}
	}
	return nil
}

func (r *sourceReader) rows(tree pickle.Value) []pickle.Value {
	items := pickleItems(tree)
	if len(items) == 3 && items[0] == pickle.Value("FORMAT_WITH_STRING_TABLE") {
		r.table = pickleItems(items[1])
		return pickleItems(items[2])
	}
	return items
}

func (r *sourceReader) record(row pickle.Value) (sourceRecord, bool) {
	items := pickleItems(row)
	if len(items) < 2 {
		return sourceRecord{}, false
	}
	offset, ok := items[0].(int64)
	if !ok {
		return sourceRecord{}, false
	}
	for _, item := range items[1:] { // releases differ in where the range stands
		span := pickleItems(item)
		if len(span) != 3 {
			continue
		}
		start, ok := span[1].(int64)
		source, isTuple := span[0].(*pickle.Tuple)
		if !ok || !isTuple {
			continue
		}
		return sourceRecord{int(offset), r.source(source).at(int(start))}, true
	}
	return sourceRecord{}, false
}

// at returns the place of a byte offset of the text.
func (t sourceText) at(offset int) mlir.Location {
	i := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset })
	if t.file == "" || i == 0 {
		return mlir.Location{}
	}
	return mlir.Location{File: t.file, Line: t.first + i - 1, Col: offset - t.starts[i-1] + 1}
}

func (r *sourceReader) source(v *pickle.Tuple) sourceText {
	if done, ok := r.lines[v]; ok {
		return done
	}
	t := sourceText{}
	if len(v.Items) == 3 {
		t.file, _ = r.text(v.Items[1])
		first, _ := v.Items[2].(int64)
		t.first = int(first)
		length := 0
		if whole, ok := v.Items[0].(string); ok {
			for line := range strings.Lines(whole) {
				t.starts = append(t.starts, length)
				length += len(line)
			}
		}
		for _, index := range pickleItems(v.Items[0]) {
			line, _ := r.text(index)
			t.starts = append(t.starts, length)
			length += len(line)
		}
	}
	r.lines[v] = t
	return t
}

// text returns a string, which may be an index of the table.
func (r *sourceReader) text(v pickle.Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64:
		if v >= 0 && v < int64(len(r.table)) {
			s, ok := r.table[v].(string)
			return s, ok
		}
	}
	return "", false
}
