package native

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/attention"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/portable"
)

// Reproducible turns a kernel into code that gives the same bits on every processor, with every instruction set,
// number of threads and number of rows beside a row: sums are in a fixed order. Products are machine code where that
// adds in this order, and so are bodies whose every operation has one right result; the others are portable code,
// which is slower (go run ./bench factors prints by how much).
func Reproducible(k kernel.Kernel) (kernel.Code, error) {
	return CompileFor(k, cpu.Detect().InFixedOrder())
}

// compileFixed is CompileFor in a fixed order.
func compileFixed(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if a, ok := k.(*kernel.Attention); ok { // in pieces, whose scores have the whole row
		code, err := attention.Compile(a, f, nil, func(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, f) })
		if !unsupported(err) {
			return code, err
		}
		fallBack(k, f, err)
	} else if addsInOrder(k) {
		if code, err := machineCode(k, f); code != nil || err != nil {
			return code, err
		}
	} else {
		fallBack(k, f, errOrder)
	}
	return portable.CompileFixed(k)
}

// errOrder is why a kernel that generators take is portable in a fixed order.
var errOrder = fmt.Errorf("%w: results that are the same on every processor", kernel.ErrUnsupported)

// addsInOrder reports whether machine code of a kernel gives the bits that portable code gives in a fixed order.
func addsInOrder(k kernel.Kernel) bool {
	switch k := k.(type) {
	case *kernel.Nest:
		return exact(k)
	case *kernel.Contraction:
		return !k.Rounded
	case *kernel.Convolution:
		return k.Acc != dtype.F64
	}
	return false
}

// exact reports whether all operations of a nest have one right result, and its order does not matter.
func exact(n *kernel.Nest) bool {
	return !slices.ContainsFunc(n.Stages, func(s kernel.Stage) bool {
		return s.Accumulates() || slices.ContainsFunc(s.Body, func(i kernel.Instr) bool { return !exactOp(i) })
	})
}

func exactOp(i kernel.Instr) bool {
	switch i.Op {
	case kernel.Rem, kernel.Mod, kernel.FloorDiv, kernel.RSqrt: // of several roundings
		return i.Type.IsInt()
	case kernel.Sqrt, kernel.Abs, kernel.CopySign, kernel.Floor, kernel.Ceil, kernel.Trunc, kernel.RoundEven:
		return true
	case kernel.Pow, kernel.Round, kernel.NextAfter:
		return false
	}
	return i.Op.Function() == nil
}
