package engine

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/mlir"
)

// KernelInfo describes one step of a program.
type KernelInfo struct {
	Name      string
	Kernel    kernel.Kernel // nil for an operation that runs as a Go function
	Locations []mlir.Location
	Ops       []string // the operations that are fused in it
	Fixed     bool     // computed once, from constants alone
}

// Kernels lists the steps in the order in which they run.
func (p *Program) Kernels() []KernelInfo {
	list := make([]KernelInfo, len(p.steps))
	for i, s := range p.steps {
		k := KernelInfo{Name: s.name, Kernel: s.kernel, Fixed: s.fixed}
		for _, n := range s.nodes {
			if n.op == nil {
				continue
			}
			k.Ops = append(k.Ops, n.op.Name)
			if !n.op.Loc.IsUnknown() {
				k.Locations = append(k.Locations, n.op.Loc)
			}
		}
		list[i] = k
	}
	return list
}

// KernelText prints the kernels in the text form of package kernel.
func (p *Program) KernelText() string {
	var b strings.Builder
	for _, k := range p.Kernels() {
		fmt.Fprintf(&b, "// %s: %s\n", k.Name, strings.Join(k.Ops, ", "))
		if k.Kernel != nil {
			b.WriteString(k.Kernel.String())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Listing prints the code of the kernels, disassembled.
func (p *Program) Listing() string {
	var b strings.Builder
	for _, s := range p.steps {
		fmt.Fprintf(&b, "// %s\n", s.name)
		if s.code != nil {
			b.WriteString(s.code.Listing())
			b.WriteByte('\n')
		}
	}
	return b.String()
}
