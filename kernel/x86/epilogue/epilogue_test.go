package epilogue

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// one returns the epilogue of a row of n elements: port 2 is read, port 3 written.
func one(n int, body func(b *kernel.Builder, acc, x int) int) *kernel.Epilogue {
	b := kernel.NewBody()
	v := body(b, b.Input(dtype.F32), b.Load(2, dtype.F32))
	b.Store(3, v)
	port := func(write bool) kernel.Access {
		p := kernel.Port{DType: dtype.F32, Len: n, Write: write}
		return kernel.Access{Port: p, Outer: []int{n, 1}}
	}
	return &kernel.Epilogue{Access: []kernel.Access{port(false), port(true)}, Body: b.Body()}
}

// columns is a tile of rows of n elements in port 3, whose bodies read a column of port 2.
func columns(rows, n int, body func(b *kernel.Builder, acc, x int) int) *kernel.Epilogue {
	e := one(n, body)
	for i := range e.Access {
		e.Access[i].Len, e.Access[i].Outer[0] = rows*n, n
	}
	return e
}

// run emits e for rows of n elements, in vectors of so many lanes, and runs it on the given accumulators.
func run(t *testing.T, e *kernel.Epilogue, f cpu.Features, n, lanes int, acc, x []float32) []float32 {
	rows := len(acc) / n
	vecs := (n + lanes - 1) / lanes
	register := func(i int) asm.Reg { return asm.Vec(4*lanes, f.Level.VectorRegisters()-1-i) }
	temps := f.Level.VectorRegisters() - rows*vecs
	epi, err := New(e, 2, 0, 1, dtype.F32, f, temps)
	require.NoError(t, err)
	a := asm.New()
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, 0))
	for i := range rows {
		for j := range vecs {
			a.Emit(asm.VMOVUPS, register(i*vecs+j), asm.Ptr(asm.RAX, 4*(i*n+j*lanes)))
		}
	}
	tile := &Tile{
		Rows: rows, Vecs: vecs, Tail: n % lanes, Pointers: []asm.Reg{asm.RBX, asm.RCX},
		Acc: func(i, j int) asm.Reg { return register(i*vecs + j) },
	}
	for i := range temps {
		tile.Temps = append(tile.Temps, register(rows*vecs+i))
	}
	a.Emit(asm.MOV, asm.RBX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 16))
	if f.Level >= cpu.AVX512 {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<tile.Tail-1))
		a.Emit(asm.KMOVD, emit.Tail, asm.RAX.Dword())
	}
	epi.Emit(a, tile)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	program := a.Assemble()
	code, err := exec.Load(program.Bytes)
	require.NoError(t, err)
	defer code.Close()
	in := append(append([]float32(nil), acc...), make([]float32, lanes)...)
	out := make([]float32, len(acc)+2*lanes)
	for i := range out {
		out[i] = 42
	}
	args := [3]unsafe.Pointer{unsafe.Pointer(&in[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&out[0])}
	code.Call(unsafe.Pointer(&args))
	for _, v := range out[len(acc):] {
		require.EqualValues(t, 42, v, "nothing is written behind the tail\n%v", program)
	}
	return out[:len(acc)]
}

// TestTiles compares tiles of several rows, the last vector of which has any number of elements, with Go: vectors are
// as long as the processor's, or shorter.
func TestTiles(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	bodies := map[string]struct {
		body func(b *kernel.Builder, acc, x int) int
		want func(acc, x float32) float32
	}{
		"stored": {func(_ *kernel.Builder, v, _ int) int { return v }, func(v, _ float32) float32 { return v }},
		"relu": {func(b *kernel.Builder, v, x int) int {
			return b.Binary(kernel.Max, b.Binary(kernel.Add, v, x), b.Const(dtype.F32, 0))
		}, func(v, x float32) float32 { return max(v+x, 0) }},
	}
	for name, c := range bodies {
		for _, f := range kerneltest.LevelsHere(t) {
			for lanes := 4; lanes <= f.Level.VectorBytes()/4; lanes *= 2 {
				for n := 1; n <= 2*lanes; n++ {
					for rows := 1; rows <= 3; rows++ {
						var acc, x []float32
						for i := range rows * n {
							acc, x = append(acc, float32(i*7%29)-9), append(x, float32(i*5%23)-11)
						}
						got := run(t, columns(rows, n, c.body), f, n, lanes, acc, x)
						for i := range acc {
							require.Equal(t, c.want(acc[i], x[i]), got[i],
								"%s at %v: element %d of %d rows of %d, %d in a vector", name, f.Level, i, rows, n, lanes)
						}
					}
				}
			}
		}
	}
}

