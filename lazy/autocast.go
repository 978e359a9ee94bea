package lazy

import (
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/trace"
)

// Autocast returns a device that computes on d in automatic mixed precision: products of matrices
// and convolutions in to, which is bf16 or f16, with sums in f32; what is sensitive in f32; the rest
// in the type of what it is given. It follows PyTorch's torch.autocast; docs/precision.md has the
// table of operators. Parameters, inputs and results keep their types, so that a model is trained
// as it is:
//
//	dev := lazy.Autocast(acap.Device(), dtype.BF16)
//	y := model.To(dev).Forward(x.To(dev))
//
// What is recorded is rewritten when it is compiled, by the pass autocast-bf16 or autocast-f16. Equal
// arguments give the same device. A device without a configuration panics with a [*device.OpenError].
func Autocast(d device.Device, to dtype.DType) device.Device {
	trace.Need("autocast", "the device", d)
	key := autocastKey{d, to}
	if found, ok := autocasts.Load(key); ok {
		return found.(device.Device)
	}
	var config device.Config
	if c, ok := d.(interface{ Config() device.Config }); ok {
		config = c.Config()
	}
	with, err := device.Configure(d, config.WithAutocast(to))
	if err != nil {
		panic(&device.OpenError{Name: d.Name(), Where: trace.Where(), Err: err})
	}
	found, _ := autocasts.LoadOrStore(key, with)
	return found.(device.Device)
}

type autocastKey struct {
	device device.Device
	to     dtype.DType
}

var autocasts sync.Map // of device.Device by autocastKey
