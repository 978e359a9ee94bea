package epilogue

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// An Epilogue is checked and ready to be emitted.
type Epilogue struct {
	Ports []Port

	body     kernel.Body
	acc      dtype.DType // in which it computes
	sums     bool        // the accumulators are i32, and are converted to f32 first
	features cpu.Features
	lastUse  []int // of each instruction's value; -1 if it has none
}

// Port is an operand of the epilogue as a tile sees it.
type Port struct {
	DType     dtype.DType
	Write     bool
	Row, Lane int // strides in elements
}

// MaxPorts is the number of operands that fit the registers.
const MaxPorts = 7

// maxBody bounds the body, which is repeated for every register of a tile.
const maxBody = 32

// New checks that e can run on accumulators of type acc, whose rows and lanes are the kernel's
// loops rowLoop and laneLoop; firstPort is the kernel's number of the epilogue's first port. It
// needs up to temps vector registers.
func New(e *kernel.Epilogue, firstPort, rowLoop, laneLoop int, acc dtype.DType, f cpu.Features,
	temps int) (*Epilogue, error) {
	out := &Epilogue{body: e.Body, acc: acc, features: f}
	if restores(e.Body, acc) {
		out.body, out.acc, out.sums = asSingle(e.Body), dtype.F32, true
	}
	if len(e.Access) > MaxPorts {
		return nil, fmt.Errorf("epilogue: %d operands, at most %d fit", len(e.Access), MaxPorts)
	}
	for _, a := range e.Access {
		out.Ports = append(out.Ports, Port{a.DType, a.Write, a.Outer[rowLoop], a.Outer[laneLoop]})
	}
	out.lastUse = lastUses(e.Body)
	for i := range e.Body {
		if err := out.check(i, firstPort); err != nil {
			return nil, fmt.Errorf("epilogue: instruction %d: %w", i, err)
		}
	}
	if len(e.Body) > maxBody {
		return nil, fmt.Errorf("epilogue: %d instructions, at most %d", len(e.Body), maxBody)
	}
	out.body = renumber(out.body, firstPort)
	if n := out.pressure(); n > temps {
		return nil, fmt.Errorf("epilogue: needs %d registers, %d are free", n, temps)
	}
	return out, nil
}

// Raw returns the epilogue that stores the accumulators as they are, rows rowStride elements apart.
func Raw(acc dtype.DType, rowStride int, f cpu.Features) *Epilogue {
	body := kernel.Body{
		{Op: kernel.Input, Type: acc}, {Op: kernel.Store, Type: acc, A: 0, Port: 0},
	}
	return &Epilogue{
		Ports: []Port{{acc, true, rowStride, 1}}, body: body, acc: acc, features: f,
		lastUse: lastUses(body),
	}
}

// Plain reports whether e stores the accumulators as they are, lanes side by side, and does nothing else.
func (e *Epilogue) Plain() bool {
	return len(e.body) == 2 && e.body[1].Op == kernel.Store && !e.sums && len(e.Ports) == 1 &&
		e.Ports[0].DType == e.acc && e.Ports[0].Lane == 1
}

func renumber(body kernel.Body, firstPort int) kernel.Body {
	out := append(kernel.Body(nil), body...)
	for i := range out {
		if out[i].Op == kernel.Load || out[i].Op == kernel.Store {
			out[i].Port -= firstPort
		}
	}
	return out
}

// operands returns the instructions that in reads.
func operands(in kernel.Instr) []int {
	switch in.Op {
	case kernel.Input, kernel.Const, kernel.Load:
		return nil
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Min, kernel.Max:
		return []int{in.A, in.B}
	case kernel.FMA:
		return []int{in.A, in.B, in.C}
	}
	return []int{in.A}
}

func lastUses(body kernel.Body) []int {
	last := make([]int, len(body))
	for i := range last {
		last[i] = -1
	}
	for i, in := range body {
		for _, o := range operands(in) {
			last[o] = i
		}
	}
	return last
}

