package tileexact

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// tiling has the facts from which the layout of a kernel in tiles follows.
type tiling struct {
	w       *workload.Kernel
	p       *program.Program
	g       *mapping.Mapping
	ports   []*buf.Buffer
	compile func(kernel.Kernel) (kernel.Code, error)
}

// layouts lay out the kinds of kernels in tiles. Kernels that work line by line need none.
var layouts = kernel.Table[func(*tiling, kernel.Kernel) (*layout, error)]{}

// register says how a kind of kernels is laid out.
func register[K kernel.Kernel](lay func(*tiling, K) (*layout, error)) {
	layouts[kernel.Kind[K]()] = func(t *tiling, k kernel.Kernel) (*layout, error) { return lay(t, k.(K)) }
}

func init() {
	register(func(t *tiling, k *kernel.Nest) (*layout, error) {
		n, err := t.sliced(k)
		if err != nil {
			return nil, err
		}
		return nest(describe.Still(n), t.w, t.p, t.g, t.ports, t.compile)
	})
	register(func(t *tiling, k *kernel.Contraction) (*layout, error) {
		return contraction(k, &t.w.Contraction, t.p, t.g, t.ports)
	})
	register(func(t *tiling, k *kernel.Convolution) (*layout, error) {
		if n, ok := describe.Depthwise(k); ok {
			return depthwise(&n, t.w, t.p, t.g, t.ports, t.compile)
		}
		return convolution(k, &t.w.Convolution, t.p, t.g, t.ports)
	})
	register(func(t *tiling, k *kernel.Attention) (*layout, error) {
		return attention(k, t.w.Attention.Mask, t.p, t.g)
	})
	register((*tiling).scan)
	register((*tiling).sort)
	register((*tiling).scatter)
	register((*tiling).random)
}
