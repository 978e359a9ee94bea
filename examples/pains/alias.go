package main

import (
	"fmt"
	"io"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
)

// alias changes a view of a view in place, eagerly on the host and recorded.
func alias(w io.Writer, dev *acap.Array) error {
	for _, d := range []device.Device{host.Device(), dev} {
		x := tensor.Zeros(2, 3).To(d)
		before := x.AddScalar(1) // takes x as it is at this call
		column := x.T().Select(0, 1)
		column.AddScalarInPlace(5)
		x.MulScalarInPlace(2)
		fmt.Fprintln(w, x.Float32s(), column.Float32s(), before.Float32s())
	}
	return nil
}