// check refuses what Emit cannot do.
func (e *Epilogue) check(i, firstPort int) error {
	in := e.body[i]
	arithmetic := in.Type == e.acc && (e.acc == dtype.F32 || e.acc == dtype.F64 || e.acc == dtype.I32)
	floats := arithmetic && e.acc != dtype.I32
	switch in.Op {
	case kernel.Input, kernel.Const, kernel.Add, kernel.Sub, kernel.Mul, kernel.Min, kernel.Max:
		if arithmetic {
			return nil
		}
	case kernel.Div, kernel.Neg, kernel.Abs, kernel.Sqrt, kernel.FMA:
		if floats {
			return nil
		}
	case kernel.RoundEven:
		if floats && e.features.Level >= cpu.AVX512 {
			return nil
		}
	case kernel.Cast:
		if e.castable(i) || e.toByte(i) || e.fromByte(i) {
			return nil
		}
	case kernel.Bitcast:
		if e.fromByte(i) {
			return nil
		}
	case kernel.Load, kernel.Store:
		if in.Port < firstPort || in.Port-firstPort >= len(e.Ports) {
			return fmt.Errorf("port %d belongs to the product", in.Port)
		}
		return e.checkPort(e.Ports[in.Port-firstPort], in.Op == kernel.Store)
	}
	return fmt.Errorf("%v of %v", in.Op, in.Type)
}

// narrow reports whether t is a 2-byte float that lives in registers as f32.
func narrow(t dtype.DType) bool { return t == dtype.BF16 || t == dtype.F16 }

// castable: between f32 and the narrow floats (a rounding that only a store may follow).
func (e *Epilogue) castable(cast int) bool {
	in := e.body[cast]
	from := e.body[in.A]
	switch {
	case e.sums && from.Op == kernel.Input && in.Type == dtype.F32:
		return true
	case e.acc == dtype.F32 && narrow(from.Type) && in.Type == dtype.F32:
		return from.Op == kernel.Load
	case e.acc == dtype.F32 && from.Type == dtype.F32 && narrow(in.Type):
		for _, user := range e.body {
			for _, o := range operands(user) {
				if o == cast && user.Op != kernel.Store {
					return false
				}
			}
		}
		return true
	}
	return false
}

func (e *Epilogue) checkPort(p Port, store bool) error {
	wide := p.DType == e.acc
	half := e.acc == dtype.F32 && narrow(p.DType)
	switch {
	case isByte(p.DType) && e.acc == dtype.F32 && e.features.Level >= cpu.AVX512 && p.Lane == 1 && p.Row >= 0:
		return nil // what is read must become f32, see fromByte
	case !wide && !half:
		return fmt.Errorf("element type %v beside %v sums", p.DType, e.acc)
	case half && e.features.Level < cpu.AVX512:
		return fmt.Errorf("element type %v needs AVX-512", p.DType)
	case store && p.DType == dtype.BF16 && !e.features.BF16:
		return fmt.Errorf("rounding to bf16 needs AVX512_BF16")
	case store && p.Lane != 1:
		return fmt.Errorf("a store with lane stride %d", p.Lane)
	case p.Lane != 0 && p.Lane != 1:
		return fmt.Errorf("a load with lane stride %d", p.Lane)
	case p.Row < 0 || p.Row > math.MaxInt32/(64*p.DType.Size()):
		return fmt.Errorf("row stride %d", p.Row)
	}
	return nil
}

// pressure returns the registers that the body needs, by emitting it for nothing.
func (e *Epilogue) pressure() int {
	bytes := e.features.Level.VectorBytes()
	t := &Tile{
		Rows: 1, Vecs: 1, Tail: bytes/e.acc.Size() - 1, Mask: asm.K(1),
		Acc: func(int, int) asm.Reg { return asm.Vec(bytes, 0) },
	}
	for i := 1; i < e.features.Level.VectorRegisters(); i++ {
		t.Temps = append(t.Temps, asm.Vec(bytes, i))
	}
	for range e.Ports {
		t.Pointers = append(t.Pointers, asm.RAX)
	}
	return e.emit(asm.Rehearsal(), t)
}
