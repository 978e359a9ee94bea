package convolution

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// Unit is what a unit of a convolution computes: channels of a group by rows of the result. The last units of a group
// and of an image may have fewer.
type Unit struct {
	Channels, Rows int
	ChannelsLast   bool // channels of the sums lie side by side, else columns
}

// Deferred is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch memory. Nil is one that
// has nothing to do.
type Deferred struct {
	c     *kernel.Convolution
	nests *schedule.Epilogue
	bytes int // of the sums
}

// Defer compiles the epilogue of a convolution. It returns the convolution with an epilogue that stores the sums of a
// unit, from the memory on that [Deferred.Run] gets. The error wraps [kernel.ErrUnsupported].
func Defer(c *kernel.Convolution, u Unit, compile schedule.Nests) (*Deferred, *kernel.Convolution, error) {
	n := u.Channels * u.Rows * c.Q
	sums := kernel.Access{Outer: []int{0, u.Rows * c.Q, c.Q, 1}, Port: kernel.Port{DType: c.Acc, Len: n, Write: true}}
	if u.ChannelsLast {
		sums.Outer = []int{0, 1, c.Q * u.Channels, u.Channels}
	}
	d := &Deferred{c: c, bytes: kernel.Aligned(n * c.Acc.Size())}
	loops := []schedule.Along{{Loop: 1, Extent: c.K / c.Groups, Unit: u.Channels}, {Loop: 2, Extent: c.P, Unit: u.Rows}, {Loop: 3, Extent: c.Q, Unit: c.Q}}
	for i := range loops {
		loops[i].Stride = sums.Outer[1+i]
	}
	var err error
	if d.nests, err = schedule.NewEpilogue(&c.Epilogue, c.Acc, loops, compile); err != nil {
		return nil, nil, err
	}
	return d, kernel.WithSums(c, sums).(*kernel.Convolution), nil
}

// Run runs the epilogue of the unit of image n that begins with channel k and a row. Its sums lie some bytes into the
// scratch memory.
func (d *Deferred) Run(args *kernel.Args, at, n, k, row int) {
	if d == nil {
		return
	}
	sums, channel := unsafe.Add(args.Scratch, at), k%(d.c.K/d.c.Groups) // of the group
	d.nests.Run(args, [3]int{channel, row}, sums, unsafe.Add(sums, d.bytes), func(a *kernel.Access) int {
		return a.Offset + n*a.Outer[0] + (k-channel)*a.Outer[1]
	})
}

// Scratch is the memory of the sums, and what the nests need behind it.
func (d *Deferred) Scratch() int {
	if d == nil {
		return 0
	}
	return d.bytes + d.nests.Scratch()
}

// Close frees the code.
func (d *Deferred) Close() {
	if d != nil {
		d.nests.Close()
	}
}
