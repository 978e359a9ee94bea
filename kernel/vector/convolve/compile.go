package convolve

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/direct"
	"github.com/go-acap/acap/kernel/vector/gemm"
	"github.com/go-acap/acap/kernel/vector/planes"
	"github.com/go-acap/acap/kernel/vector/winograd"
)

// Compile compiles a convolution for a processor. The error wraps [kernel.ErrUnsupported] for a convolution that is better
// left to another back end. nests compiles epilogues that are loop nests of their own.
func Compile(c *kernel.Convolution, f cpu.Features, to vector.Processor, nests schedule.Nests) (kernel.Code, error) {
	if f.Level == cpu.Portable {
		return nil, fmt.Errorf("%w: no vector instructions", kernel.ErrUnsupported)
	}
	if product, ok := convolution.AsContraction(c); ok {
		return gemm.Compile(product, f, to, nests)
	}
	if rows, ok := convolution.ImagesAsRows(c); ok && !f.Fixed {
		c = rows
	}
	var limit float32
	convolve := func(c *kernel.Convolution) (code kernel.Code, err error) {
		code, limit, err = compileVectors(c, f, to, nests)
		return code, err
	}
	if !f.Fixed || c.X.DType != dtype.F32 { // direct code, in the order of the definition, reads any layout
		code, err := convolution.Bordered(c, to.Backend(f).VectorBytes()/4, convolve, nests)
		if err == nil {
			if limit == 0 {
				limit = convolution.Finite // for products with the border of the copy
			}
			return guard(c, code, f, nests, limit)
		}
	}
	switch code, err := convolve(c); {
	case errors.Is(err, direct.ErrNoPlan):
		return compilePatches(c, f, to, nests)
	case err != nil:
		return nil, err
	default:
		return guard(c, code, f, nests, limit)
	}
}

// compilePatches compiles c as products of patches.
func compilePatches(c *kernel.Convolution, f cpu.Features, to vector.Processor, nests schedule.Nests) (kernel.Code, error) {
	code, err := convolution.ByPatches(c, func(k *kernel.Contraction) (kernel.Code, error) { return gemm.Compile(k, f, to, nests) })
	if err != nil {
		return nil, err
	}
	return guard(c, code, f, nests, convolution.Finite)
}

// guard has numbers that do not suit code computed exactly.
func guard(c *kernel.Convolution, code kernel.Code, f cpu.Features, nests schedule.Nests, limit float32) (kernel.Code, error) {
	exact := portable.Compile
	if f.Fixed {
		exact = portable.CompileFixed
	}
	return convolution.Guard(c, code, exact, nests, limit)
}

// winogradOrDirect are the costs of Winograd's algorithm and of a direct convolution: no estimate tells which is faster
// where the algorithm fits, and by itself the generator takes the algorithm.
var winogradOrDirect = []float64{1, 1}

// compileVectors compiles c in one of the ways for sums in f32, or for products of bytes. It returns what numbers must be
// below, see [convolution.Guard].
func compileVectors(c *kernel.Convolution, f cpu.Features, to vector.Processor, nests schedule.Nests) (kernel.Code, float32, error) {
	if backend := to.Backend(f); !f.Fixed { // these have orders of their own
		if code, err := convolution.ByChannels(c, backend.VectorBytes()/4, nests); err == nil {
			return code, 0, nil
		}
		if code, err := planes.Compile(c, backend, f.L1D, nests); err == nil {
			return code, convolution.Finite, nil
		}
		if code, err := winograd.Compile(c, backend, f.L2); err == nil {
			if f.Choose(0, winogradOrDirect) == 0 {
				return code, convolution.PixelSums, nil
			}
			code.Close()
		}
		if code, err := convolution.ByDots(c, backend.VectorBytes()/4, nests); err == nil {
			return code, 0, nil
		}
	}
	code, padded, err := direct.Compile(c, f, to, nests)
	if !padded {
		return code, 0, err // what is not padded leaves out what lies outside
	}
	return code, convolution.Finite, err
}
