package transpose_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	arm "github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// each calls a function with the back ends of x86 and of arm64, and says whether their code runs here.
func each(f func(name string, b vector.Backend, runs bool)) {
	for _, l := range kerneltest.Levels() {
		f(l.Level.String(), emit.Backend(l), kerneltest.Executes(l))
	}
	f("neon", arm.Backend(cpu.Features{Level: cpu.NEON}), len(kerneltest.ArmHere()) > 0)
}

// matrices makes a nest that copies matrices to their transposes. Rows of the source are columns and gap elements apart,
// columns of the destination rows and gap.
func matrices(t dtype.DType, batch, rows, columns, gap int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Load(0, t))
	row, column := columns+gap, rows+gap
	return &kernel.Nest{Name: "transpose", Outer: []int{batch, columns, rows}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: t, Len: 3 + batch*rows*row}, Offset: 3, Outer: []int{rows * row, 1, row}},
			{Port: kernel.Port{DType: t, Len: 1 + batch*columns*column, Write: true}, Offset: 1, Outer: []int{columns * column, column, 1}},
		}}
}

// TestNests compares copies of matrices with what nests mean: of all lengths of elements, as small as a part of a
// vector, with tiles that lie over others, in one call and in several.
func TestNests(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	each(func(name string, b vector.Backend, runs bool) {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.BF16, dtype.U8, dtype.Bool} {
			part := 16 / d.Size()
			for _, s := range [][2]int{{part, part}, {part + r.IntN(3), 65 + r.IntN(9)}, {64 + r.IntN(70), part + r.IntN(1+part/4)}, {200 + r.IntN(9), 150 + r.IntN(90)}} {
				n := matrices(d, 1+r.IntN(3), s[0], s[1], r.IntN(3))
				code, err := transpose.Compile(n, b)
				require.NoError(t, err, "%s: %s", name, n)
				if runs {
					require.NoError(t, kerneltest.Check(r, n, code, 0), "%s: %s", name, n)
				}
				code.Close()
			}
		}
	})
}

// TestFar copies matrices that no near cache has, with elements of four and of eight bytes.
func TestFar(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	each(func(name string, b vector.Backend, runs bool) {
		for _, d := range []dtype.DType{dtype.I32, dtype.F64} {
			n := matrices(d, 1, 512, 520+r.IntN(9), 0)
			code, err := transpose.Compile(n, b)
			require.NoError(t, err, "%s: %s", name, n)
			if runs {
				from, to := make([]uint64, n.Access[0].Len), make([]uint64, n.Access[1].Len)
				for i := range from {
					from[i] = r.Uint64()
				}
				args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&from[0]), unsafe.Pointer(&to[0])}, Scratch: kerneltest.Aligned(code.Scratch())}
				code.Run(args, 0, code.Units())
				element := func(list []uint64, i int) []byte {
					return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), 8*len(list))[i*d.Size():][:d.Size()]
				}
				columns := n.Outer[1]
				for i := range 512 * columns {
					if row, column := i/columns, i%columns; !bytes.Equal(element(from, 3+i), element(to, 1+512*column+row)) {
						t.Fatalf("%s: element %d of row %d", name, column, row)
					}
				}
			}
			code.Close()
		}
	})
}

// TestOthers has nests be left to other code: rows and columns that do not fill a part, strides that no displacement
// reaches, columns that tiles would copy twice too often, and nests that are no copy to a transpose.
func TestOthers(t *testing.T) {
	short, narrow, far := matrices(dtype.F32, 2, 3, 100, 0), matrices(dtype.F32, 2, 100, 3, 0), matrices(dtype.U8, 1, 16, 16, 0)
	twice := matrices(dtype.F64, 1, 100, 3, 0)
	far.Access[0].Outer[2], far.Access[0].Len = 1<<28, 1<<32+16
	straight, changed := matrices(dtype.F32, 1, 64, 64, 0), matrices(dtype.F32, 1, 64, 64, 0)
	straight.Access[0].Outer = straight.Access[1].Outer
	b := kernel.NewBody()
	b.Store(1, b.Unary(kernel.Neg, b.Load(0, dtype.F32)))
	changed.Stages[0].Body = b.Body()
	each(func(name string, b vector.Backend, _ bool) {
		for _, n := range []*kernel.Nest{short, narrow, far, twice, straight, changed} {
			require.NoError(t, kernel.Verify(n))
			_, err := transpose.Compile(n, b)
			require.True(t, errors.Is(err, kernel.ErrUnsupported), "%s: %s", name, n)
		}
	})
}

// The transpose of a matrix of 4 by 8 numbers.
func ExampleCompile() {
	n := matrices(dtype.I32, 1, 4, 8, 0)
	n.Access[0].Offset, n.Access[1].Offset = 0, 0
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		fmt.Println([]int32{0, 8, 16, 24, 1})
		return
	}
	code, err := transpose.Compile(n, emit.Backend(f))
	if err != nil {
		panic(err)
	}
	defer code.Close()
	from, to := make([]int32, 32), make([]int32, 32)
	for i := range from {
		from[i] = int32(i)
	}
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&from[0]), unsafe.Pointer(&to[0])}, Scratch: kerneltest.Aligned(code.Scratch())}
	code.Run(args, 0, code.Units())
	fmt.Println(to[:5])
	// Output: [0 8 16 24 1]
}
