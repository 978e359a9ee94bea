package convolution

import "github.com/go-acap/acap/kernel"

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
	for _, i := range c.Epilogue.Body {
		if i.Op == kernel.Store {
			if a := c.Epilogue.Access[i.Port-2]; a.Outer[1] == 1 && a.Outer[3] != 1 {
				return true
			}
		}
	}
	return false
}
