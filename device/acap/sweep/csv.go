package sweep

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV prints points as a table; names are the names of the fields that vary. An error is one of w.
func WriteCSV(w io.Writer, names []string, points []*Point) error {
	out := csv.NewWriter(w)
	head := append([]string{"machine"}, names...)
	out.Write(append(head, "cores", "memory_bytes", "ddr_bytes_per_second", "seconds", "ideal_seconds",
		"peak_share", "l3_read_bytes", "l3_write_bytes", "joules_estimate", "bound", "pareto", "error"))
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for _, p := range points {
		row := []string{p.Machine}
		for _, n := range names {
			row = append(row, strconv.FormatFloat(p.Set[n], 'g', -1, 64))
		}
		out.Write(append(row, strconv.Itoa(p.Cores), strconv.Itoa(p.Memory), f(p.Bandwidth),
			f(p.Seconds), f(p.Ideal), f(p.PeakShare), strconv.FormatInt(p.ReadL3, 10),
			strconv.FormatInt(p.WriteL3, 10), f(p.Joules), p.Bound, strconv.FormatBool(p.Pareto), p.Error))
	}
	out.Flush()
	return out.Error()
}
