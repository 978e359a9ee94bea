package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestResampledBytes: pictures of bytes are interpolated in fixed point, as by PyTorch 2.14 on a CPU.
func TestResampledBytes(t *testing.T) {
	picture := make([]byte, 24)
	for i := range picture {
		picture[i] = byte(97 * i)
	}
	x := tensor.FromBuffer(buf.From(picture, 1, 2, 3, 4))
	for _, c := range []struct {
		op     string
		size   []int
		align  bool
		scales []float64
		want   []byte
	}{
		{"upsample_bilinear2d", []int{5, 7}, false, nil, []byte{0, 35, 90, 146, 183, 92, 35, 53, 88, 143, 148, 141, 108, 88, 132, 167, 222, 150, 77, 132, 167, 58, 93, 148, 152, 145, 113, 93, 8, 43, 98, 154, 191, 100, 43, 140, 175, 230, 158, 85, 140, 175, 90, 125, 180, 160, 131, 127, 125, 16, 51, 106, 162, 199, 108, 51, 95, 130, 185, 164, 135, 132, 130, 148, 183, 238, 166, 93, 148, 183}},
		{"upsample_bilinear2d", []int{5, 7}, true, nil, []byte{0, 49, 97, 146, 194, 115, 35, 66, 115, 163, 148, 132, 117, 101, 132, 181, 229, 150, 70, 119, 167, 70, 119, 167, 152, 136, 121, 105, 8, 57, 105, 154, 202, 123, 43, 140, 189, 237, 158, 78, 127, 175, 78, 127, 175, 160, 144, 129, 113, 16, 65, 113, 162, 210, 131, 51, 82, 131, 179, 164, 148, 133, 117, 148, 197, 245, 166, 86, 135, 183}},
		{"upsample_bilinear2d", []int{2, 2}, false, []float64{0.7, 0.6}, []byte{60, 167, 84, 155, 145, 106, 133, 130}},
		{"_upsample_bilinear2d_aa", []int{2, 3}, false, nil, []byte{79, 148, 104, 84, 153, 109, 123, 160, 128, 128, 165, 133}},
		{"_upsample_bilinear2d_aa", []int{5, 2}, false, nil, []byte{69, 112, 107, 121, 165, 134, 112, 126, 77, 120, 173, 142, 138, 136, 85, 128, 143, 141, 181, 150}},
		{"upsample_bicubic2d", []int{5, 7}, false, nil, []byte{0, 13, 73, 172, 201, 92, 4, 56, 95, 153, 160, 133, 108, 91, 122, 175, 231, 150, 68, 124, 177, 56, 100, 158, 166, 138, 113, 97, 0, 22, 82, 181, 209, 101, 13, 142, 196, 252, 155, 64, 134, 199, 72, 118, 176, 170, 135, 122, 115, 6, 43, 103, 186, 205, 111, 35, 78, 123, 181, 176, 140, 127, 121, 151, 205, 255, 164, 72, 143, 208}},
		{"upsample_bicubic2d", []int{5, 7}, true, nil, []byte{0, 39, 97, 170, 194, 124, 35, 78, 131, 175, 157, 120, 111, 113, 132, 195, 229, 150, 70, 104, 167, 82, 136, 179, 162, 124, 116, 117, 8, 47, 105, 178, 202, 132, 43, 140, 203, 237, 158, 78, 112, 175, 66, 114, 163, 174, 156, 128, 101, 16, 55, 113, 186, 210, 140, 51, 70, 119, 167, 179, 160, 133, 105, 148, 211, 245, 166, 86, 120, 183}},
		{"upsample_bicubic2d", []int{2, 2}, false, []float64{0.7, 0.6}, []byte{57, 167, 89, 149, 149, 106, 129, 136}},
		{"_upsample_bicubic2d_aa", []int{2, 3}, false, nil, []byte{75, 153, 101, 81, 158, 106, 118, 163, 124, 124, 168, 129}},
		{"_upsample_bicubic2d_aa", []int{5, 2}, false, nil, []byte{58, 116, 106, 122, 168, 131, 112, 128, 67, 125, 183, 139, 138, 136, 82, 133, 144, 142, 192, 148}},
	} {
		args := []any{x, c.size, c.align}
		for _, s := range c.scales {
			args = append(args, s)
		}
		y := tensor.Call(c.op, args...)[0]
		require.Equal(t, dtype.U8, y.DType())
		require.Equal(t, append([]int{1, 2}, c.size...), y.Shape())
		require.Equal(t, c.want, bytesOf(y), "%s %v %v", c.op, c.size, c.align)
	}
}

func bytesOf(y *tensor.Tensor) (r []byte) {
	for _, v := range tensor.Call("to.dtype", y, dtype.I64)[0].Int64s() {
		r = append(r, byte(v))
	}
	return r
}

// TestTruthsOfNumbers: what is not 0 is true, fractions and NaN as well, as in PyTorch 2.14.
func TestTruthsOfNumbers(t *testing.T) {
	for _, v := range []float64{0.5, -0.2, math.NaN()} {
		for _, y := range []*tensor.Tensor{
			tensor.Call("full", []int{1}, v, dtype.Bool)[0],
			tensor.Call("full_like", tensor.Call("zeros", []int{1}, dtype.Bool)[0], v)[0],
			tensor.Call("masked_fill.Scalar", tensor.Call("zeros", []int{1}, dtype.Bool)[0], tensor.Call("ones", []int{1}, dtype.Bool)[0], v)[0],
		} {
			require.Equal(t, []byte{1}, bytesOf(y), v)
		}
	}
}

// TestSignOfLogSigmoid: the logarithm of 1 is +0, as in PyTorch 2.14.
func TestSignOfLogSigmoid(t *testing.T) {
	y := tensor.Call("log_sigmoid", tensor.FromBuffer(buf.From([]float32{1000, float32(math.Inf(1))}, 2)))[0]
	for _, v := range y.Float32s() {
		require.Zero(t, math.Float32bits(v))
	}
}
