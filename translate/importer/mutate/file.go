package mutate

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// File returns a changed copy of a file; its name says what kind it is: .onnx, .pt, .pkl, and texts
// such as .mlir, .csv and .json. Any other is changed by its bytes, as these are now and then.
func File(r *rand.Rand, name string, data []byte) []byte {
	if r.IntN(16) == 0 {
		return Bytes(r, data)
	}
	switch filepath.Ext(name) {
	case ".onnx":
		return ONNX(r, data)
	case ".pt", ".pt2":
		return TorchScript(r, data)
	case ".pkl":
		return Pickle(r, data)
	case ".py":
		return Code(r, data)
	case ".mlir", ".csv", ".json", ".txt":
		return Text(r, data, nil)
	}
	return Bytes(r, data)
}

// numbers are those at which something may end.
var numbers = []int64{0, 1, 2, 3, 4, 5, 7, 8, 16, 63, 64, 65, 100, 127, 128, 255, 256, 1000, 1 << 15, 1 << 16,
	100_000, 1 << 20, 1 << 24, 100_000_000, math.MaxInt32, 1 << 31, 1 << 32, 10_000_000_000, 1 << 40, 1 << 47, 1 << 48,
	1 << 62, math.MaxInt64, math.MinInt64, math.MinInt32, -1, -2, -3, -4, -100, -1 << 40}

// number returns a number, mostly a small one.
func number(r *rand.Rand) int64 {
	if r.IntN(2) == 0 {
		return int64(r.IntN(12) - 3)
	}
	return numbers[r.IntN(len(numbers))]
}

// Bytes changes, drops, repeats or exchanges some bytes.
func Bytes(r *rand.Rand, data []byte) []byte {
	out := slices.Clone(data)
	for range 1 + r.IntN(4) {
		if len(out) == 0 {
			return []byte{byte(r.Uint32())}
		}
		at := r.IntN(len(out))
		if r.IntN(2) == 0 { // most of a model is weights: the ends are where the structure is
			at = min(r.IntN(512), len(out)-1)
		}
		end := min(at+1+r.IntN(8), len(out))
		switch r.IntN(6) {
		case 0:
			out[at] ^= 1 << r.IntN(8)
		case 1:
			out[at] = byte(number(r))
		case 2:
			out = slices.Delete(out, at, end)
		case 3:
			out = slices.Insert(out, at, slices.Clone(out[at:end])...)
		case 4:
			copy(out[at:end], out[r.IntN(len(out)):])
		case 5:
			if r.IntN(8) == 0 {
				out = out[:at]
			}
		}
	}
	return out
}
