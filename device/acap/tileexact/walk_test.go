package tileexact

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// square is a 64-cubed product of integers.
func square() *kernel.Contraction {
	b := kernel.NewBody()
	b.Store(2, b.Emit(kernel.Instr{Op: kernel.Input, Type: dtype.I32}))
	operand := kernel.Matrix{Port: kernel.Port{DType: dtype.I8, Len: 64 * 64}, Row: 64, Col: 1, Batch: []int{}}
	return &kernel.Contraction{Name: "square", M: 64, N: 64, K: 64, A: operand, B: operand, Acc: dtype.I32,
		Batch: []int{}, Epilogue: kernel.Epilogue{Body: b.Body(), Access: []kernel.Access{{
			Port: kernel.Port{DType: dtype.I32, Len: 64 * 64, Write: true}, Outer: []int{64, 1}, Inner: []int{}}}}}
}

// TestFindsWrongPrograms spoils a program in the ways that compile and run on an
// array without a sound, and checks that the walk says so.
func TestFindsWrongPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		want  string
		spoil func(*program.Program)
	}{
		"nothing": {"", func(*program.Program) {}},
		"order of a descriptor": {"native", func(p *program.Program) {
			d := ordered(p)
			for i := range d.Descriptors {
				d.Descriptors[i].Dims = nil // row by row instead of in blocks
			}
		}},
		"overrun": {"which has", func(p *program.Program) { ordered(p).Descriptors[0].Offset = 1 << 20 }},
		"hole": {"nobody wrote", func(p *program.Program) {
			d := ordered(p)
			for i := range p.DMAs { // what arrives where d reads goes to one place
				for j := range p.DMAs[i].Descriptors {
					if x := &p.DMAs[i].Descriptors[j]; p.DMAs[i].Dir == program.S2MM &&
						x.Buffer == d.Descriptors[0].Buffer {
						x.Dims = []program.Dim{{Size: x.Length, Stride: 0}}
					}
				}
			}
		}},
		"lost result": {"native", func(p *program.Program) {
			for i, op := range p.Runtime {
				if task, ok := op.(program.Task); ok && p.Args[task.Arg].Output {
					task.Dims = append([]program.Dim{{Size: task.Elements(), Stride: 0}}, program.Dim{Size: 1, Stride: 1})
					p.Runtime[i] = task
				}
			}
		}},
	} {
		m, err := machine.Preset("npu1")
		if err != nil {
			t.Fatal(err)
		}
		check := &Checker{Machine: m, Native: portable.Compile}
		k := square()
		compiled, err := check.Backend(k)
		if err != nil {
			t.Fatal(err)
		}
		x := compiled.(*code)
		c.spoil(x.program)
		var ptrs []unsafe.Pointer
		for _, p := range k.Ports() {
			b := buf.New(p.DType, []int{p.Len})
			for i := range p.Len {
				b.SetInt64(i, int64(i*7%31-15))
			}
			ptrs = append(ptrs, b.Pointer())
		}
		x.Run(&kernel.Args{Ptr: ptrs}, 0, 1)
		r := check.Kernels[0]
		switch {
		case c.want == "" && (r.Err != nil || r.Skipped != "" || r.Differ > 0):
			t.Errorf("%s: %v", name, r)
		case c.want != "" && (r.Err == nil || !strings.Contains(r.Err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, r, c.want)
		}
	}
}

// ordered is the first channel of a mem tile that sends in an order of its own.
func ordered(p *program.Program) *program.DMA {
	for i := range p.DMAs {
		if d := &p.DMAs[i]; d.Dir == program.MM2S && len(d.Descriptors) > 0 && len(d.Descriptors[0].Dims) > 1 &&
			p.Machine.KindAt(d.Tile) == machine.MemTile {
			return d
		}
	}
	panic("BUG: no channel has an order")
}
