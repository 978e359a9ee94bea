package lazy

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// packed counts what a run of a program has computed from constants alone. The first time for a program is what it
// takes; each one after that has a reason.
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
