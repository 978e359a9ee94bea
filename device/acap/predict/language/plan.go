package language

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/schedule"
)

// The host's work for a token in the published programs of language models, in seconds a layer: mlir-air's profile of
// Llama-3.2-1B, 0.3 ms for attention of one token with 2048 wide queries, and its descriptions of models whose norm,
// sums and SiLU of a token are the host's, 0.13 ms.
const (
	hostAttention      = 0.3e-3
	hostAttentionWidth = 2048
	hostRest           = 0.13e-3
)

// headRows is the rows of the vocabulary in a launch of the head.
const headRows = 8192

// plan is a language model as programs: the programs of a layer, and the program of the head.
type plan struct {
	*timed
	decoder Decoder
	tokens  int // 1 while decoding
	// position is the tokens before the one that is decoded, 0 where nobody says.
	position int
	layer    []string // lists of launches

	programs []flow
	head     flow
	err      error
}

// flow is a program with the bytes that it hands back to the host.
type flow struct {
	schedule.Program
	read int64
}

// build makes the programs.
func (p *plan) build() {
	for _, list := range p.layer {
		f, err := p.program(list)
		if err != nil {
			p.err = err
			return
		}
		p.programs = append(p.programs, f)
	}
	d := &p.decoder
	launches := (d.Vocab + headRows - 1) / headRows
	last := *p // position
	last.tokens = 1
	p.head, p.err = last.program(fmt.Sprintf("%d x gemv %dx%d", launches, headRows, d.Emb))
}

// program makes the program of a list of launches.
func (p *plan) program(list string) (flow, error) {
	launches, err := p.decoder.launches(p.timed, p.tokens, list)
	if err != nil {
		return flow{}, err
	}
	f := flow{Program: schedule.Program{Name: list, Launches: launches, Amid: true}}
	f.Written, f.read = p.traffic(list)
	return f, nil
}

// traffic returns the bytes that the host hands to a program and takes from it. The wide
// tensors between the projections of a gated SiLU remain where programs share them; all else
// that one program makes for another passes through the host's hands.
func (p *plan) traffic(list string) (written, read int64) {
	d := &p.decoder
	parts := strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '+' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	heads := d.q() + 2*d.kv()
	in, out := d.Emb, d.Emb
	residual := strings.Contains(list, "add") || strings.Contains(list, "ffn")
	switch first := parts[0]; {
	case strings.Contains(first, "attention"):
		in = heads
	case strings.HasPrefix(first, "o"), strings.HasPrefix(first, "ge") && residual:
		in = d.q()
		if residual {
			in += d.Emb
		}
	case first == "silu_mul":
		in = 0
	case first == "down" && !residual:
		in = 0
	}
	switch last := parts[len(parts)-1]; {
	case strings.HasPrefix(last, "rope"):
		out = heads
	case strings.Contains(last, "attention"):
		out = d.q()
	case last == "rmsnorm":
		out = 2 * d.Emb
	case last == "gate", last == "up", last == "silu_mul":
		out = 0
	}
	size := int64(p.tokens) * 2
	if strings.Contains(list, "x gemv") { // of the last position
		size = 2
	}
	return size * int64(in), size * int64(out)
}

// attention is seconds of the host for one layer's attention of a token. The profile does not say how many came
// before it: a row that does has as many keys and values read besides, at the rate at which the host copies.
func (p *plan) attention() float64 {
	d := &p.decoder
	seconds := float64(hostAttention * float64(d.q()) / hostAttentionWidth)
	if rate := p.machine.Host.Copy.Value; rate > 0 {
		const size = 2 // bytes of bf16
		seconds += float64(p.position) * float64(2*d.kv()*size) / rate
	}
	return seconds
}

// cost returns what all programs of the model take, and what the host does besides.
func (p *plan) cost() (schedule.Cost, float64) {
	var c schedule.Cost
	d := &p.decoder
	moved := int64(0)
	for i := range p.programs {
		f := &p.programs[i]
		c.Add(f.Cost(p.machine), d.Layers)
		moved += f.Written + f.read
	}
	c.Add(p.head.Cost(p.machine), 1)
	if p.tokens > 1 && d.HeadDim > 64 {
		moved += int64(p.tokens) * 2 * int64(2*d.q()+2*d.kv()) // transposed around attention
	}
	host := 0.0
	if p.machine.Host.Copy.Value > 0 {
		host = float64(moved) / p.machine.Host.Copy.Value
	}
	if p.tokens == 1 {
		host += p.attention()
		if len(p.programs) > 2 {
			host += hostRest
		}
	}
	return c, host * float64(d.Layers)
}

// separate returns what the model takes with one call a kernel: the host hands over all
// operands each time, and what kernels make for one another passes through its hands.
func (p *plan) separate() (schedule.Cost, float64) {
	var c schedule.Cost
	d, h := &p.decoder, &p.machine.Host
	moved := 0.0
	add := func(f *flow, times int) {
		alone := f.Program
		alone.Written = 0 // operands below are all that the host hands over
		one := alone.Separate(p.machine)
		for _, l := range f.Launches {
			bytes, weights := l.Kernel.Bytes(), int64(0)
			for _, s := range l.Kernel.Inputs() {
				if s.Constant {
					weights += s.Bytes()
				}
			}
			if h.Write.Value > 0 {
				one.Write += float64(bytes) / h.Write.Value
			}
			moved += float64(float64(times) * float64(bytes-weights))
		}
		c.Add(one, times)
	}
	for i := range p.programs {
		add(&p.programs[i], d.Layers)
	}
	add(&p.head, 1)
	host := 0.0
	if h.Copy.Value > 0 {
		host = moved / h.Copy.Value
	}
	if p.tokens == 1 {
		host += float64(p.attention() * float64(d.Layers))
	}
	return c, host
}

// fill predicts a row.
func (p *Prediction) fill(whole *plan) error {
	r := &p.Row
	if whole.err != nil {
		return whole.err
	}
	switch {
	case r.What == "watts":
		return fmt.Errorf("watts are told of tokens in one program alone: a row that names flm")
	case r.What == "program" && r.Launches == "":
		return fmt.Errorf("the row names no launches")
	case r.What == "program":
		f, err := whole.program(r.Launches)
		if err != nil {
			return err
		}
		p.Cost = f.Cost(whole.machine)
	case r.Program == "iron":
		p.Cost, p.Host = whole.separate()
	default:
		p.Cost, p.Host = whole.cost()
	}
	if r.What == "device" {
		p.Cost.Write, p.Host = 0, 0
	}
	p.Predicted = 1e3 * (p.Cost.Seconds() + p.Host)
	return nil
}
