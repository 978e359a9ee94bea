package convolution

import (
	"slices"

	"github.com/go-acap/acap/kernel"
)

// ResultChannelsLast reports whether channels lie side by side in a result.
func ResultChannelsLast(c *kernel.Convolution) bool {
	return slices.ContainsFunc(c.Epilogue.Access, func(a kernel.Access) bool { return a.Write && a.Outer[1] == 1 && a.Outer[3] != 1 })
}
