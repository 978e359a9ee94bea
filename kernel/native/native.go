package native

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/arm64"
	arm "github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/attention"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/portable"
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
	"github.com/go-acap/acap/kernel/vector/sort"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// Compile turns a kernel into code for this machine.
func Compile(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, cpu.Detect()) }

// Setting returns what is wrong with the environment variables ACAP_PROCESSOR, ACAP_KERNELS and ACAP_CODE, of type
// [*environment.Error].
func Setting() error {
	if err := cpu.Detect().Rejected; err != nil {
		return err
	}
	_, err := exec.Setting()
	return err
}

// GeneratorError is a mistake of a code generator, which panicked.
type GeneratorError struct {
	Kernel kernel.Kernel
	Panic  any
	Stack  []byte
}

func (e *GeneratorError) Error() string {
	return fmt.Sprintf("BUG: native: no code for this kernel: %v\n%s", e.Panic, e.Kernel)
}

// CompileFor turns a kernel into code that needs no more than the features of f, which is portable where the system
// cannot run generated code, or refuses to (see [Refused]). A panic of a generator is returned as a [*GeneratorError].
func CompileFor(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	if f.Fixed {
		return compileFixed(k, f)
	}
	if f.Level > cpu.Portable && exec.Supported && Refused() == nil {
		code, err := generate(k, f)
		if unsupported(err) {
			code, err = deferEpilogue(k, f)
		}
		if errors.Is(err, exec.ErrRefused) {
			refuse(err)
		} else if code != nil || err != nil && !unsupported(err) {
			return code, err
		}
	}
	return portable.Compile(k)
}

// generate compiles a kernel to machine code.
func generate(k kernel.Kernel, f cpu.Features) (code kernel.Code, err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case r == any(asm.ErrReach):
			code, err = nil, asm.ErrReach
		default:
			code, err = nil, &GeneratorError{k, r, debug.Stack()}
		}
	}()
	if n, ok := k.(*kernel.Nest); ok {
		k = n.Coarse()
	}
	if _, ok := k.(*kernel.Attention); f.Level == cpu.NEON && !ok {
		return arm64.Compile(k, f)
	}
	if g, ok := generators.Of(k); ok {
		return g(k, f)
	}
	return nil, kernel.ErrUnsupported
}

// generators are the functions that make machine code of the kinds of kernels. Other kinds are portable.
var generators kernel.Table[func(kernel.Kernel, cpu.Features) (kernel.Code, error)]

func init() { // which breaks the cycle of kernels that consist of others
	generators = kernel.Table[func(kernel.Kernel, cpu.Features) (kernel.Code, error)]{}
	add(vectors(nest.Compile))
	add(vectors(scan.Compile))
	add(vectors(scatter.Compile))
	add(vectors(random.Compile))
	add(vectors(sort.Compile))
	add(func(k *kernel.Unpack, f cpu.Features) (kernel.Code, error) { return blocks.CompileUnpack(k, halves(f)) })
	// An epilogue that is a nest of its own may go to another back end.
	nests := func(f cpu.Features) func(*kernel.Nest) (kernel.Code, error) {
		return func(n *kernel.Nest) (kernel.Code, error) { return CompileFor(n, f) }
	}
	add(func(k *kernel.Contraction, f cpu.Features) (kernel.Code, error) { return product(k, f, nests(f)) })
	add(func(k *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
		return convolve.Compile(k, f, emit.Processor{}, nests(f))
	})
	add(func(k *kernel.Attention, f cpu.Features) (kernel.Code, error) {
		backend := emit.Backend
		if f.Level == cpu.NEON {
			backend = arm.Backend
		}
		return attention.Compile(k, f, backend(f), func(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, f) })
	})
}

// add says how machine code of a kind of kernels is made.
func add[K kernel.Kernel](generate func(K, cpu.Features) (kernel.Code, error)) {
	generators[kernel.Kind[K]()] = func(k kernel.Kernel, f cpu.Features) (kernel.Code, error) { return generate(k.(K), f) }
}

// vectors is a generator that writes vector programs, for x86.
func vectors[K kernel.Kernel](compile func(K, vector.Backend) (kernel.Code, error)) func(K, cpu.Features) (kernel.Code, error) {
	return func(k K, f cpu.Features) (kernel.Code, error) { return compile(k, emit.Backend(f)) }
}

// product compiles a contraction. One with B in stored blocks goes to package blocks if its rows are few or rounded,
// another of a few rows to package rows if that takes it.
func product(k *kernel.Contraction, f cpu.Features, nests schedule.Nests) (kernel.Code, error) {
	switch {
	case f.Fixed:
	case k.B.Stored():
		if code, err := blocks.Compile(k, halves(f), byteDots(f), nests); !errors.Is(err, kernel.ErrUnsupported) {
			return code, err
		}
	default:
		if code, err := rows.Compile(k, emit.Backend(f), nests); !errors.Is(err, kernel.ErrUnsupported) {
			return code, err
		}
	}
	return gemm.Compile(k, f, emit.Processor{}, nests)
}

// halves makes code with vectors of 32 bytes, as AVX2 has them, on a processor with longer ones too: a chunk of a block
// fills one.
func halves(f cpu.Features) vector.Backend {
	f.Level = cpu.AVX2
	return emit.Backend(f)
}

// byteDots are the sums of products of bytes that a processor has instructions for.
func byteDots(f cpu.Features) (d blocks.Dots) {
	d.Mixed = f.VNNI
	if f.Tiles {
		d.Tiles = emit.Backend(f)
	}
	return d
}

// unsupported reports whether err says that a kernel has to go to another back end.
func unsupported(err error) bool {
	return errors.Is(err, asm.ErrReach) || errors.Is(err, kernel.ErrUnsupported)
}
