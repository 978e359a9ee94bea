package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// KernelInfo describes one kernel of a program, for reports and simulators.
type KernelInfo struct {
	Name string
	// Kernel is nil for an operation that runs as a Go function.
	Kernel kernel.Kernel
	// Kind names the main work of the kernel ([kernel.Account]), or is host for an operation that runs as a Go
	// function.
	Kind      string
	Ops       []string // the operations fused in it, in the order of the program
	Locations []mlir.Location
	Fixed     bool // computed once, from constants alone
	// MACs counts multiply-adds of contractions, convolutions and attention; Work
	// counts the other arithmetic operations, each instruction at each point once.
	MACs, Work int64
	// BytesIn and BytesOut count each element that is read or written once.
	BytesIn, BytesOut int64
	// PackedOnce counts the bytes of operands that are packed once for each set of constant inputs; of kernels that
	// share a packed operand the first counts them. PackedEach counts the bytes of operands that every run packs, pads
	// or copies before the kernel begins, and PackedWhy says why.
	PackedOnce, PackedEach int64
	PackedWhy              string
	// Stored is the format of the blocks in which a product reads weights; empty for one that reads numbers.
	Stored string
	// Portable is why the code, or a part of it, is portable Go although the processor runs machine code; empty for
	// machine code.
	Portable string
	// Values describe the values that the ports of the kernel read and write.
	Values []Value
	// Replaces is the number of the program's input whose memory the kernel's result may take, see
	// [Program.Overwrites]: of the input, the kernel reads what it replaces, or nothing. It is -1 for none.
	Replaces int
}

// Value is memory of a run: kernels with one number use the same.
type Value struct {
	Number int
	Use    Use
}

// Kernels lists the kernels of the program in the order in which they run.
func (p *Program) Kernels() []KernelInfo {
	list := make([]KernelInfo, len(p.Steps))
	for i, s := range p.Steps {
		k := KernelInfo{Name: s.Name, Kernel: s.Kernel, Fixed: s.Fixed, Replaces: p.replaces(s)}
		for _, o := range s.From {
			k.Ops = append(k.Ops, o.Op)
			if !o.Loc.IsUnknown() {
				k.Locations = append(k.Locations, o.Loc)
			}
		}
		if s.Kernel == nil {
			k.Kind = "host"
		} else {
			a := s.Kernel.Account()
			k.Kind, k.MACs, k.Work, k.BytesIn, k.BytesOut = a.What, a.MACs, a.Work, a.BytesIn, a.BytesOut
			for _, n := range s.Slots[:len(s.Kernel.Ports())] {
				k.Values = append(k.Values, Value{n, uses[p.Slots[n].Kind]})
			}
		}
		k.PackedEach, k.PackedWhy = p.packedEach(s)
		for _, why := range s.Fallbacks() {
			k.Portable = cmp.Or(k.Portable, why.Error())
		}
		if c, ok := s.Kernel.(*kernel.Contraction); ok && c.B.Stored() {
			k.Stored = c.B.Format.String()
		}
		list[i] = k
	}
	parts, _ := p.parts()
	for _, c := range parts[1:] { // the first has the fixed values
		if !c.again {
			list[c.step].PackedOnce += int64(c.bytes)
		}
	}
	return list
}

// replaces is Replaces of a step.
func (p *Program) replaces(s *plan.Step) int {
	over := p.Overwrites()
	for _, n := range s.Slots {
		if out := p.Slots[n]; over == nil || out.Kind != plan.Result || over[out.Index] < 0 {
			continue
		} else if slices.ContainsFunc(s.Slots, func(m int) bool {
			return p.Slots[m].Kind == plan.Argument && p.Slots[m].Index == over[out.Index]
		}) {
			return over[out.Index]
		}
	}
	return -1
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

// Vectors returns the vector programs that the machine code of the kernels is made from, in the text form that
// [vector.Parse] reads. Kernels are compiled once more to see them.
func (p *Program) Vectors() string {
	features := cpu.Detect()
	if p.fixed {
		features = features.InFixedOrder()
	}
	var b strings.Builder
	p.each(&b, func(s *plan.Step) string {
		if !p.native && !p.fixed {
			return "; compiled by another back end"
		}
		list, err := native.Programs(s.Kernel, features)
		switch {
		case err != nil:
			return "; " + err.Error()
		case len(list) == 0:
			return "; portable Go"
		}
		return strings.Join(list, "\n")
	})
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

// Forecast returns the memory that the program takes.
func (p *Program) Forecast() plan.Forecast {
	f := p.Needs
	f.Run = p.Memory()
	return f
}

// Phases lists what compiling the program consisted of; none for one that was loaded.
func (p *Program) Phases() []plan.Phase { return p.phases }
