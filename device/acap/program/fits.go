package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// word is the unit of DMA transfers in bytes.
const word = workload.Word

// Fits reports whether a descriptor of the tile can express a transfer of
// length elements of size bytes in the order of dims; nil dims is linear. Inner
// runs that exceed the size field are split over two dimensions, and one
// dimension may use the iteration counter. The error says what the descriptor cannot express.
func Fits(t *machine.Tile, dims []Dim, length, size int) error {
	words := (length*size + word - 1) / word
	if bits := t.LengthBits.Int(); words >= 1<<bits {
		return fmt.Errorf("length of %d words does not fit %d bits", words, bits)
	}
	dims = Compact(dims)
	if len(dims) == 0 {
		return nil
	}
	run := dims[len(dims)-1]
	if run.Stride > 1 || run.Stride == 0 && run.Size > 1 || run.Size*size%word != 0 {
		if size < word && run.Stride != 1 {
			return fmt.Errorf("elements of %d bytes cannot be %d apart", size, run.Stride)
		}
		if len(dims) > 1 && run.Stride == 1 {
			return fmt.Errorf("runs of %d bytes are no whole words", run.Size*size)
		}
	}
	if len(dims) == 1 && run.Stride == 1 {
		return nil
	}
	wrap, step := 1<<t.WrapBits.Int()-1, 1<<t.StepBits.Int()
	need := 0
	for i, d := range dims {
		n := d.Size
		if i == len(dims)-1 && d.Stride == 1 {
			n = d.Size * size / word
		} else if d.Stride*size/word > step {
			return fmt.Errorf("step of %d words does not fit %d bits", d.Stride*size/word,
				t.StepBits.Int())
		}
		need++
		if n > wrap { // of the outermost dimension as well, whose size mlir-aie bounds
			if !splits(n, wrap) {
				return fmt.Errorf("size %d does not fit %d bits", n, t.WrapBits.Int())
			}
			need++
		}
	}
	limit := t.Dims.Int()
	if need > limit+1 || need == limit+1 && dims[0].Size > 1<<t.IterBits.Int() {
		return fmt.Errorf("%d dimensions of %d and an iteration of %d", need, limit,
			1<<t.IterBits.Int())
	}
	return nil
}

// Compact drops dimensions of size one and merges those that are contiguous.
func Compact(dims []Dim) []Dim {
	var out []Dim
	for _, d := range dims {
		if d.Size == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Stride == d.Size*d.Stride && d.Stride > 0 {
			out[n-1] = Dim{out[n-1].Size * d.Size, d.Stride}
			continue
		}
		out = append(out, d)
	}
	return out
}

// splits reports whether n is a product of two factors of at most limit.
func splits(n, limit int) bool {
	for f := 2; f <= limit; f++ {
		if n%f == 0 && n/f <= limit {
			return true
		}
	}
	return false
}
