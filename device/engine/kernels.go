package engine

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// KernelInfo describes one kernel of a program, for reports and simulators.
type KernelInfo struct {
	Name string
	// Kernel is nil for an operation that runs as a Go function.
	Kernel    kernel.Kernel
	Kind      Kind
	Ops       []string // the operations fused in it, in the order of the program
	Locations []mlir.Location
	Fixed     bool // computed once, from constants alone
	// MACs counts multiply-adds of contractions, convolutions and attention; Work
	// counts the other arithmetic operations, each instruction at each point once.
	MACs, Work int64
	// BytesIn and BytesOut count each element that is read or written once.
	BytesIn, BytesOut int64
	// PackedOnce are the bytes of operands that are packed once for each set of constant inputs. PackedEach are
	// those of operands that every run packs, pads or copies before the kernel begins, and PackedWhy says why.
	PackedOnce, PackedEach int64
	PackedWhy              string
	// Values are what the ports of the kernel read and write.
	Values []Value
}

// Value is memory of a run: kernels with one number use the same.
type Value struct {
	Number int
	Use    Use
}

// Kind says what a kernel mainly does.
type Kind uint8

// The kinds of kernels.
const (
	Pointwise Kind = iota
	Move           // copies, transposes, gathers: no arithmetic
	Reduction      // sums, softmax, layer_norm
	Contraction
	Convolution
	Attention
	Scan
	Sort
	Scatter
	Random
	Host // evaluated by a Go function
)

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"pointwise", "move", "reduction", "contraction", "convolution",
		"attention", "scan", "sort", "scatter", "random", "host"}[k]
}

// Kernels lists the kernels of the program in the order in which they run.
func (p *Program) Kernels() []KernelInfo {
	list := make([]KernelInfo, len(p.Steps))
	for i, s := range p.Steps {
		k := KernelInfo{Name: s.Name, Kernel: s.Kernel, Fixed: s.Fixed}
		for _, o := range s.From {
			k.Ops = append(k.Ops, o.Op)
			if !o.Loc.IsUnknown() {
				k.Locations = append(k.Locations, o.Loc)
			}
		}
		if s.Kernel != nil {
			for _, n := range s.Slots[:len(s.Kernel.Ports())] {
				k.Values = append(k.Values, Value{n, uses[p.Slots[n].Kind]})
			}
		}
		k.PackedOnce = s.PackedOnce()
		k.PackedEach, k.PackedWhy = p.packedEach(s)
		k.measure()
		list[i] = k
	}
	return list
}

// measure fills in the kind and the counts.
func (k *KernelInfo) measure() {
	switch n := k.Kernel.(type) {
	case *kernel.Nest:
		k.nest(n)
	case *kernel.Contraction:
		k.Kind = Contraction
		points := append(append([]int(nil), n.Batch...), n.M, n.N)
		k.MACs = product(points) * int64(n.K)
		k.matrix(&n.A, n.Batch, n.M, n.K)
		k.matrix(&n.B, n.Batch, n.K, n.N)
		k.epilogue(&n.Epilogue, points)
	case *kernel.Convolution:
		k.Kind = Convolution
		points := []int{n.N, n.K, n.P, n.Q}
		k.MACs = product(points) * int64(n.C/max(n.Groups, 1)*n.R*n.S)
		k.BytesIn += elements(n.X.Port, []int{n.N, n.C, n.H, n.W}, n.X.Strides[:])
		k.BytesIn += elements(n.Filter.Port, []int{n.K, n.C / max(n.Groups, 1), n.R, n.S},
			n.Filter.Strides[:])
		k.epilogue(&n.Epilogue, points)
	case *kernel.Attention:
		k.Kind = Attention
		scores := product(n.Batch) * int64(n.Queries) * int64(n.Keys)
		k.MACs = scores * int64(n.Dim+n.VDim)
		k.Work = 4 * scores // scale, maximum, exp, sum
		k.matrix(&n.Q, n.Batch, n.Queries, n.Dim)
		k.matrix(&n.K, n.Batch, n.Keys, n.Dim)
		k.matrix(&n.V, n.Batch, n.Keys, n.VDim)
		if n.Mask != nil {
			k.matrix(n.Mask, n.Batch, n.Queries, n.Keys)
		}
		k.matrix(&n.O, n.Batch, n.Queries, n.VDim)
	default:
		if !k.ordered() {
			k.Kind = Host
		}
	}
}

func product(extents []int) int64 {
	n := int64(1)
	for _, e := range extents {
		n *= int64(e)
	}
	return n
}

// elements is the bytes of the elements that an access touches.
func elements(p kernel.Port, extents, strides []int) int64 {
	n := int64(1)
	for i, e := range extents {
		if strides[i] != 0 {
			n *= int64(e)
		}
	}
	return min(n, int64(p.Len)) * int64(p.DType.Size())
}

