package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/devicetest"
)

func Example_main() {
	main()
	// Output:
	// acap::CompilationGroup_0 [aten.mm aten.add.Tensor aten.relu] on unit
	// an operation [aten._softmax] on host
	// tensor([[0.2151, 0.2151, 0.2151, 0.3547],
	//         [0.2151, 0.2151, 0.2151, 0.3547]], device='unit')
	// groups that the unit ran: 1
}

// TestDevice: the unit is a device as the host and the array are.
func TestDevice(t *testing.T) {
	devicetest.Run(t, device.Named("unit"))
	require.Positive(t, runs.Load(), "no program had a group for the unit")
}
