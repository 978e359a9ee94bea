package nn

import (
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// hook lets others see what a layer computes.
type hook struct{ watch func(y *tensor.Tensor) }

// seen shows an output to who watches, and returns it.
func (h *hook) seen(y *tensor.Tensor) *tensor.Tensor {
	if h.watch != nil {
		h.watch(y)
	}
	return y
}

func (h *hook) hooked() *hook { return h }

// Watch calls see with the path and the output of each layer of this package in a model,
// whenever it computes, until stop is called. A part of a model may be watched alone. Where
// a layer has several outputs, see gets the first. Values need not be computed: printing
// one is a barrier.
func Watch(m any, see func(name string, y *tensor.Tensor)) (stop func()) {
	trace.Need("watch", "the function", see)
	var hooks []*hook
	var before []func(*tensor.Tensor)
	Apply(m, func(name string, m any) {
		h, ok := m.(interface{ hooked() *hook })
		if !ok {
			return
		}
		hooks = append(hooks, h.hooked())
		before = append(before, h.hooked().watch)
		earlier := h.hooked().watch
		h.hooked().watch = func(y *tensor.Tensor) {
			if earlier != nil {
				earlier(y)
			}
			see(name, y)
		}
	})
	return func() {
		for i, h := range hooks {
			h.watch = before[i]
		}
	}
}
