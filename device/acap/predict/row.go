package predict

import (
	"cmp"
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
	// First is what was predicted, in the row's unit, before the model knew anything of its source; 0 when that is not
	// known.
	First float64 `json:"first,omitempty"`
}

// Maker returns who published the measurement: "amd/IRON" of "amd/IRON pull 177", "E. Taka et al." of "E. Taka et al.,
// Striking the Balance".
func (r *Row) Maker() string { return maker.FindString(strings.TrimSpace(r.Source)) }

// LeftOut reports whether the fit of the presets leaves a row out: RMS norms of 2048 elements a
// row, on any number of columns. They take a third longer than the line through shorter and
// longer ones, which were published a month later: built from the same source, but with
// another compiler (mlir-air moved to other versions of llvm-aie and mlir-aie in between).
func (r *Row) LeftOut() bool {
	return strings.HasPrefix(plain(r.Workload), "rmsnorm") &&
		(r.N == 2048 || strings.Contains(r.Workload, "x2048"))
}

const (
	maxRows   = 1 << 20
	maxExtent = 1 << 31
)

var rowTable = table{columns: []string{"source", "device", "workload", "M", "K", "N", "dtype", "tiles", "metric", "value", "unit", "notes", "first"},
	optional: []string{"source", "M", "K", "N", "tiles", "notes", "first"}}

// Read reads rows from CSV text whose first line names the columns, in any order; source, M, K, N, tiles, notes and
// first may be missing. Errors start with the line and the column of what is wrong.
func Read(r io.Reader) ([]Row, error) {
	return readRows(&rowTable, r, func(line int, fields []string) (Row, int, error) {
		row, field, err := parseRow(fields)
		row.Line = line
		return row, field, err
	})
}

// parseRow also returns the field that is wrong, and what it should be as the error.
func parseRow(f []string) (Row, int, error) {
	r := Row{Source: f[0], Device: f[1], Workload: f[2], DType: f[6], Metric: f[8],
		Unit: f[10], Notes: f[11]}
	counts := [...]struct {
		field int
		to    *int
	}{{3, &r.M}, {4, &r.K}, {5, &r.N}, {7, &r.Tiles}}
	for _, c := range counts {
		text := strings.TrimSpace(f[c.field])
		if text == "" {
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil || v < 0 || v > maxExtent {
			return r, c.field, fmt.Errorf("a count up to %d", maxExtent)
		}
		*c.to = v
	}
	var err error
	if strings.TrimSpace(f[12]) != "" {
		if r.First, err = parseValue(f[12]); err != nil {
			return r, 12, err
		}
	}
	r.Value, err = parseValue(f[9])
	return r, 9, err
}

// ranges matches a number, and the end of a range such as 2.36–2.61.
var ranges = match(`^ *~? *([\d.]+(?:[eE][-+]?\d+)?)(?: *[-–—~] *([\d.]+(?:[eE][-+]?\d+)?))? *$`)

// parseValue reads a number, or a range and returns its middle.
func parseValue(s string) (float64, error) {
	g := ranges.FindStringSubmatch(s)
	if g == nil {
		return 0, fmt.Errorf("a positive number or a range of them")
	}
	a, err := strconv.ParseFloat(g[1], 64)
	b, errLast := strconv.ParseFloat(cmp.Or(g[2], g[1]), 64)
	if err != nil || errLast != nil || !(min(a, b) > 0 && max(a, b) < 1e18) {
		return 0, fmt.Errorf("a positive number or a range of them")
	}
	return (a + b) / 2, nil
}
