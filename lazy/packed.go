package lazy

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// packed counts what a run of a program has computed from constants alone. The first time is necessary for a program;
// each later time has a reason.
func (s *stats) packed(p *program, packed device.Packed) {
	s.packs.Add(packed.Operands)
	s.packedBytes.Add(packed.Bytes)
	if !p.packedBefore.Swap(true) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.repacked == nil {
		s.repacked = map[string]int{}
	}
	if reason := p.repacked(packed.Input); len(s.repacked) < mostWarnings || s.repacked[reason] > 0 {
		s.repacked[reason]++
	}
}

// CountPacked counts an operand of the given bytes that the caller has packed for all its programs.
func (r *Runtime) CountPacked(bytes int) {
	r.stats.packs.Add(1)
	r.stats.packedBytes.Add(int64(bytes))
}

// repacked says where a program was recorded, and which of its constants has changed.
func (p *program) repacked(input int) string {
	at := ""
	if calls := p.sketch.Calls(); calls > 0 {
		_, loc := p.sketch.Call(calls - 1)
		at = loc.Short()
	}
	return fmt.Sprintf("the program of %s: %s", orUnknown(at), p.otherInput(input))
}

// otherInput says that an input is another constant than in the run before.
func (p *program) otherInput(input int) string {
	t, op, where, ok := p.sketch.Input(input)
	if !ok {
		return "some of its constants are other ones than in the run before"
	}
	return fmt.Sprintf("input %d, %v of %s at %s, is another constant than in the run before", input,
		mlir.Tensor(t.DType, t.Shape), op, orUnknown(where))
}

// stored says which kernels read blocks, and why weights of groups become floats.
func (e *Explanation) stored(g *trace.Graph) {
	for _, k := range e.Kernels {
		if f, _ := dtype.FormatNamed(k.Stored); f != dtype.Plain {
			e.Packing = append(e.Packing, fmt.Sprintf("%s reads weights in blocks of %v, which have %.4g bits a value", k.Name, f,
				8*float64(f.Bytes())/float64(f.Block())))
		}
	}
	for i := range g.Nodes {
		if c := g.Nodes[i].Pattern(); c.Op != nil {
			if why := ops.WhyNoBlocks(c); why != "" {
				e.Packing = append(e.Packing, fmt.Sprintf("%s at %s gives floats: %s", c.Op.Name(), orUnknown(g.Nodes[i].Location().Short()), why))
			}
		}
	}
}

// packing says what a run with given inputs packs.
func (e *Explanation) packing(p *program, inputs []*buf.Buffer) {
	for _, k := range e.Kernels {
		e.PackedOnce += k.PackedOnce
		if e.PackedEach += k.PackedEach; k.PackedEach > 0 {
			e.Packing = append(e.Packing, fmt.Sprintf("%s packs %s in every run: %s", k.Name, buf.Size(k.PackedEach), k.PackedWhy))
		}
	}
	if p.packs == nil || e.PackedOnce == 0 {
		return
	}
	bound, input := p.packs.Binds(inputs)
	switch e.Packs = !bound; {
	case bound:
	case p.runs.Load() == 0:
		e.Packing = append(e.Packing, fmt.Sprintf("%s of constants are packed now and kept: it is the first run", buf.Size(e.PackedOnce)))
	default:
		e.Packing = append(e.Packing, fmt.Sprintf("%s of constants are packed now and kept: %s", buf.Size(e.PackedOnce), p.otherInput(input)))
	}
}
