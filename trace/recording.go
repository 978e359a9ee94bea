package trace

import (
	"bytes"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Recording notes the calls that a function records, so that they can be recorded again without the function: see
// [Recording.Template].
type Recording struct {
	index     map[*Node]int32 // of a call, or of what calls take from outside: see outside
	calls     []templateCall
	externals []external
	pure      []bool // of calls: they depend on constants alone
	guards    []guard
	draws     int
	bytes     int  // of the guards
	failed    bool // something was recorded that cannot be recorded again
	nodes     []*Node
}

// templateCall is a call of a template; its operands are references.
type templateCall struct {
	site     *site
	operands []int32
	result   bool // it is one of a result of the whole
}

// external is what calls take from outside: an input, a draw, or a constant.
type external struct {
	node  *Node
	kind  externalKind
	index int // of the input or the draw
	grad  bool
}

type externalKind uint8

const (
	externalConstant externalKind = iota
	externalInput
	externalSeed
	externalCounter
)

// guard is a value that was read while the function ran: the calls are the same as long as it is.
type guard struct {
	value  int32 // a reference
	result int
	calls  int // that there are before it
	want   *buf.Buffer
	later  []int32 // of these calls, those that later ones take: the program that computes the value keeps them
}

// outside is the reference to value i from outside of a recording: -1 for the first. References to calls are their
// numbers.
func outside(i int) int32 { return int32(-1 - i) }

// Recorded runs f and notes the calls that this goroutine records meanwhile, as a function of inputs.
func Recorded(inputs []ops.Value, f func(r *Recording)) *Recording {
	r := &Recording{index: map[*Node]int32{}}
	for i, v := range inputs {
		n, _ := Of(v)
		if _, twice := r.index[n]; !twice {
			r.add(n, external{node: n, kind: externalInput, index: i})
		}
	}
	if currentMode().recording != nil { // a function within another: only the outer one notes
		r.failed = true
		f(r)
		return r
	}
	defer changeMode(func(m *mode) { m.recording = r })()
	f(r)
	return r
}

func (r *Recording) add(n *Node, e external) int32 {
	r.externals = append(r.externals, e)
	ref := outside(len(r.externals) - 1)
	r.index[n] = ref
	return ref
}

// reference returns the reference of a node that a call takes.
func (r *Recording) reference(n *Node) int32 {
	if ref, ok := r.index[n]; ok {
		return ref
	}
	if !n.constant && !n.ends || n.Pending() {
		r.failed = true // it may be another one the next time
	}
	return r.add(n, external{node: n, grad: n.grad})
}

// isPure reports whether what a reference stands for depends on constants alone.
func (r *Recording) isPure(ref int32) bool {
	if ref >= 0 {
		return r.pure[ref]
	}
	return r.externals[-1-ref].kind == externalConstant
}

// note adds a call.
func (r *Recording) note(n *Node) {
	if n.site.effects != nil || n.site.link != nil || n.site.owner != nil {
		r.failed = true
	}
	if r.failed {
		return
	}
	c := templateCall{site: n.site}
	pure := true
	for _, o := range n.operands() {
		ref := r.reference(o)
		pure = pure && r.isPure(ref)
		c.operands = append(c.operands, ref)
	}
	r.index[n] = int32(len(r.calls))
	r.calls, r.pure, r.nodes = append(r.calls, c), append(r.pure, pure), append(r.nodes, n)
}

// computed notes a call that has run already, on the host. One on constants gives a constant.
func (r *Recording) computed(n *Node, args []ops.Arg) {
	call := ops.Call{Args: args}
	call.Each(func(v ops.Value) {
		o, _ := Of(v)
		r.failed = r.failed || !r.isPure(r.reference(o))
	})
	if !r.failed && !n.grad {
		n.constant = true
		r.add(n, external{node: n})
	} else {
		r.failed = true
	}
}

// draw notes a draw of random numbers.
func (r *Recording) draw(seed, counter ops.Value) {
	s, _ := Of(seed)
	c, _ := Of(counter)
	if _, known := r.index[s]; !known {
		r.add(s, external{node: s, kind: externalSeed, index: r.draws})
	}
	r.add(c, external{node: c, kind: externalCounter, index: r.draws})
	r.draws++
}

// mostGuarded bounds the bytes that a template compares.
const mostGuarded = 64 << 10

// Read notes that the function has looked at a value.
func (r *Recording) Read(v ops.Value, b *buf.Buffer) {
	n, result := Of(v)
	ref := r.reference(n)
	if r.failed || r.isPure(ref) {
		return
	}
	for i := range r.guards {
		if g := &r.guards[i]; g.value == ref && g.result == result {
			return
		}
	}
	if r.bytes += len(b.Bytes()); r.bytes > mostGuarded {
		r.failed = true
		return
	}
	r.guards = append(r.guards, guard{value: ref, result: result, calls: len(r.calls), want: b.Clone()})
}

// Template returns the calls that results need, to be recorded again for other inputs; nil if that cannot be done:
// they depend on more than the inputs, constants, and what was read. Calls that no result needs are removed from the
// users of their operands: nobody else has these calls.
func (r *Recording) Template(results []ops.Value) *Template {
	t := &Template{guards: r.guards, draws: r.draws}
	for _, v := range results {
		n, result := Of(v)
		t.results = append(t.results, templateResult{r.reference(n), result})
	}
	t.externals = r.externals
	derived := false
	needed := make([]bool, len(r.calls))
	need := func(ref int32) {
		if ref >= 0 {
			needed[ref] = true
		}
	}
	for _, g := range r.guards {
		need(g.value)
		derived = derived || g.value >= 0
	}
	for _, of := range t.results {
		need(of.value)
	}
	if r.failed || derived && r.draws > 0 {
		return nil
	}
	for i := len(r.calls) - 1; i >= 0; i-- {
		if needed[i] {
			for _, o := range r.calls[i].operands {
				need(o)
			}
		}
	}
	var dead []*Node
	for i, n := range r.nodes {
		if !needed[i] {
			dead = append(dead, n)
		}
	}
	abandon(dead)
	t.shrink(r.calls, r.pure, needed)
	return t
}

// Abandon takes back the recorded calls, whose results nobody has: what they take does not wait for them any more.
func (r *Recording) Abandon() { abandon(r.nodes) }

// shrink keeps the calls that are needed. pure are those on constants alone.
func (t *Template) shrink(calls []templateCall, pure, needed []bool) {
	to := make([]int32, len(calls)+1)
	for i := range calls {
		to[i] = int32(len(t.calls))
		if needed[i] {
			t.calls = append(t.calls, calls[i])
		}
	}
	to[len(calls)] = int32(len(t.calls))
	move := func(ref int32) int32 {
		if ref < 0 {
			return ref
		}
		return to[ref]
	}
	for i := range t.calls {
		for k, o := range t.calls[i].operands {
			t.calls[i].operands[k] = move(o)
		}
	}
	last := make([]int, len(t.calls)) // that takes a call
	for i, c := range t.calls {
		for _, o := range c.operands {
			if o >= 0 {
				last[o] = i
			}
		}
	}
	for i := range t.results {
		of := &t.results[i]
		if of.value = move(of.value); of.value >= 0 {
			t.calls[of.value].result = true
			last[of.value] = len(t.calls)
		}
	}
	for i := range t.guards {
		g := &t.guards[i]
		g.value, g.calls = move(g.value), int(to[g.calls])
		if g.value < 0 {
			continue
		}
		for k, is := range pure {
			if at := to[k]; needed[k] && !is && int(at) < g.calls && at != g.value && last[at] >= g.calls {
				g.later = append(g.later, at)
			}
		}
	}
}

// equal compares what was read with what is there now.
func (g *guard) equal(b *buf.Buffer) bool {
	return b.DType == g.want.DType && bytes.Equal(b.Bytes(), g.want.Bytes())
}
