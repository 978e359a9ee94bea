package native

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/attention"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
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
	switch k := k.(type) {
	case *kernel.Attention: // in pieces, whose scores have the whole row
		code, err := attention.Compile(k, f, nil, func(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, f) })
		if !unsupported(err) {
			return code, err
		}
		return portable.CompileFixed(k)
	case *kernel.Nest:
		if !exact(k) {
			return portable.CompileFixed(k)
		}
	case *kernel.Contraction:
		if k.Rounded {
			return portable.CompileFixed(k)
		}
	case *kernel.Convolution:
		if k.Acc == dtype.F64 {
			return portable.CompileFixed(k)
		}
	default:
		return portable.CompileFixed(k)
	}
	if f.Level > cpu.Portable && exec.Supported && Refused() == nil {
		code, err := generate(k, f)
		if unsupported(err) {
			code, err = deferEpilogue(k, f)
		}
		if code != nil || err != nil && !unsupported(err) {
			return code, err
		}
	}
	return portable.CompileFixed(k)
}

// exact reports whether all operations of a nest have one right result, and its order does not matter.
func exact(n *kernel.Nest) bool {
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if !exactOp(i) {
				return false
			}
		}
		for _, r := range s.Reduce {
			if r.Type.IsFloat() && (r.Kind == kernel.ReduceSum || r.Kind == kernel.ReduceProd) {
				return false
			}
		}
	}
	return true
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
