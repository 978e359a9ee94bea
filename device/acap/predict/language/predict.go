package language

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/schedule"
)

// Prediction is a row with what the model says about it.
type Prediction struct {
	Row       Row     `json:"row"`
	Predicted float64 `json:"predicted_ms,omitempty"`
	Error     float64 `json:"error"` // predicted over measured, minus one
	// Low and High are between which a measurement is expected in 9 of 10 cases.
	Low  float64 `json:"low_ms,omitempty"`
	High float64 `json:"high_ms,omitempty"`
	// Cost is of a run of the program, or of all programs; what the host does besides is Host.
	Cost    schedule.Cost `json:"cost"`
	Host    float64       `json:"host_seconds"`
	Remarks []string      `json:"remarks,omitempty"` // what was assumed, and what may differ where the error is large
	Skipped string        `json:"skipped,omitempty"` // why there is no prediction
}

// Defaults says what a prediction assumes where rows say nothing.
type Defaults struct {
	machine.Setting                  // as [predict.Defaults] has it
	Machines        predict.Machines // nil is the presets
	// Token returns the time of a pass that a stack runs as one program, as stacks do that keep a model on the array:
	// of one token that sees earlier ones, or of a prompt. Package llm/account has such a function. Where Token is nil,
	// rows of such stacks have no prediction.
	Token func(m *machine.Machine, d *Decoder, tokens, seen int) (Token, error)
}

// Rows predicts every row on npu2, on which all of them were measured. Errors are those of [Defaults.Rows].
func Rows(rows []Row) ([]Prediction, error) { return Defaults{}.Rows(rows) }

// Rows predicts every row on npu2, in bf16 as the published kernels multiply it. A setting that npu2 does not have is
// an error; a row that cannot be predicted is none, but says why.
func (d Defaults) Rows(rows []Row) ([]Prediction, error) {
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
	p := NewPredictor(m)
	p.token = d.Token
	return p.Predict(rows), nil
}

// Predictor predicts language models on one machine.
type Predictor struct {
	timed
	token func(m *machine.Machine, d *Decoder, tokens, seen int) (Token, error)
}

// NewPredictor returns a Predictor that has timed nothing yet.
func NewPredictor(m *machine.Machine) *Predictor {
	return &Predictor{timed: timed{m, make(map[shape]schedule.Launch)}}
}

// On returns a Predictor that shares the times of kernels, for a machine that differs only
// in what launches and the host take.
func (l *Predictor) On(m *machine.Machine) *Predictor { return &Predictor{timed{m, l.known}, l.token} }

// Predict predicts every row.
func (l *Predictor) Predict(rows []Row) []Prediction {
	said := make(map[string]string) // of a model, in all its rows
	for _, r := range rows {
		said[r.Name] += r.Launches + "\n" + r.Remark + "\n"
	}
	plans := make(map[string]*plan)
	out := make([]Prediction, len(rows))
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
		p.compare("the prediction has mlir-air's programs for the layers, and attention of a token on the host; the measured programs")
	}
	return out
}
