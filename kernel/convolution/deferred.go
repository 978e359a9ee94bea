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
	unit  Unit
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
	d := &Deferred{unit: u, c: c, bytes: kernel.Aligned(n * c.Acc.Size())}
	inUnit := kernel.Access{Outer: sums.Outer[1:], Port: kernel.Port{DType: c.Acc}}
	over := func(a kernel.Access) []int { return a.Outer[1:] }
	var err error
	d.nests, err = schedule.NewEpilogue(&c.Epilogue, inUnit, over, d.extents, compile)
	if err != nil {
		return nil, nil, err
	}
	return d, WithSums(c, sums), nil
}

// extents returns the channels, rows and columns of units that are the last of an image or of a group, or not; nil if
// there are none.
func (d *Deferred) extents(lastRow, lastChannel bool) []int {
	perGroup := d.c.K / d.c.Groups
	channels, rows := min(d.unit.Channels, perGroup), d.unit.Rows
	if lastChannel {
		channels = perGroup % d.unit.Channels
	}
	if lastRow {
		rows = (d.c.P-1)%d.unit.Rows + 1
	}
	if channels == 0 || !lastRow && d.c.P <= d.unit.Rows {
		return nil
	}
	return []int{channels, rows, d.c.Q}
}

// Run runs the epilogue of the unit of image n that begins with channel k and a row. Its sums lie some bytes into the
// scratch memory.
func (d *Deferred) Run(args *kernel.Args, at, n, k, row int) {
	if d == nil {
		return
	}
	sums, perGroup := unsafe.Add(args.Scratch, at), d.c.K/d.c.Groups
	lastRow, lastChannel := row+d.unit.Rows >= d.c.P, k%perGroup+d.unit.Channels > perGroup
	d.nests.Run(args, lastRow, lastChannel, sums, unsafe.Add(sums, d.bytes), func(a *kernel.Access) int {
		return a.Offset + n*a.Outer[0] + k*a.Outer[1] + row*a.Outer[2]
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
