package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// arrays are the machines that programs are walked on.
var arrays = []string{"npu1", "npu2", "vek280", "vck190"}

// port is a dense operand.
func port(t dtype.DType, n int, write bool) kernel.Port {
	return kernel.Port{DType: t, Len: n, Write: write}
}

// epilogue stores the accumulator plus a value per column, and relu of it.
func epilogue(first int, acc, out dtype.DType, length int, strides, bias []int, n int) kernel.Epilogue {
	b := kernel.NewBody()
	v := b.Emit(kernel.Instr{Op: kernel.Input, Type: acc})
	v = b.Emit(kernel.Instr{Op: kernel.Add, Type: acc, A: v, B: b.Load(first, acc)})
	zero := b.Emit(kernel.Instr{Op: kernel.Const, Type: acc})
	v = b.Emit(kernel.Instr{Op: kernel.Max, Type: acc, A: v, B: zero})
	if acc != out {
		v = b.Emit(kernel.Instr{Op: kernel.Cast, Type: out, A: v})
	}
	b.Store(first+1, v)
	return kernel.Epilogue{Body: b.Body(), Access: []kernel.Access{
		{Port: port(acc, n, false), Outer: bias, Inner: []int{}},
		{Port: port(out, length, true), Outer: strides, Inner: []int{}}}}
}

// keepSum makes an epilogue store the accumulator as well, as elements of type t.
func keepSum(e *kernel.Epilogue, first int, acc, t dtype.DType) {
	result := e.Access[len(e.Access)-1]
	at := len(e.Body)
	e.Body = append(e.Body, kernel.Instr{Op: kernel.Input, Type: acc},
		kernel.Instr{Op: kernel.Cast, Type: t, A: at},
		kernel.Instr{Op: kernel.Store, Type: t, A: at + 1, Port: first + len(e.Access)})
	result.DType = t
	e.Access = append(e.Access, result)
}

func product(m, k, n int, in, acc, out dtype.DType) *kernel.Contraction {
	return &kernel.Contraction{Name: fmt.Sprintf("product %dx%dx%d %v", m, k, n, in), M: m, N: n, K: k, Acc: acc,
		A:        kernel.Matrix{Port: port(in, m*k, false), Row: k, Col: 1, Batch: []int{}},
		B:        kernel.Matrix{Port: port(in, k*n, false), Row: n, Col: 1, Batch: []int{}},
		Batch:    []int{},
		Epilogue: epilogue(2, acc, out, m*n, []int{n, 1}, []int{0, 1}, n)}
}

func convolution(c, h, k, r, stride int, in, acc dtype.DType) *kernel.Convolution {
	p := (h+2*(r/2)-r)/stride + 1
	return &kernel.Convolution{Name: fmt.Sprintf("conv %d %d %d %d %v", c, h, k, r, in), N: 2, C: c, H: h, W: h,
		K: k, P: p, Q: p, R: r, S: r, Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1},
		Pad: [2]int{r / 2, r / 2}, Groups: 1, Acc: acc,
		X:        kernel.Image{Port: port(in, 2*c*h*h, false), Strides: [4]int{c * h * h, h * h, h, 1}},
		Filter:   kernel.Image{Port: port(in, k*c*r*r, false), Strides: [4]int{c * r * r, r * r, r, 1}},
		Epilogue: epilogue(2, acc, acc, 2*k*p*p, []int{k * p * p, p * p, p, 1}, []int{0, 1, 0, 0}, k)}
}

// call runs a kernel on random floats from −1 to 1 and on such integers.
func call(t testing.TB, code kernel.Code, k kernel.Kernel, r *rand.Rand, integer func() int64) {
	t.Helper()
	var ptrs []unsafe.Pointer
	for _, p := range k.Ports() {
		b := buf.New(p.DType, []int{p.Len})
		for i := range p.Len {
			if p.DType.IsFloat() {
				b.SetFloat64(i, r.Float64()*2-1)
			} else {
				b.SetInt64(i, integer())
			}
		}
		ptrs = append(ptrs, b.Pointer())
	}
	args := kernel.Args{Ptr: ptrs}
	code.Run(&args, 0, code.Units())
	if args.Fault != 0 {
		t.Fatal("fault")
	}
}