func (k *KernelInfo) matrix(m *kernel.Matrix, batch []int, rows, cols int) {
	n := elements(m.Port, append(append([]int(nil), batch...), rows, cols),
		append(append([]int(nil), m.Batch...), m.Row, m.Col))
	if m.Write {
		k.BytesOut += n
	} else {
		k.BytesIn += n
	}
}

// work counts the arithmetic instructions of a body.
func work(b kernel.Body) int64 {
	n := int64(0)
	for _, i := range b {
		switch i.Op {
		case kernel.Const, kernel.Load, kernel.LoadAt, kernel.Index, kernel.Acc,
			kernel.Kept, kernel.Input,
			kernel.Store, kernel.StoreAt, kernel.Bitcast:
		default:
			n++
		}
	}
	return n
}

func (k *KernelInfo) epilogue(e *kernel.Epilogue, points []int) {
	k.Work += work(e.Body) * product(points)
	for _, a := range e.Access {
		k.access(a, points, a.Outer)
	}
}

func (k *KernelInfo) access(a kernel.Access, extents, strides []int) {
	if n := elements(a.Port, extents, strides); a.Write {
		k.BytesOut += n
	} else {
		k.BytesIn += n
	}
}

func (k *KernelInfo) nest(n *kernel.Nest) {
	outer := product(n.Outer)
	inner := product(n.Inner)
	reduces := false
	for _, s := range n.Stages {
		points := outer
		if !s.Once {
			points *= inner
		}
		k.Work += points * (work(s.Body) + int64(len(s.Reduce)))
		reduces = reduces || len(s.Reduce) > 0
	}
	all := append(append([]int(nil), n.Outer...), n.Inner...)
	for _, a := range n.Access {
		k.access(a, all, append(append([]int(nil), a.Outer...), a.Inner...))
	}
	switch {
	case reduces:
		k.Kind = Reduction
	case k.Work == 0:
		k.Kind = Move
	}
}

// KernelText returns the kernels in the text form that [kernel.Parse] reads, each
// under a comment with the operations that are fused in it.
func (p *Program) KernelText() string {
	var b strings.Builder
	p.each(&b, func(s *plan.Step) string { return s.Kernel.String() })
	return b.String()
}

// Listing returns the machine code of the kernels, disassembled, or what stands
// for it.
func (p *Program) Listing() string {
	var b strings.Builder
	p.each(&b, func(s *plan.Step) string { return s.Code.Listing() })
	return b.String()
}

func (p *Program) each(b *strings.Builder, text func(s *plan.Step) string) {
	for _, s := range p.Steps {
		fmt.Fprintf(b, "// %s:", s.Name)
		if s.Fixed {
			b.WriteString(" (once)")
		}
		for _, o := range s.From {
			b.WriteString(" " + o.Op)
			if !o.Loc.IsUnknown() {
				b.WriteString("@" + o.Loc.Short())
			}
		}
		b.WriteString("\n")
		if s.Code != nil {
			b.WriteString(strings.TrimRight(text(s), "\n") + "\n")
		}
		b.WriteString("\n")
	}
}

// Stats are the figures of a compiled program.
type Stats struct {
	Kernels      int // that run every time
	ArenaBytes   int // memory of one run besides inputs and results
	FixedBytes   int // memory of what is computed once for each set of constant inputs
	ScratchBytes int // memory of each worker
}

// Stats returns the figures of the program.
func (p *Program) Stats() Stats {
	s := Stats{ArenaBytes: p.ArenaBytes, FixedBytes: p.FixedBytes, ScratchBytes: p.Scratch}
	for _, st := range p.Steps {
		if !st.Fixed {
			s.Kernels++
		}
	}
	return s
}

// ordered fills in the kind and the counts of an ordered kernel, or reports that it is
// none. The operations are one fold or comparison each, and for random bits those of
// the rounds.
func (k *KernelInfo) ordered() bool {
	switch n := k.Kernel.(type) {
	case *kernel.Scan:
		k.Kind, k.Work = Scan, int64(n.Elements())
	case *kernel.Sort:
		merges := bits.Len(uint(max(n.N-1, 1)))
		k.Kind, k.Work = Sort, int64(n.Elements())*int64(merges)
	case *kernel.Scatter:
		k.Kind, k.Work = Scatter, product(n.Extents)
	case *kernel.Unpack:
		k.Kind, k.Work = Move, int64(n.Out.Len)
	case *kernel.Random:
		k.Kind, k.Work = Random, int64(n.Out.Len)*kernel.PhiloxRounds*2
	default:
		return false
	}
	for _, p := range k.Kernel.Ports() {
		k.access(kernel.Access{Port: p}, []int{p.Len}, []int{1})
	}
	return true
}

// Forecast returns what the program takes of memory.
func (p *Program) Forecast() plan.Forecast {
	f := p.Needs
	f.Run = p.Memory()
	return f
}

// Phases lists what compiling the program consisted of; none for one that was loaded.
func (p *Program) Phases() []plan.Phase { return p.phases }
