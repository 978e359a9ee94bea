package emit

import (
	"fmt"

	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// ports collects the ports of a kernel; equal accesses share one.
type ports struct {
	first    int // number of the first port
	access   []kernel.Access
	tensors  []*graph.Tensor
	over     []*graph.Loop // loops of the strides
	outer    int           // how many of them are outer loops
	numbers  map[graph.PortKey]int
	constant func(*graph.Tensor) bool
}

func (p *ports) port(m *graph.Member, a graph.Access, write bool) int {
	strides := m.Strides(a, p.over)
	key := graph.PortKeyOf(&a, strides)
	if write {
		key.Strides += "w"
	}
	if n, ok := p.numbers[key]; ok {
		return n
	}
	k := kernel.Access{Offset: a.Offset, Outer: strides[:p.outer], Inner: strides[p.outer:],
		Port: kernel.Port{DType: a.Tensor.DType, Write: write, Len: a.Tensor.Size,
			Const: !write && p.constant(a.Tensor)}}
	p.access = append(p.access, k)
	p.tensors = append(p.tensors, a.Tensor)
	n := p.first + len(p.access) - 1
	p.numbers[key] = n
	return n
}

// Name returns the name of the kernel of a cluster: its number and what it does.
func Name(c *graph.Cluster, number int) string {
	what := "pointwise"
	switch {
	case c.Head != nil && c.Head.Kind == graph.Ordered:
		what = c.Head.What
	case c.Head != nil:
		what = [...]string{graph.Contract: "matmul", graph.Convolve: "conv", graph.Attend: "attention",
			graph.Host: "host"}[c.Head.Kind]
	case c.Reduces():
		what = "reduce"
	}
	return fmt.Sprintf("k%d_%s", number, what)
}
