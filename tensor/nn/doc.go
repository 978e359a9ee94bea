// Package nn holds models: layers to build them from, and those read from files.
//
// A layer is a value with a Forward method and its parameters as fields; [Module]
// is what containers and optimisers need of it:
//
//	net := nn.Sequential(nn.NewLinear(784, 128), nn.ReLU, nn.NewLinear(128, 10)).To(dev)
//	y := net.Forward(x)
//
// Parameters start as PyTorch's do: uniform within ±1/√fan-in.
package nn
