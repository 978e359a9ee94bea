package predict

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/schedule"
)

// ModelRow is one published measurement of a whole language model.
type ModelRow struct {
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
func (r *ModelRow) Group() string {
	if r.What == "watts" {
		return "language models, watts"
	}
	if r.What == "wall" || r.What == "token" {
		return "language models, wall"
	}
	return "language models, array"
}

// modelTable is a file of language models.
var modelTable = notation.Table{Columns: []string{"model", "layers", "emb", "q_heads", "kv_heads", "head_dim", "hidden", "vocab",
	"phase", "what", "program", "launches", "runs", "ms", "remark", "source"}, Optional: []string{"program", "launches", "runs", "remark", "source"}}

// IsModels reports whether text is a table of language models rather than of kernels, by the names of its columns.
func IsModels(text string) bool {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if !strings.HasPrefix(line, "#") {
			names := strings.Split(strings.ToLower(strings.TrimSpace(line)), ",")
			return slices.Contains(names, "model") && slices.Contains(names, "phase")
		}
	}
	return false
}

// ReadModels reads rows of language models from CSV text whose first line names the columns, in any order; program,
// launches, runs, remark and source may be missing. Errors start with the line and the column of what is wrong.
func ReadModels(r io.Reader) ([]ModelRow, error) {
	return notation.ReadRows(&modelTable, r, func(line int, fields []string) (ModelRow, int, error) {
		row, field, err := parseModelRow(fields)
		row.Line = line
		return row, field, err
	})
}

// maxWidth bounds the sizes of a model's configuration.
const maxWidth = 1 << 20

