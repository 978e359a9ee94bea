package convolution

import (
	"slices"

	"github.com/go-acap/acap/kernel"
)

// WithSums returns the convolution with an epilogue that stores the sums as they are.
func WithSums(c *kernel.Convolution, sums kernel.Access) *kernel.Convolution {
	stored := *c
	stored.Epilogue = kernel.Epilogue{Access: []kernel.Access{sums}, Body: kernel.Body{
		{Op: kernel.Input, Type: c.Acc}, {Op: kernel.Store, Type: c.Acc, Port: 2},
	}}
	return &stored
}

// ResultChannelsLast reports whether channels lie side by side in a result.
func ResultChannelsLast(c *kernel.Convolution) bool {
	return slices.ContainsFunc(c.Epilogue.Access, func(a kernel.Access) bool { return a.Write && a.Outer[1] == 1 && a.Outer[3] != 1 })
}
