package arm64

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/blocks"
	"github.com/go-acap/acap/kernel/vector/gemm"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/random"
	"github.com/go-acap/acap/kernel/vector/rowpairs"
	"github.com/go-acap/acap/kernel/vector/scan"
	"github.com/go-acap/acap/kernel/vector/scatter"
	"github.com/go-acap/acap/kernel/vector/search"
	"github.com/go-acap/acap/kernel/vector/sort"
	"github.com/go-acap/acap/kernel/vector/taps"
	"github.com/go-acap/acap/kernel/vector/winograd"
)

// Compile generates the code of a kernel.
func Compile(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if f.Level != cpu.NEON {
		return nil, fmt.Errorf("%w: no NEON", kernel.ErrUnsupported)
	}
	var c kernel.Code
	var err error
	switch k := k.(type) {
	case *kernel.Nest:
		c, err = nest.Compile(k, emit.Backend(f))
	case *kernel.Contraction:
		c, err = contraction(k, f)
	case *kernel.Convolution:
		c, err = convolve(k, f)
	case *kernel.Unpack:
		c, err = blocks.CompileUnpack(k, emit.Backend(f))
	case *kernel.Search:
		c, err = search.Compile(k, emit.Backend(f))
	case *kernel.Random:
		c, err = random.Compile(k, emit.Backend(f))
	case *kernel.Sort:
		c, err = sort.Compile(k, emit.Backend(f))
	case *kernel.Scan:
		c, err = scan.Compile(k, emit.Backend(f))
	case *kernel.Scatter:
		c, err = scatter.Compile(k, emit.Backend(f))
	default:
		return nil, kernel.ErrUnsupported
	}
	if errors.Is(err, kernel.ErrUnsupported) || errors.Is(err, asm.ErrReach) {
		err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, err)
	}
	return c, err
}

// contraction compiles a product: one with B in stored blocks by package blocks if that takes it.
func contraction(k *kernel.Contraction, f cpu.Features) (kernel.Code, error) {
	nests := func(n *kernel.Nest) (kernel.Code, error) { return nest.Compile(n, emit.Backend(f)) }
	if k.B.Stored() {
		c, err := blocks.Compile(k, emit.Backend(f), blocks.Dots{Lanes: f.DotProduct, Squares: f.I8MM}, nests)
		if !errors.Is(err, kernel.ErrUnsupported) {
			return c, err
		}
	}
	return gemm.Compile(k, f, emit.Processor{}, nests)
}

// enoughFilters is how many filters of a group pay for copying patches, and for packing them by fours or eights.
const enoughFilters = 64

// convolve compiles a convolution. One of bytes that the processor has products of several of, with enough filters, is
// products of its patches: the other way widens bytes. One of 3×3 with many channels is done by Winograd's algorithm,
// and one with high filters and few channels by pairs of rows.
func convolve(k *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
	x, filter := k.X.DType, k.Filter.DType
	if several := f.I8MM || f.DotProduct && x == filter; several && k.Acc == dtype.I32 && x.Size() == 1 && filter.Size() == 1 &&
		k.K/k.Groups >= enoughFilters {
		compile := func(p *kernel.Contraction) (kernel.Code, error) { return contraction(p, f) }
		if p, ok := convolution.AsContraction(k); ok {
			return compile(p)
		}
		if c, err := convolution.ByPatches(k, compile); !errors.Is(err, kernel.ErrUnsupported) {
			return c, err
		}
	}
	if !f.Fixed { // sums in orders of their own
		c, err := winograd.Compile(k, emit.Backend(f), f.L2)
		if err != nil {
			c, err = rowpairs.Compile(k, emit.Backend(f))
		}
		if err == nil {
			nests := func(n *kernel.Nest) (kernel.Code, error) { return nest.Compile(n, emit.Backend(f)) }
			return convolution.Guard(k, c, portable.Compile, nests, convolution.PixelSums)
		}
	}
	return taps.Compile(k, emit.Backend(f))
}