// TestBodies compares every operation with Go, special values included.
func TestBodies(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	acc := []float32{1.2345678, -2, 3, 0, nan, inf, -inf, nan, 5, -5, inf, 0.25, 1e30, -1e30, 4, 9, 2, -7, 8}
	x := []float32{2, 5, nan, -1, 1, nan, inf, nan, -3, 3, inf, 0.5, 1e30, 1e30, 4, 16, -2, 7, 0}
	number := func(v float64) float32 { return float32(v) }
	for name, c := range map[string]struct {
		body func(b *kernel.Builder, acc, x int) int
		want func(acc, x float32) float32
	}{
		"add": {func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Add, v, x) },
			func(v, x float32) float32 { return v + x }},
		"sub": {func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Sub, x, v) },
			func(v, x float32) float32 { return x - v }},
		"div": {func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Div, v, x) },
			func(v, x float32) float32 { return v / x }},
		"max": {func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Max, v, x) },
			func(v, x float32) float32 { return max(v, x) }},
		"min": {func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Min, x, v) },
			func(v, x float32) float32 { return min(v, x) }},
		"relu": {func(b *kernel.Builder, v, _ int) int {
			return b.Binary(kernel.Max, v, b.Const(dtype.F32, 0))
		}, func(v, _ float32) float32 { return max(v, 0) }},
		"relu6": {func(b *kernel.Builder, v, x int) int {
			v = b.Binary(kernel.Max, b.Const(dtype.F32, 0), b.Binary(kernel.Mul, v, x))
			return b.Binary(kernel.Min, v, b.Const(dtype.F32, 6))
		}, func(v, x float32) float32 { return min(max(v*x, 0), 6) }},
		"abs": {func(b *kernel.Builder, v, x int) int {
			return b.Unary(kernel.Neg, b.Binary(kernel.Add, b.Unary(kernel.Abs, v), v))
		}, func(v, x float32) float32 { return -(number(math.Abs(float64(v))) + v) }},
		"sqrt": {func(b *kernel.Builder, v, x int) int {
			return b.Unary(kernel.Sqrt, b.Binary(kernel.Mul, v, v))
		}, func(v, x float32) float32 { return number(math.Sqrt(float64(v * v))) }},
		"rounded": {func(b *kernel.Builder, v, x int) int { // in f32 again, which the store does not round
			return b.Cast(dtype.F32, b.Cast(dtype.BF16, b.Binary(kernel.Add, v, x)))
		}, func(v, x float32) float32 {
			return number(kernel.Value(dtype.BF16, kernel.Bits(dtype.BF16, float64(v+x))))
		}},
		"fma": {func(b *kernel.Builder, v, x int) int { return b.FMA(v, x, v) },
			func(v, x float32) float32 { return number(math.FMA(float64(v), float64(x), float64(v))) }},
	} {
		for _, f := range kerneltest.LevelsHere(t) {
			got := run(t, one(len(acc), c.body), f, len(acc), f.Level.VectorBytes()/4, acc, x)
			for i := range acc {
				w := c.want(acc[i], x[i])
				if w != got[i] && !(w != w && got[i] != got[i]) {
					t.Errorf("%s at %v: (%v, %v) gives %v, want %v", name, f.Level, acc[i], x[i], got[i], w)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512}
	tanh := one(8, func(b *kernel.Builder, v, _ int) int { return b.Unary(kernel.Tanh, v) })
	_, err := New(tanh, 2, 0, 1, dtype.F32, f, 8)
	require.ErrorContains(t, err, "simple operations")
	scatter := one(8, func(b *kernel.Builder, v, _ int) int { return v })
	scatter.Access[1].Outer[1] = 2
	_, err = New(scatter, 2, 0, 1, dtype.F32, f, 8)
	require.ErrorContains(t, err, "lane stride 2")
	add := one(8, func(b *kernel.Builder, v, x int) int { return b.Binary(kernel.Add, v, x) })
	_, err = New(add, 2, 0, 1, dtype.F32, f, 0)
	require.ErrorContains(t, err, "registers")
}