func check(t testing.TB, c *tileexact.Checker, k kernel.Kernel, r *rand.Rand) *tileexact.Result {
	t.Helper()
	code, err := c.Backend(k)
	if err != nil {
		t.Fatal(err)
	}
	defer code.Close()
	call(t, code, k, r, func() int64 { return r.Int64N(15) - 7 })
	return c.Kernels[len(c.Kernels)-1]
}

// checkMapped checks a kernel with the mapping that change makes of the mapper's own, and runs its program by events.
func checkMapped(t testing.TB, name string, k kernel.Kernel, r *rand.Rand, change func(*mapping.Mapping)) (*tileexact.Result,
	*mapper.Choice, *event.Result) {
	t.Helper()
	var chosen *mapper.Choice
	c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile,
		Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
			found, err := mapper.Map(m, w)
			if err != nil {
				return nil, err
			}
			g := found.Mapping
			change(&g)
			chosen, err = found.With(g)
			return chosen, err
		}}
	v := check(t, c, k, r)
	require.NoError(t, v.Err, "%s on %s", v.Mapping, name)
	require.Empty(t, v.Skipped, "%s on %s", v.Mapping, name)
	_, run := byEvents(t, chosen)
	return v, chosen, run
}

// byEvents runs the program of a choice by events, which takes as long as the closed form says within 5 % and moves
// as many bytes out. It returns the program too.
func byEvents(t testing.TB, chosen *mapper.Choice) (*program.Program, *event.Result) {
	t.Helper()
	p, err := chosen.Program()
	require.NoError(t, err)
	require.NoError(t, chosen.Verify())
	run, err := event.Run(p, event.Options{Launch: chosen.Timing.Launch, Restart: chosen.Timing.Pause})
	require.NoError(t, err)
	require.InEpsilon(t, chosen.Timing.Seconds, run.Seconds, 0.05, "%s %v", p.Machine.Name, chosen.Mapping)
	require.Equal(t, chosen.Timing.WriteL3, run.WriteBytes, "%s %v", p.Machine.Name, chosen.Mapping)
	return p, run
}

// TestRandomKernels walks products and convolutions of random shapes on all
// arrays: integers must have the same bits.
func TestRandomKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range longtest.Sample(8, 9, 60) {
		name := arrays[i%4]
		c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile}
		types := [][3]dtype.DType{{dtype.I8, dtype.I32, dtype.I32}, {dtype.F32, dtype.F32, dtype.F32},
			{dtype.I32, dtype.I32, dtype.I32}, {dtype.BF16, dtype.F32, dtype.BF16}}[r.IntN(4)]
		var k kernel.Kernel
		var e *kernel.Epilogue
		if i%3 == 0 {
			conv := convolution(1+r.IntN(9), 4+r.IntN(14), 1+r.IntN(20), 1+2*r.IntN(3), 1+r.IntN(2), types[0], types[1])
			k, e = conv, &conv.Epilogue
		} else {
			p := product(1+r.IntN(90), 1+r.IntN(90), 1+r.IntN(90), types[0], types[1], types[2])
			k, e = p, &p.Epilogue
		}
		for range max(0, r.IntN(4)-1) {
			keepSum(e, 2, types[1], []dtype.DType{types[0], types[1], dtype.I16}[r.IntN(3)])
		}
		v := check(t, c, k, r)
		if v.Skipped != "" || v.Err != nil || v.Elements == 0 || !types[2].IsFloat() && v.Differ > 0 {
			t.Errorf("%s on %s, %s: %v", v.Kernel, name, v.Mapping, v)
		}
	}
}

// TestSmallProducts walks products without whole dimensions.
func TestSmallProducts(t *testing.T) { on(t, walkSmallProducts) }

