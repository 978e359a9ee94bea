package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap/program"
)

// layout is how the arrays of a kernel become the arguments of its program and
// its results come back.
type layout struct {
	inputs []placing
	packed []packing // inputs that are packed
	// outputs: the elements of a native result and where the program leaves them.
	outputs []placing
	compute func(*program.Program) (func(int, *program.Call, []*memory) error, error)
	// bound is how far apart two right results may be, per unit of rounding.
	terms float64
	close func() // frees what compute made; nil for nothing
}

// placing ties elements of an argument to elements of a port.
type placing struct {
	arg, port int
	// each calls put for every element that both have.
	each func(put func(argument, port int))
}

// arguments makes the program's arrays from the kernel's.
func (l *layout) arguments(p *program.Program, ports []*buf.Buffer) ([]*memory, error) {
	args := make([]*memory, len(p.Args))
	for i, a := range p.Args {
		args[i] = newMemory(a.Name, program.Object{Shape: a.Shape, DType: a.DType})
		if !a.Output {
			args[i].fill() // what the host pads is zero
		}
	}
	for _, in := range l.inputs {
		m, b := args[in.arg], ports[in.port]
		size := b.DType.Size()
		if m.data.DType.Size() < size {
			return nil, fmt.Errorf("argument %s is %v, the kernel's is %v", m.name, m.data.DType, b.DType)
		}
		to, from := m.data.Bytes(), b.Bytes()
		in.each(func(i, j int) { copy(to[i*size:][:size], from[j*size:][:size]) })
	}
	for _, in := range l.packed {
		if err := in.pack(args[in.arg].data.Bytes(), ports[in.arg]); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// odometer visits all points of a space.
func odometer(extents []int, visit func(point []int)) {
	point := make([]int, len(extents))
	for _, n := range extents {
		if n == 0 {
			return
		}
	}
	for {
		visit(point)
		i := len(extents) - 1
		for ; i >= 0; i-- {
			point[i]++
			if point[i] < extents[i] {
				break
			}
			point[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

func dot(a, b []int) int {
	n := 0
	for i := range a {
		n += a[i] * b[i]
	}
	return n
}
