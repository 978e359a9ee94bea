package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel"
)

func init() {
	register(func(k *kernel.Unpack, _ bool) kernel.Code {
		return &unpackCode{described{how: "block by block", kernel: k}, k}
	})
}

// unpackCode reads packed blocks; a unit is a run of them.
type unpackCode struct {
	described
	k *kernel.Unpack
}

// unpackValues is about how many values a unit has.
const unpackValues = 4096

func (c *unpackCode) perUnit() int { return unpackValues / c.k.X.Format.Block() }

func (c *unpackCode) Units() int         { return (c.k.Blocks() + c.perUnit() - 1) / c.perUnit() }
func (c *unpackCode) UnitNanos() float64 { return 2 * unpackValues }

func (c *unpackCode) Run(args *kernel.Args, lo, hi int) {
	f := c.k.X.Format
	from, to := lo*c.perUnit(), min(hi*c.perUnit(), c.k.Blocks())
	data := unsafe.Slice((*byte)(args.Ptr[0]), c.k.X.Len)[from*f.Bytes() : to*f.Bytes()]
	block.Decode(f, unsafe.Slice((*float32)(args.Ptr[1]), c.k.Out.Len)[from*f.Block():to*f.Block()], data)
}

// blockReader reads values of packed blocks into dst. i counts bytes, and the stride counts values: it is one.
func blockReader[T accumulator](b *kernel.Matrix) reader[T] {
	return func(dst []T, p unsafe.Pointer, i, _ int) {
		for ; len(dst) > 0; dst = dst[min(depth, len(dst)):] {
			var room [depth]float32
			values := room[:min(depth, len(dst))]
			bytes, _ := b.Format.RowBytes(len(values))
			block.Decode(b.Format, values, unsafe.Slice((*byte)(unsafe.Add(p, i)), bytes))
			for k, v := range values {
				dst[k] = T(v)
			}
			i += bytes
		}
	}
}

// roundingReader rounds what another reader reads, as [block.Round] does.
func roundingReader[T accumulator](read reader[T]) reader[T] {
	return func(dst []T, p unsafe.Pointer, i, stride int) {
		read(dst, p, i, stride)
		var (
			row    [depth]float32
			q      [depth]int8
			scales [depth / block.Rounded]float32
		)
		for k, v := range dst {
			row[k] = float32(v)
		}
		block.Round(q[:len(dst)], scales[:len(dst)/block.Rounded], row[:len(dst)])
		for k := range dst {
			dst[k] = T(scales[k/block.Rounded] * float32(q[k]))
		}
	}
}
