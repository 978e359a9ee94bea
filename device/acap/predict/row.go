package predict

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Row is one published measurement.
type Row struct {
	Line     int     `json:"line"` // in the file
	Source   string  `json:"source"`
	Device   string  `json:"device"`
	Workload string  `json:"workload"`
	M        int     `json:"m,omitempty"` // 0 when the row has none
	K        int     `json:"k,omitempty"`
	N        int     `json:"n,omitempty"`
	DType    string  `json:"dtype"`
	Tiles    int     `json:"tiles,omitempty"` // cores used, 0 when unknown
	Metric   string  `json:"metric"`
	Value    float64 `json:"value"` // the middle of a range
	Unit     string  `json:"unit"`
	Notes    string  `json:"notes,omitempty"`
}

const (
	maxRows   = 1 << 20
	maxExtent = 1 << 31
)

var header = []string{"source", "device", "workload", "M", "K", "N", "dtype", "tiles",
	"metric", "value", "unit", "notes"}

// Read reads rows from CSV text whose first line is the header.
func Read(r io.Reader) ([]Row, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = len(header)
	first, err := c.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("rows: the file is empty; its first line names the columns %s",
			strings.Join(header, ","))
	}
	if err != nil {
		return nil, fmt.Errorf("rows: %w", err)
	}
	first[0] = strings.TrimPrefix(first[0], "\ufeff") // the mark of bytes that spreadsheets write
	for i, name := range header {
		if strings.TrimSpace(first[i]) != name {
			return nil, fmt.Errorf("rows: 1: column %d is %q, want %q", i+1, first[i], name)
		}
	}
	var rows []Row
	for {
		record, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("rows: %w", err)
		}
		line, _ := c.FieldPos(0)
		row, err := parseRow(record)
		if err != nil {
			return nil, fmt.Errorf("rows: %d: %w", line, err)
		}
		row.Line = line
		if rows = append(rows, row); len(rows) > maxRows {
			return nil, fmt.Errorf("rows: more than %d rows", maxRows)
		}
	}
}

func parseRow(f []string) (Row, error) {
	r := Row{Source: f[0], Device: f[1], Workload: f[2], DType: f[6], Metric: f[8],
		Unit: f[10], Notes: f[11]}
	for i, p := range map[int]*int{3: &r.M, 4: &r.K, 5: &r.N, 7: &r.Tiles} {
		if f[i] == "" {
			continue
		}
		v, err := strconv.Atoi(f[i])
		if err != nil || v < 0 || v > maxExtent {
			return r, fmt.Errorf("%s is %q, want a count", header[i], f[i])
		}
		*p = v
	}
	var err error
	r.Value, err = parseValue(f[9])
	return r, err
}

// parseValue reads a number or a range such as 2.36–2.61, of which it returns
// the middle.
func parseValue(s string) (float64, error) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '–' || r == '~' })
	if len(parts) == 0 || len(parts) > 2 {
		return 0, fmt.Errorf("value is %q, want a number", s)
	}
	var sum float64
	for _, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v > 0 && v < 1e18) {
			return 0, fmt.Errorf("value is %q, want a positive number", s)
		}
		sum += v
	}
	return sum / float64(len(parts)), nil
}
