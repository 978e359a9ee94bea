package language

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
)

// Token is the cost of a token as one program, or of a prompt with a program for each of its pieces.
type Token struct {
	schedule.Cost
	Energy timing.Energy
}

var (
	// wholeNote is said of stacks that keep a model on the array.
	wholeNote = notation.Match(`\bflm\b|\bfastflowlm\b|\bone program (?:a|per|for a) token\b`)
	clockNote = notation.Match(`\b(?:pmode|mode)[ :=]*(\w+)`)
)

// chosen is the bytes that the host moves for each score to choose a token, pass by pass, as FastFlowLM's sampler does
// (its src/common/modules/sampler.cpp). The sampler reads bf16 and writes f32. It reads the token's last place, its
// count and the score, and writes the score after penalties. It reads the score to find the greatest, divides the score
// by the temperature, and reads it to find the best few.
const chosen = (2 + 4) + (4 + 4 + 4 + 4) + 4 + (4 + 4) + 4

// used is the machine as a row says that it was used: the state of its clock, and started by the host's clock, as
// tokens are measured.
func used(m *machine.Machine, text string) (*machine.Machine, error) {
	var s machine.Setting
	if g := clockNote.FindStringSubmatch(text); g != nil {
		if _, ok := m.Modes[g[1]]; ok {
			s.Mode = g[1]
		}
	}
	if slices.Contains(m.Dispatches(), "wall") {
		s.Dispatch = "wall"
	}
	return s.Of(m)
}

// whole predicts a token, or a prompt of so many, of a stack that keeps the model on the array.
func (p *Prediction) whole(l *Predictor, d *Decoder, tokens, position int) {
	if l.token == nil {
		p.Skipped = "Defaults has no Token, which tells what one program for a token takes"
		return
	}
	m, err := used(l.machine, p.Row.Remark)
	if err == nil {
		var token Token
		token, err = l.token(m, d, tokens, position+tokens)
		p.Cost, p.Predicted = token.Cost, token.Energy.Array()/token.Seconds()
	}
	if err != nil {
		p.Skipped = err.Error()
		return
	}
	if p.Row.What != "watts" {
		if rate := m.Host.Copy.Value; rate > 0 {
			p.Host = chosen * float64(d.Vocab) / rate
		}
		p.Predicted = 1e3 * (p.Cost.Seconds() + p.Host)
	}
	p.Remarks = append(p.Remarks, "one program for a token, in mappings of ours; weights of 4 bits with a scale and a least value for 32")
	if tokens > 1 {
		p.Remarks[0] = strings.Replace(p.Remarks[0], "a token", "each piece of a prompt", 1)
	} else if position == 0 {
		p.Remarks = append(p.Remarks, "no position said: no tokens before the one that is decoded")
	}
	differs := "its kernels"
	if tokens > 1 {
		differs = "its kernels, and what a server does before it reads a prompt,"
	}
	p.compare(differs)
}
