package native

import (
	"errors"
	"runtime/debug"

	"github.com/go-acap/acap/kernel"
	armasm "github.com/go-acap/acap/kernel/arm64/asm"
	arm64 "github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/attention"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/blocks"
	"github.com/go-acap/acap/kernel/vector/convolve"
	"github.com/go-acap/acap/kernel/vector/gemm"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/random"
	"github.com/go-acap/acap/kernel/vector/rows"
	"github.com/go-acap/acap/kernel/vector/scan"
	"github.com/go-acap/acap/kernel/vector/scatter"
	"github.com/go-acap/acap/kernel/vector/search"
	"github.com/go-acap/acap/kernel/vector/sort"
	x86asm "github.com/go-acap/acap/kernel/x86/asm"
	x86 "github.com/go-acap/acap/kernel/x86/emit"
)

// generate compiles a kernel to machine code.
func generate(k kernel.Kernel, f cpu.Features) (code kernel.Code, err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case r == any(x86asm.ErrReach), r == any(armasm.ErrReach):
			code, err = nil, r.(error)
		default:
			code, err = nil, &GeneratorError{k, r, debug.Stack()}
		}
	}()
	if n, ok := k.(*kernel.Nest); ok {
		k = n.Coarse()
	}
	if g, ok := generators.Of(k); ok {
		return g(k, f)
	}
	return nil, kernel.ErrUnsupported
}

// processor makes machine code of vector programs.
func processor(f cpu.Features) vector.Processor {
	if f.Level == cpu.NEON {
		return arm64.Processor
	}
	return x86.Processor
}

// generators are the functions that make machine code of the kinds of kernels. Other kinds are portable.
var generators kernel.Table[func(kernel.Kernel, cpu.Features) (kernel.Code, error)]

func init() { // which breaks the cycle of kernels that consist of others
	generators = kernel.Table[func(kernel.Kernel, cpu.Features) (kernel.Code, error)]{}
	add(vectors(nest.Compile))
	add(vectors(scan.Compile))
	add(vectors(scatter.Compile))
	add(vectors(search.Compile))
	add(vectors(random.Compile))
	add(vectors(sort.Compile))
	add(func(k *kernel.Unpack, f cpu.Features) (kernel.Code, error) {
		return blocks.CompileUnpack(k, ofBlocks(f))
	})
	// An epilogue that is a nest of its own may go to another back end.
	nests := func(f cpu.Features) func(*kernel.Nest) (kernel.Code, error) {
		return func(n *kernel.Nest) (kernel.Code, error) { return CompileFor(n, f) }
	}
	add(func(k *kernel.Contraction, f cpu.Features) (kernel.Code, error) { return product(k, f, nests(f)) })
	add(func(k *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
		return convolve.Compile(k, f, processor(f), nests(f))
	})
	add(func(k *kernel.Attention, f cpu.Features) (kernel.Code, error) {
		return attention.Compile(k, f, processor(f).Backend(f), func(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, f) })
	})
}

// add says how machine code of a kind of kernels is made.
func add[K kernel.Kernel](generate func(K, cpu.Features) (kernel.Code, error)) {
	generators[kernel.Kind[K]()] = func(k kernel.Kernel, f cpu.Features) (kernel.Code, error) { return generate(k.(K), f) }
}

// vectors is a generator that writes vector programs.
func vectors[K kernel.Kernel](compile func(K, vector.Backend) (kernel.Code, error)) func(K, cpu.Features) (kernel.Code, error) {
	return func(k K, f cpu.Features) (kernel.Code, error) { return compile(k, processor(f).Backend(f)) }
}

// product compiles a contraction. One with B in stored blocks goes to package blocks if its rows are few or rounded,
// another of a few rows to package rows if that takes it.
func product(k *kernel.Contraction, f cpu.Features, nests schedule.Nests) (kernel.Code, error) {
	switch {
	case f.Fixed:
	case k.B.Stored():
		if code, err := blocks.Compile(k, ofBlocks(f), byteDots(f), nests); !errors.Is(err, kernel.ErrUnsupported) {
			return code, err
		}
	default:
		if code, err := rows.Compile(k, processor(f).Backend(f), nests); !errors.Is(err, kernel.ErrUnsupported) {
			return code, err
		}
	}
	return gemm.Compile(k, f, processor(f), nests)
}

// ofBlocks makes code with vectors of at most 32 bytes, on a processor with longer ones too: a chunk of a block fills one.
func ofBlocks(f cpu.Features) vector.Backend {
	f.Broadcasts = f.Level == cpu.AVX512
	f.Level = min(f.Level, cpu.AVX2)
	return processor(f).Backend(f)
}

// byteDots are the sums of products of bytes that a processor has instructions for.
func byteDots(f cpu.Features) blocks.Dots {
	d := blocks.Dots{Lanes: f.DotProduct, Squares: f.I8MM, Mixed: f.VNNI}
	if f.Tiles {
		d.Tiles = processor(f).Backend(f)
	}
	return d
}

// unsupported reports whether err says that a kernel has to go to another back end.
func unsupported(err error) bool {
	return errors.Is(err, x86asm.ErrReach) || errors.Is(err, armasm.ErrReach) || errors.Is(err, kernel.ErrUnsupported)
}
