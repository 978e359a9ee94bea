package lazy

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/trace"
)

// overwrite lets results of a run have the memory of inputs that nobody needs afterwards, because they were donated or
// an operator in place has replaced them. It fills taken, which has a place for each result, and returns it. Nothing is
// taken where somebody looks at the inputs after the run.
func (r *Runtime) overwrite(p *program, g *trace.Graph, inputs []*buf.Buffer, taken []*buf.Buffer) []*buf.Buffer {
	donated := r.donations.on.Load()
	if p.overwrites == nil || p.fit != nil || !donated && !g.Replacing() || nans.stop.Load() || debugLevel() >= 2 {
		return taken
	}
	spent := g.Spent()
	if len(spent) == 0 {
		return taken
	}
	for i, e := range g.Roots {
		taken = append(taken, nil)
		input := p.overwrites[i]
		if input < 0 || input >= len(g.Leaves) {
			continue
		}
		leaf := g.Leaves[input]
		replaced, ok := spent[leaf]
		if !ok || !replaced && !(donated && r.donations.has(leaf)) {
			continue
		}
		t := e.Node.Types()[e.Result]
		if taken[i] = inputs[input].Overwrite(t.DType, t.Shape); taken[i] != nil {
			r.donations.forget(leaf)
		}
	}
	return taken
}

// lose takes the memory from the inputs that results have overwritten.
func (p *program) lose(inputs, taken []*buf.Buffer) {
	for i, b := range taken {
		if b != nil {
			inputs[p.overwrites[i]].Lose()
		}
	}
}
