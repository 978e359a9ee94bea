package trace

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Template is the calls that a function has recorded, with places for its inputs. It does not change and may be used by
// many goroutines.
type Template struct {
	calls     []templateCall
	externals []external
	guards    []guard
	results   []templateResult
	draws     int
}

type templateResult struct {
	value  int32
	result int
}

// Replayer is the runtime that the calls of a template are recorded on.
type Replayer interface {
	Draw() (seed, counter ops.Value)
	Read(v ops.Value, what string) (*buf.Buffer, error)
	// Recorded is told of each call.
	Recorded(n *Node) error
}

// Keeps reports whether calls take results of calls before a value that is read, which [Template.Replay] has the
// program that computes the value keep. When the calls were recorded first, nobody knew of those that follow, and a
// program computed the results again.
func (t *Template) Keeps() bool {
	return slices.ContainsFunc(t.guards, func(g guard) bool { return len(g.later) > 0 })
}

// Replay records the calls of the function for new inputs. ok is false if the inputs differ from the recorded ones
// where this matters: an input has another type, two inputs that were one tensor are two, or an input whose elements
// the function read has other elements. An error is one of the Replayer.
func (t *Template) Replay(inputs []ops.Value, r Replayer) (results []ops.Value, ok bool, err error) {
	for i := range t.externals {
		if e := &t.externals[i]; e.kind == externalConstant && (e.node.grad != e.grad || e.node.Pending()) {
			return nil, false, nil
		}
	}
	p := &replay{t: t, r: r, inputs: inputs, noGrad: NoGradient()}
	for i := range t.guards {
		if g := &t.guards[i]; g.value < 0 {
			if same, err := p.same(g); err != nil || !same {
				return nil, false, err
			}
		}
	}
	if t.draws > 0 {
		p.draws = make([]Draw, t.draws)
		for i := range p.draws {
			p.draws[i].Seed, p.draws[i].Counter = r.Draw()
		}
	}
	return p.run()
}

// replay is a template that is being recorded.
type replay struct {
	t      *Template
	r      Replayer
	inputs []ops.Value
	draws  []Draw
	noGrad bool
	nodes  []*Node
	inner  []Node // of calls that are no results: nobody but other calls has them
}

func (p *replay) run() (results []ops.Value, ok bool, err error) {
	t := p.t
	p.nodes = make([]*Node, 0, len(t.calls))
	count := len(t.calls)
	for i := range t.calls {
		if t.calls[i].result {
			count--
		}
	}
	p.inner = make([]Node, count)
	next := 0
	for i := range t.guards {
		g := &t.guards[i]
		if g.value < 0 {
			continue
		}
		if err := p.record(next, g.calls); err != nil {
			return nil, false, err
		}
		next = max(next, g.calls)
		if same, err := p.same(g); err != nil || !same {
			abandon(p.nodes)
			return nil, false, err
		}
	}
	if err := p.record(next, len(t.calls)); err != nil {
		return nil, false, err
	}
	results = make([]ops.Value, len(t.results))
	for i, of := range t.results {
		results[i] = p.value(of.value, of.result)
	}
	return results, true, nil
}

// same reads the value of a guard and compares. Calls that later ones take are awaited meanwhile.
func (p *replay) same(g *guard) (bool, error) {
	for _, i := range g.later {
		p.nodes[i].waiting.Add(1)
		defer p.nodes[i].waiting.Add(-1)
	}
	b, err := p.r.Read(p.value(g.value, g.result), "what the calls depend on")
	return err == nil && g.equal(b), err
}

// value returns what a reference stands for. A value from outside is a result of its own.
func (p *replay) value(ref int32, result int) ops.Value {
	if ref >= 0 {
		return p.nodes[ref].Result(result)
	}
	if e := &p.t.externals[-1-ref]; e.kind == externalInput {
		return p.inputs[e.index]
	}
	return p.node(ref).Result(result)
}

func (p *replay) node(ref int32) *Node {
	if ref >= 0 {
		return p.nodes[ref]
	}
	var v ops.Value
	switch e := &p.t.externals[-1-ref]; e.kind {
	case externalConstant:
		return e.node
	case externalInput:
		v = p.inputs[e.index]
	case externalSeed:
		v = p.draws[e.index].Seed
	default:
		v = p.draws[e.index].Counter
	}
	n, _ := Of(v)
	return n
}

// record records calls from to to-1.
func (p *replay) record(from, to int) error {
	for i := from; i < to; i++ {
		c := &p.t.calls[i]
		var n *Node
		if c.result {
			n = &Node{}
		} else {
			n, p.inner = &p.inner[0], p.inner[1:]
		}
		n.site = c.site
		operands := n.few[:]
		if len(c.operands) > len(n.few) {
			many := make([]*Node, len(c.operands))
			n.many, operands = &many, many
		}
		for k, ref := range c.operands {
			operands[k] = p.node(ref)
		}
		n.join(p.noGrad)
		p.nodes = append(p.nodes, n)
		if err := p.r.Recorded(n); err != nil {
			return err
		}
	}
	return nil
}

// abandon takes back calls that nobody has: what they take does not wait for them any more.
func abandon(nodes []*Node) {
	collecting.Lock()
	defer collecting.Unlock()
	for _, n := range nodes {
		if n.ran {
			continue
		}
		n.ran = true
		for _, o := range n.operands() {
			o.waiting.Add(-1)
		}
	}
}
