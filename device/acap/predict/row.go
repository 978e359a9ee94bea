package predict

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/predict/notation"
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
	// First is the prediction, in the row's unit, that was made before the model knew anything of the row's source; 0
	// if it is not known.
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
	return strings.HasPrefix(notation.Plain(r.Workload), "rmsnorm") &&
		(r.N == 2048 || strings.Contains(r.Workload, "x2048"))
}

var rowTable = notation.Table{Columns: []string{"source", "device", "workload", "M", "K", "N", "dtype", "tiles", "metric", "value", "unit", "notes", "first"},
	Optional: []string{"source", "M", "K", "N", "tiles", "notes", "first"}}

// Read reads rows from CSV text whose first line names the columns, in any order; source, M, K, N, tiles, notes and
// first may be missing. Errors start with the line and the column of what is wrong.
func Read(r io.Reader) ([]Row, error) {
	return notation.ReadRows(&rowTable, r, func(line int, fields []string) (Row, int, error) {
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
		if err != nil || v < 0 || v > notation.MaxExtent {
			return r, c.field, fmt.Errorf("a count up to %d", notation.MaxExtent)
		}
		*c.to = v
	}
	var err error
	if strings.TrimSpace(f[12]) != "" {
		if r.First, err = notation.Value(f[12]); err != nil {
			return r, 12, err
		}
	}
	r.Value, err = notation.Value(f[9])
	return r, 9, err
}

// plain returns the row with its texts in plain notation, which the rules compare.
func (r Row) plain() Row {
	for _, s := range []*string{&r.Source, &r.Device, &r.Workload, &r.DType, &r.Metric, &r.Unit,
		&r.Notes} {
		*s = notation.Plain(*s)
	}
	return r
}
