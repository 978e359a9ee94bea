package language

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/predict/notation"
)

// Row is one published measurement of a whole language model.
type Row struct {
	Line int `json:"line"` // in the file
	Decoder
	Phase    string  `json:"phase"`              // "prefill" or "decode"
	What     string  `json:"what"`               // "program", "device", "wall" or "token"; "watts" of the array meanwhile
	Program  string  `json:"program,omitempty"`  // name of a program, "iron" for one call a kernel
	Launches string  `json:"launches,omitempty"` // of a program, or how a layer is cut into programs
	Runs     int     `json:"runs,omitempty"`     // of a program
	MS       float64 `json:"ms"`                 // or watts
	Remark   string  `json:"remark,omitempty"`
	Source   string  `json:"source,omitempty"` // who measured
}

// Group is the rows with whose error this one's is told: programs of the array and sums of
// them, or times on the wall.
func (r *Row) Group() string {
	if r.What == "watts" {
		return "language models, watts"
	}
	if r.What == "wall" || r.What == "token" {
		return "language models, wall"
	}
	return "language models, array"
}

// rowTable is a file of language models.
var rowTable = notation.Table{Columns: []string{"model", "layers", "emb", "q_heads", "kv_heads", "head_dim", "hidden", "vocab",
	"phase", "what", "program", "launches", "runs", "ms", "remark", "source"}, Optional: []string{"program", "launches", "runs", "remark", "source"}}

// IsTable reports whether text is a table of language models rather than of kernels, by the names of its columns.
func IsTable(text string) bool {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if !strings.HasPrefix(line, "#") {
			names := strings.Split(strings.ToLower(strings.TrimSpace(line)), ",")
			return slices.Contains(names, "model") && slices.Contains(names, "phase")
		}
	}
	return false
}

// Read reads rows of language models from CSV text whose first line names the columns, in any order; program,
// launches, runs, remark and source may be missing. Errors start with the line and the column of what is wrong.
func Read(r io.Reader) ([]Row, error) {
	return notation.ReadRows(&rowTable, r, func(line int, fields []string) (Row, int, error) {
		row, field, err := parseRow(fields)
		row.Line = line
		return row, field, err
	})
}

// maxWidth bounds the sizes of a model's configuration.
const maxWidth = 1 << 20

// parseRow also returns the field that is wrong, and what it should be as the error.
func parseRow(f []string) (Row, int, error) {
	r := Row{Decoder: Decoder{Name: f[0]}, Phase: notation.Plain(f[8]), What: notation.Plain(f[9]), Program: notation.Plain(f[10]),
		Launches: notation.Plain(f[11]), Remark: notation.Plain(f[14]), Source: strings.TrimSpace(f[15])}
	for i, to := range []*int{&r.Layers, &r.Emb, &r.Heads, &r.KVHeads, &r.HeadDim, &r.Hidden, &r.Vocab} {
		v, err := strconv.Atoi(strings.TrimSpace(f[i+1]))
		if err != nil || v < 1 || v > maxWidth {
			return r, i + 1, fmt.Errorf("a count up to %d", maxWidth)
		}
		*to = v
	}
	switch {
	case r.Layers > 1<<10:
		return r, 1, fmt.Errorf("at most %d layers", 1<<10)
	case r.Heads%r.KVHeads != 0:
		return r, 4, fmt.Errorf("a divisor of the %d heads that share them", r.Heads)
	case r.HeadDim%2 != 0:
		return r, 5, fmt.Errorf("an even width, as rotary positions come in pairs")
	}
	if r.Phase != "prefill" && r.Phase != "decode" {
		return r, 8, fmt.Errorf("prefill or decode")
	}
	switch r.What {
	case "program", "device", "wall", "token", "watts":
	default:
		return r, 9, fmt.Errorf("program, device, wall or token, or watts")
	}
	if text := strings.TrimSpace(f[12]); text != "" {
		v, err := strconv.Atoi(text)
		if err != nil || v < 1 || v > maxWidth {
			return r, 12, fmt.Errorf("a count up to %d", maxWidth)
		}
		r.Runs = v
	}
	v, err := notation.Value(f[13])
	if err != nil {
		return r, 13, err
	}
	r.MS = v
	return r, 0, nil
}
