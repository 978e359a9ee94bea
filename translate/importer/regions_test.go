package importer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// TestRegionsMemory: many regions of two large images take the memory of what is read in them, and no image for each
// region. Elements grow by one a column, by the width a row and by the size an image, so that interpolated values are
// what stands at the centres of cells.
func TestRegionsMemory(t *testing.T) {
	const count, channels, side = 500, 16, 64
	x := buf.New(dtype.F32, []int{2, channels, side, side})
	for i := range x.Len() {
		x.SetFloat64(i, float64(i/(channels*side*side)*side*side+i%(side*side)))
	}
	regions, images := buf.New(dtype.F64, []int{count, 4}), make([]int, count)
	for r := range count {
		images[r] = r % 2
		left, top := float64(r%50), float64(r/10)
		for k, v := range []float64{left, top, left + 4, top + 8} {
			regions.SetFloat64(4*r+k, v)
		}
	}
	module, err := importer.Module("m", []string{"x"}, []ops.TensorType{f32(x.Shape...)}, func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		o := importer.Regions{Rows: 2, Columns: 2, Ratio: 1, Scale: 1, Buffer: buf.New}
		y, err := o.Align(b, in[0], regions, images)
		return []ops.Value{y}, err
	})
	require.NoError(t, err)
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	require.Less(t, exe.Memory().Run, int64(8<<20))
	out, err := exe.Run(context.Background(), []*buf.Buffer{x})
	require.NoError(t, err)
	require.Equal(t, []int{count, channels, 2, 2}, out[0].Shape)
	for i := range out[0].Len() {
		r, row, column := i/(4*channels), i/2%2, i%2
		y, z := float64(r/10+2+4*row), float64(r%50+1+2*column)
		require.InDelta(t, float64(r%2*side*side)+y*side+z, out[0].Float64(i), 1e-3, "region %d, cell %d %d", r, row, column)
	}
}