// parseModelRow also returns the field that is wrong, and what it should be as the error.
func parseModelRow(f []string) (ModelRow, int, error) {
	r := ModelRow{Decoder: Decoder{Name: f[0]}, Phase: notation.Plain(f[8]), What: notation.Plain(f[9]), Program: notation.Plain(f[10]),
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

// ModelPrediction is a row with what the model says about it.
type ModelPrediction struct {
	Row       ModelRow `json:"row"`
	Predicted float64  `json:"predicted_ms,omitempty"`
	Error     float64  `json:"error"` // predicted over measured, minus one
	// Low and High are between which a measurement is expected: see [Interval].
	Low  float64 `json:"low_ms,omitempty"`
	High float64 `json:"high_ms,omitempty"`
	// Cost is of a run of the program, or of all programs; what the host does besides is Host.
	Cost    schedule.Cost `json:"cost"`
	Host    float64       `json:"host_seconds"`
	Remarks []string      `json:"remarks,omitempty"` // what was assumed, and what may differ where the error is large
	Skipped string        `json:"skipped,omitempty"` // why there is no prediction
}

// Models predicts every row on npu2, on which all of them were measured.
func Models(rows []ModelRow) ([]ModelPrediction, error) { return Defaults{}.Models(rows) }

// Models predicts every row on npu2, in bf16 as the published kernels multiply it.
func (d Defaults) Models(rows []ModelRow) ([]ModelPrediction, error) {
	if d.Machines == nil {
		d.Machines = machine.Preset
	}
	m, err := d.Machines("npu2")
	if err != nil {
		return nil, err
	}
	if d.BF16 == "" {
		d.BF16 = machine.BF16Emulated
	}
	if m, err = d.Of(m); err != nil {
		return nil, err
	}
	l := NewLanguage(m)
	l.token = d.Token
	return l.Predict(rows), nil
}

// Language predicts language models on one machine.
type Language struct {
	timed
	token func(m *machine.Machine, d *Decoder, tokens, seen int) (Token, error)
}

// NewLanguage returns a Language that has timed nothing yet.
func NewLanguage(m *machine.Machine) *Language {
	return &Language{timed: timed{m, make(map[shape]schedule.Launch)}}
}

// On returns a Language that shares the times of kernels, for a machine that differs only
// in what launches and the host take.
func (l *Language) On(m *machine.Machine) *Language { return &Language{timed{m, l.known}, l.token} }

// Predict predicts every row.
func (l *Language) Predict(rows []ModelRow) []ModelPrediction {
	said := make(map[string]string) // of a model, in all its rows
	for _, r := range rows {
		said[r.Name] += r.Launches + "\n" + r.Remark + "\n"
	}
	plans := make(map[string]*plan)
	out := make([]ModelPrediction, len(rows))
	for i, r := range rows {
		p := &out[i]
		p.Row = r
		d := r.Decoder
		d.Biases, d.HeadNorm = d.has(said[r.Name])
		text := notation.Plain(strings.Join([]string{r.Name, r.Program, r.Launches, r.Remark}, "\n"))
		d.Packed = packedNote.MatchString(text)
		tokens, position := 1, 0
		if r.Phase == "prefill" {
			tokens = sequence(said[r.Name])
		} else {
			position = positionOf(r.Launches + "\n" + r.Remark)
		}
		if wholeNote.MatchString(text) {
			if r.Phase == "prefill" {
				tokens = sequence(r.Launches + "\n" + r.Remark)
			}
			p.whole(l, &d, tokens, position)
			continue
		}
		key := fmt.Sprint(d, tokens, position)
		whole := plans[key]
		if whole == nil {
			whole = &plan{timed: &l.timed, decoder: d, tokens: tokens, position: position, layer: layerPrograms(&d, tokens, rows)}
			whole.build()
			plans[key] = whole
		}
		if err := p.fill(whole); err != nil {
			p.Skipped = err.Error()
			continue
		}
		p.compare("the programs of its layers, which are those of mlir-air here with attention of a token by the host,")
	}
	return out
}

var (
	biasNote     = notation.Match(`\b(?:(no|without) )?(?:[qkv/]+[ -])?bias(?:es)?\b`)
	headNormNote = notation.Match(`\b(?:(no|without) )?(?:norms? of heads|head[ -]norms?|qk?/?k?[ -]?norms?|norm q\b)`)
	// families are models by their names, and what those have that rows need not say.
	families = []struct {
		name             *notation.Pattern
		biases, headNorm bool
	}{{notation.Match(`\bqwen-?2`), true, false}, {notation.Match(`\bqwen-?3|\bgemma-?3`), false, true}}

	packedNote   = notation.Match(`\bawq\b|\bq4|\b(?:int|w)4\b|\b4[- ]bit`)
	positionNote = notation.Match(`\b(?:position|context|cache|sequence)(?: of| length)? (\d+)`)
	sequenceNote = notation.Match(`\bsequence (\d+)`)
	programsNote = notation.Match(`(\d+) programs a layer(?: and the head)?(?:: *(.*))?`)
)

// has tells whether projections have biases and heads norms: by what rows of the model say, else by its name.
func (d *Decoder) has(said string) (biases, headNorm bool) {
	for _, f := range families {
		if f.name.MatchString(notation.Plain(d.Name)) {
			biases, headNorm = f.biases, f.headNorm
		}
	}
	if g := biasNote.FindStringSubmatch(said); g != nil {
		biases = g[1] == ""
	}
	if g := headNormNote.FindStringSubmatch(said); g != nil {
		headNorm = g[1] == ""
	}
	return biases, headNorm
}

// positionOf is the tokens before the one that is decoded, 0 where the row does not say.
func positionOf(text string) int {
	if v := notation.Numbers(positionNote, text); v != nil && v[0] <= maxWidth {
		return v[0]
	}
	return 0
}

// sequence is the tokens of a prefill.
func sequence(text string) int {
	if v := notation.Numbers(sequenceNote, text); v != nil && v[0] <= maxWidth {
		return v[0]
	}
	return 2048
}

// layerPrograms returns the lists of launches of the programs of a layer: those that a row
// of the model says, or those that the builders of such models make.
func layerPrograms(d *Decoder, tokens int, rows []ModelRow) []string {
	phase, few := "decode", d.Emb < 2560 && d.Hidden%512 == 0
	if tokens > 1 {
		phase, few = "prefill", d.Hidden%1024 == 0
	}
	for _, r := range rows {
		if r.Name != d.Name || r.Phase != phase {
			continue
		}
		if g := programsNote.FindStringSubmatch(r.Launches); g != nil {
			few = g[1] == "2" || g[1] == "3"
			if list := strings.Split(g[2], ";"); len(list) > 1 {
				return list
			}
		}
	}
	before := "rmsnorm+qkv"
	if d.Biases {
		before += "+biases"
	}
	if d.HeadNorm {
		before += "+norms of heads"
	}
	before += "+rope"
	switch {
	case tokens > 1 && few:
		return []string{before, "attention", "o+ffn"}
	case tokens > 1:
		return []string{before, "attention", "o+add+rmsnorm", "gate+up", "silu_mul", "down+add"}
	case few:
		return []string{before, "o+ffn"}
	}
	return []string{before, "o", "gate", "up", "down"}
}
