package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Lanes is the number of elements that one step works on.
const Lanes = 128

type integer interface {
	uint8 | int8 | int16 | int32 | int64
}

type float interface{ float32 | float64 }

type number interface{ integer | float }

// arithmetic is how the lanes of a type are computed with.
type arithmetic interface {
	// cast converts register a to register d of type to.
	cast(d, a int, to dtype.DType) step
	// compute is an operation of a body, nil if the type has none such.
	compute(r operands) step
	// reduce sets the steps of a reduction by an operation of the type.
	reduce(out *reduction, r reduced)
	// arg finds the position, in register arg, of the extreme of register value of type d.
	arg(regs *registers, r kernel.Reduction, value, arg int, d dtype.DType) reduction
}

type (
	numbers[T number]   struct{}
	integers[T integer] struct{ numbers[T] }
	floats[T float]     struct{ numbers[T] }
)

// arithmeticOf has the arithmetic of the Go type in which the lanes of a value are held: f16 and bf16 are held as f32, bool as uint8.
var arithmeticOf = [...]arithmetic{
	dtype.Bool: integers[uint8]{}, dtype.U8: integers[uint8]{}, dtype.I8: integers[int8]{}, dtype.I16: integers[int16]{},
	dtype.I32: integers[int32]{}, dtype.I64: integers[int64]{}, dtype.F16: floats[float32]{}, dtype.BF16: floats[float32]{},
	dtype.F32: floats[float32]{}, dtype.F64: floats[float64]{},
}

func isHalf(d dtype.DType) bool { return d == dtype.F16 || d == dtype.BF16 }

// round rounds lanes held in f32 to a half type in place.
func round(d dtype.DType, v []float32) {
	if d == dtype.BF16 {
		for i, x := range v {
			v[i] = dtype.ToBFloat16(x).Float32()
		}
		return
	}
	for i, x := range v {
		v[i] = dtype.ToFloat16(x).Float32()
	}
}

// frame is the state of one worker inside a kernel.
type frame struct {
	ports []unsafe.Pointer // of the running call
	fault bool
	reg   []unsafe.Pointer // first lane of each register
	n     int              // lanes in use
	base  []int            // element of each port at lane 0
	outer []int            // element of each port at the outer point
	index []int            // of each loop, at lane 0
	kept  []unsafe.Pointer // buffers of kept values
	pos   int              // element of the kept buffers at lane 0
	// memory is the memory that reg and kept point into.
	memory []uint64
}

// begin prepares the frame for a call, and end notes a fault of it.
func (f *frame) begin(args *kernel.Args) { f.ports, f.fault = args.Ptr, false }

func (f *frame) end(args *kernel.Args) {
	if f.fault {
		args.Fault = 1
	}
	f.ports = nil
}

// step does one instruction on the lanes of a frame.
type step func(f *frame)

func run(steps []step, f *frame) {
	for _, s := range steps {
		s(f)
	}
}

func lanesOf[T any](f *frame, r int) []T { return unsafe.Slice((*T)(f.reg[r]), f.n) }