func walkSmallProducts(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(3, 8))
	for _, s := range [][3]int{{1, 1, 1}, {1, 5, 1}, {3, 1, 1}, {1, 1, 9}, {2, 300, 1}} {
		for _, acc := range []dtype.DType{dtype.F32, dtype.I32} {
			c := &tileexact.Checker{Machine: m, Native: native.Compile}
			one := product(s[0], s[1], s[2], acc, acc, acc)
			two := product(s[0], s[1], s[2], acc, acc, acc)
			keepSum(&two.Epilogue, 2, acc, dtype.I8)
			for i, k := range []*kernel.Contraction{one, two} {
				v := check(t, c, k, r)
				if v.Skipped != "" || v.Err != nil || v.Elements != (1+i)*s[0]*s[2] {
					t.Errorf("%s, %s: %v", v.Kernel, v.Mapping, v)
				}
			}
		}
	}
}

// TestPointwise walks a pointwise body with a broadcast row, and row sums.
func TestPointwise(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 7, 4096, 10007} {
		b := kernel.NewBody()
		v := b.Emit(kernel.Instr{Op: kernel.Mul, Type: dtype.I32, A: b.Load(0, dtype.I32), B: b.Load(1, dtype.I32)})
		b.Store(2, v)
		k := &kernel.Nest{Name: "mul", Outer: []int{n}, Inner: []int{},
			Access: []kernel.Access{
				{Port: port(dtype.I32, n, false), Outer: []int{1}, Inner: []int{}},
				{Port: port(dtype.I32, n, false), Outer: []int{1}, Inner: []int{}},
				{Port: port(dtype.I32, n, true), Outer: []int{1}, Inner: []int{}}},
			Stages: []kernel.Stage{{Body: b.Body()}}}
		for _, name := range []string{"npu1", "vck190"} {
			c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile}
			if v := check(t, c, k, r); v.Skipped != "" || v.Err != nil || v.Differ > 0 || v.Elements != n {
				t.Errorf("%d on %s: %v", n, name, v)
			}
		}
	}
}

// TestFindsFlips flips a bit in a buffer of a core.
func TestFindsFlips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	c := &tileexact.Checker{Machine: machinetest.Preset(t, "npu1"), Native: native.Compile,
		Faults: []event.Fault{{Kind: event.FlipBit, Tile: program.Coord{Col: 0, Row: 2}, Bit: 5}}}
	v := check(t, c, product(64, 64, 64, dtype.I8, dtype.I32, dtype.I32), r)
	if v.Err == nil || !strings.Contains(v.Err.Error(), "native") {
		t.Errorf("a flipped bit: %v", v)
	}
	if len(v.Wrong) != 1 || v.Wrong[0] != c.Faults[0].Tile {
		t.Errorf("a bit flipped at %v; wrong are the results of %v", c.Faults[0].Tile, v.Wrong)
	}
}

// TestRefusesFlips names the bits that there are when one is asked for beyond them.
func TestRefusesFlips(t *testing.T) {
	for _, bit := range []int64{-1, 8 * 64 << 10} {
		c := &tileexact.Checker{Machine: machinetest.Preset(t, "npu1"), Native: native.Compile,
			Faults: []event.Fault{{Kind: event.FlipBit, Tile: program.Coord{Col: 0, Row: 2}, Bit: bit}}}
		v := check(t, c, product(64, 64, 64, dtype.I8, dtype.I32, dtype.I32), rand.New(rand.NewPCG(1, 1)))
		if v.Err == nil || !strings.Contains(v.Err.Error(), "has bits 0 to") {
			t.Errorf("bit %d: %v", bit, v)
		}
	}
}

func ExampleChecker() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	c := &tileexact.Checker{Machine: m, Native: native.Compile}
	k := product(32, 32, 32, dtype.I8, dtype.I32, dtype.I32)
	code, err := c.Backend(k) // what engine.Options.Backend calls
	if err != nil {
		panic(err)
	}
	defer code.Close()
	var ptrs []unsafe.Pointer
	for _, p := range k.Ports() {
		ptrs = append(ptrs, buf.New(p.DType, []int{p.Len}).Pointer())
	}
	code.Run(&kernel.Args{Ptr: ptrs}, 0, code.Units())
	fmt.Println(c.Kernels[0])
	// Output:
	// product 32x32x32 i8: 1024 elements, the same bits
}
