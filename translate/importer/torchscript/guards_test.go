package torchscript

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	dev "github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
)

// TestGuards: a program whose structure depends on elements is compiled for [1 2 -2], and runs from its file on other
// inputs: right, or refused where what was read is another.
func TestGuards(t *testing.T) {
	type run struct{ input, want []float32 } // without a result it is refused
	for _, c := range []struct {
		body, what string
		runs       []run
	}{
		{"if bool(torch.gt(torch.sum(x), 0)):\n      return torch.add(x, 1)\n    return x", "bool() of a tensor at code/__torch__.py:9:8 was true, and is false",
			[]run{{[]float32{3, 1, 1}, []float32{4, 2, 2}}, {[]float32{-3, 1, 1}, nil}}},
		{"while bool(torch.lt(torch.amax(x), 10)):\n      x = torch.mul(x, 2)\n    return x", "bool() of a tensor",
			[]run{{[]float32{1.5, 2, 0}, []float32{12, 16, 0}}, {[]float32{9, 0, 0}, nil}, {[]float32{1, 0, 0}, nil}}},
		{"n = int(torch.amax(x))\n    return torch.mul(x, n)", "int() of a tensor", []run{{[]float32{0, 2, 1}, []float32{0, 4, 2}}, {[]float32{0, 3, 1}, nil}}},
		{"return torch.add(torch.zeros([int(torch.amax(x))]), torch.amin(x))", "was 2, and is 1", []run{{[]float32{2, 0, 5e-1}, []float32{0, 0}}, {[]float32{1, 0, 0}, nil}}},
		{"return torch.index(x, [torch.gt(x, 0)])", "element [1] of the mask", []run{{[]float32{5, 6, -1}, []float32{5, 6}}, {[]float32{5, -6, -1}, nil}}},
		{"return torch.masked_select(x, torch.lt(x, 0))", "element [2] of the mask", []run{{[]float32{5, 6, -1}, []float32{-1}}, {[]float32{5, 6, 1}, nil}}},
		{"return torch.repeat_interleave(x, torch.to(torch.abs(x), 4))", "element [0] of the repeats",
			[]run{{[]float32{1, -2, 2}, []float32{1, -2, -2, 2, 2}}, {[]float32{0, -2, 2}, nil}}},
		{"return torch.to(torch.reshape(torch.nonzero(torch.gt(x, 0)), [-1]), 6)", "the operand of nonzero", []run{{[]float32{7, 1, 0}, []float32{0, 1}}, {[]float32{-7, 1, 0}, nil}}},
		{"n : List[int] = torch.tolist(torch.to(torch.abs(x), 4))\n    return torch.mul(x, n[1])", "tolist() of a tensor",
			[]run{{[]float32{-1, 2, 2}, []float32{-2, 4, 4}}, {[]float32{-1, 1, 2}, nil}}},
		{"y = torch.sort(torch.abs(x))[0]\n    for i in range(int(y[0])):\n      x = torch.neg(x)\n    return x", "int() of a tensor",
			[]run{{[]float32{3, -1, 2}, []float32{-3, 1, -2}}, {[]float32{3, -2, 2}, nil}}},
		{"return torch._unique2(torch.to(x, 4))[0]", "the operand of _unique2", []run{{[]float32{1.5, 2, -2}, []float32{-2, 1, 2}}, {[]float32{2, 2, -2}, nil}}},
		{"return torch.bincount(torch.to(torch.abs(x), 4))", "the largest element", []run{{[]float32{2, 2, 0}, []float32{1, 0, 2}}, {[]float32{1, 0, 0}, nil}}},
		{"return torch.to(torch.one_hot(torch.to(torch.abs(x), 4)), 6)", "the largest class",
			[]run{{[]float32{2, 0, 1}, []float32{0, 0, 1, 1, 0, 0, 0, 1, 0}}, {[]float32{1, 0, 0}, nil}}},
		{"return torch.mul(x, torch.item(x[1]))", "item() of a tensor", []run{{[]float32{5, 2, 1}, []float32{10, 4, 2}}, {[]float32{5, 3, 1}, nil}}},
		{"return torch.mul(x, 2)", "", []run{{[]float32{5, 3, 1}, []float32{10, 6, 2}}}},
		{"if bool(torch.gt(torch.sum(self.w), 0)):\n      return torch.add(x, 1)\n    return x", "", []run{{[]float32{-9, 0, 0}, []float32{-8, 1, 1}}}},
	} {
		m, err := read(moduleArchive(t, "    "+c.body+"\n"))
		require.NoError(t, err, c.body)
		module, err := m.Specialize([]*buf.Buffer{buf.From([]float32{1, 2, -2}, 3)}, onHost)
		require.NoError(t, err, c.body)
		path := filepath.Join(t.TempDir(), "model.acap")
		require.NoError(t, artifact.Write(context.Background(), path, module, artifact.Options{}), c.body)
		file, err := artifact.Open(path)
		require.NoError(t, err, c.body)
		require.Equal(t, c.what == "", len(file.Guards) == 0, c.body)
		exe, notice, err := file.Load(context.Background(), nil)
		require.NoError(t, err, c.body)
		require.Empty(t, notice, "the guards are in the file")
		for _, r := range c.runs {
			out, err := exe.Run(context.Background(), []*buf.Buffer{buf.From(r.input, 3)})
			if r.want == nil {
				differs := (*dev.GuardError)(nil)
				require.ErrorAs(t, err, &differs, "%s for %v", c.body, r.input)
				require.ErrorContains(t, err, c.what, c.body)
				require.ErrorContains(t, err, "code/__torch__.py:", c.body)
				continue
			}
			require.NoError(t, err, "%s for %v", c.body, r.input)
			require.Equal(t, len(r.want), out[0].Len(), c.body)
			for i, w := range r.want {
				require.InDelta(t, w, out[0].Float64(i), 1e-6, "%s for %v", c.body, r.input)
			}
		}
		exe.Close()
	}
}
