package native

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// addresses returns memory of a number of bytes. Only pages that are touched take memory.
func addresses(t *testing.T, bytes int) unsafe.Pointer {
	m, err := syscall.Mmap(-1, 0, max(bytes, 1), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("no address space: ", err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	return unsafe.Pointer(&m[0])
}

// TestFarMemory runs kernels whose elements are up to 2^32 elements apart, and compares every result with the portable
// back end's.
func TestFarMemory(t *testing.T) {
	exact := func(op kernel.Op, d dtype.DType) bool {
		return op == kernel.Add || op == kernel.Neg || op == kernel.Max || op == kernel.Select
	}
	makers := map[string]func(r *rand.Rand) kernel.Kernel{
		"nest": func(r *rand.Rand) kernel.Kernel {
			return randomNestOf(r, allTypes, exact)
		},
		"contraction": func(r *rand.Rand) kernel.Kernel { return contraction(r) },
		"convolution": func(r *rand.Rand) kernel.Kernel { return convolution(r) },
		"attention":   func(r *rand.Rand) kernel.Kernel { return randomAttention(r) },
	}
	for name, make := range makers {
		for _, f := range kerneltest.LevelsHere(t) {
			for seed := range uint64(longtest.Sample(1, 4, 12)) {
				t.Run(name, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 9))
					k := make(r)
					spread(r, k, 32)
					code, err := CompileFor(k, f)
					require.NoError(t, err)
					defer code.Close()
					compareFar(t, r, k, code)
				})
			}
		}
	}
}

func compareFar(t *testing.T, r *rand.Rand, k kernel.Kernel, code kernel.Code) {
	reference, err := portable.Compile(k)
	require.NoError(t, err)
	operands := operandsOf(k)
	var want, got []unsafe.Pointer
	for _, l := range operands {
		size := l.Port.DType.Size()
		want = append(want, addresses(t, l.Port.Len*size))
		got = append(got, want[len(want)-1])
		if l.Port.Write {
			got[len(got)-1] = addresses(t, l.Port.Len*size)
			continue
		}
		l.walk(func(at int) { // numbers whose sums are exact
			v := kerneltest.Value{F: float64(r.IntN(5) - 2), I: int64(r.IntN(2))}
			b := kerneltest.NewBuffer(l.Port.DType, 1)
			b.Set(0, v)
			copy(unsafe.Slice((*byte)(unsafe.Add(want[len(want)-1], at*size)), size),
				unsafe.Slice((*byte)(b.Pointer()), size))
		})
	}
	kerneltest.Execute(r, reference, want)
	kerneltest.Execute(r, code, got)
	for i, l := range operands {
		if !l.Port.Write {
			continue
		}
		l.walk(func(at int) {
			w, g := element(l.Port.DType, want[i], at), element(l.Port.DType, got[i], at)
			if !kerneltest.Close(l.Port.DType, w, g, 64, 1) {
				t.Fatalf("port %d element %d: have %v, want %v\n%s", i, at, g, w, k)
			}
		})
	}
}

func element(d dtype.DType, base unsafe.Pointer, at int) kerneltest.Value {
	b := kerneltest.NewBuffer(d, 1)
	copy(unsafe.Slice((*byte)(b.Pointer()), d.Size()), unsafe.Slice((*byte)(unsafe.Add(base, at*d.Size())), d.Size()))
	return b.Get(0)
}
