package nn_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// Layers that nobody could find are an error, not a model that does not learn.
func TestHiddenFields(t *testing.T) {
	type hiddenLayer struct {
		Out    *nn.Linear
		hidden *nn.Linear
	}
	type hiddenList struct{ layers []nn.Module }
	type hiddenTensor struct{ scale *tensor.Tensor }
	type hiddenValue struct{ layer nn.Linear }
	type hiddenMap struct{ layers map[string]nn.Module }
	type hiddenStruct struct {
		state struct{ last [2]*tensor.Tensor }
	}
	nested := &hiddenStruct{}
	nested.state.last[1] = tensor.Ones(1)
	for _, m := range []any{&hiddenLayer{nn.NewLinear(1, 1), nn.NewLinear(1, 1)}, &hiddenList{[]nn.Module{nil, nn.NewLinear(1, 1)}},
		&hiddenTensor{tensor.Ones(1)}, &hiddenValue{*nn.NewLinear(1, 1)}, &hiddenMap{map[string]nn.Module{"a": nn.NewLinear(1, 1)}}, nested} {
		require.ErrorContains(t, tensor.Try(func() { nn.Parameters(m) }), "is not exported")
	}
	type leftOut struct {
		Out    *nn.Linear
		mask   *tensor.Tensor `nn:"-"`
		number int
	}
	require.Len(t, nn.Parameters(&leftOut{Out: nn.NewLinear(1, 1), mask: tensor.Ones(1), number: 1}), 2)
}

// TestNames: fields are found in their order, under their tags or their names in small letters; those of embedded
// structs as if they were the model's own. What is left out, nil or no layer does not end the search.
func TestNames(t *testing.T) {
	type Base struct{ First *nn.Linear }
	type model struct {
		Skipped *nn.Linear `nn:"-"`
		count   int
		Base
		Missing  *nn.Linear
		Numbers  []float64
		HTTPPath *tensor.Tensor
		Renamed  *tensor.Tensor `nn:"other"`
		Layers   []nn.Module
		Pair     [2]*tensor.Tensor
		LastFC   *nn.Linear
	}
	m := &model{Skipped: nn.NewLinear(1, 1), count: 1, Base: Base{nn.NewLinear(1, 1)}, Numbers: []float64{1},
		HTTPPath: tensor.Ones(1).RequiresGrad(), Renamed: tensor.Ones(1).RequiresGrad(), Layers: []nn.Module{nn.ReLU, nil, nn.NewPReLU(1)},
		Pair: [2]*tensor.Tensor{tensor.Ones(1), tensor.Ones(1).RequiresGrad()}, LastFC: nn.NewLinear(1, 1).NoBias()}
	var names, buffers []string
	for _, p := range nn.NamedParameters(m) {
		names = append(names, p.Name)
	}
	for _, b := range nn.NamedBuffers(m) {
		buffers = append(buffers, b.Name)
	}
	require.Equal(t, []string{"first.weight", "first.bias", "http_path", "other", "layers.2.weight", "pair.1", "last_fc.weight"}, names)
	require.Equal(t, []string{"pair.0"}, buffers)
	shared := nn.NewLinear(1, 1)
	require.Len(t, nn.NamedParameters(nn.Sequential(shared, shared)), 2, "each once")
}

type scale struct{ By *tensor.Tensor }

func (s scale) Forward(x *tensor.Tensor) *tensor.Tensor { return x.Mul(s.By) }

// TestValuesAndMaps: layers and tensors are found as well where a struct is held and no pointer to it, in maps, and in
// lists of lists.
func TestValuesAndMaps(t *testing.T) {
	type model struct {
		Linear  nn.Linear
		Drop    nn.Dropout
		Part    struct{ Scale *tensor.Tensor }
		Module  nn.Module
		Heads   map[string]*nn.Linear
		Numbers map[string]float64
		Grid    [][]*tensor.Tensor
		Stages  []nn.Linear
		When    time.Time
	}
	parameter := func() *tensor.Tensor { return tensor.Ones(1).RequiresGrad() }
	m := &model{Linear: *nn.NewLinear(1, 1), Drop: *nn.NewDropout(0.5), Module: scale{parameter()}, Numbers: map[string]float64{"a": 1},
		Heads: map[string]*nn.Linear{"b": nn.NewLinear(1, 1).NoBias(), "a": nn.NewLinear(1, 1).NoBias()},
		Grid:  [][]*tensor.Tensor{{parameter()}, {nil, parameter()}}, Stages: []nn.Linear{*nn.NewLinear(1, 1)}}
	m.Part.Scale = parameter()
	var names []string
	for _, p := range nn.NamedParameters(m) {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"linear.weight", "linear.bias", "part.scale", "module.by", "heads.a.weight", "heads.b.weight",
		"grid.0.0", "grid.1.1", "stages.0.weight", "stages.0.bias"}, names)
	nn.Eval(m)
	require.False(t, m.Drop.Training)
	copied := &struct{ Layers map[string]nn.Dropout }{map[string]nn.Dropout{"a": *nn.NewDropout(0.5)}}
	require.ErrorContains(t, tensor.Try(func() { nn.Eval(copied) }), "Training of layers.a, a nn.Dropout, cannot be set: hold a pointer")
}

// TestLists: a list or a map of layers is a model, as PyTorch's ModuleList and ModuleDict are, with their names.
func TestLists(t *testing.T) {
	layers := []*nn.Linear{nn.NewLinear(1, 2), nn.NewLinear(2, 1)}
	heads := map[string]any{"b": nn.NewLinear(1, 1), "a": []any{nn.NewLayerNorm(3)}}
	for want, m := range map[string]any{
		"0.weight 0.bias 1.weight 1.bias":     layers,
		"0.bias 0.weight":                     [1]map[string]*tensor.Tensor{{"weight": tensor.Ones(1).RequiresGrad(), "bias": tensor.Ones(1).RequiresGrad()}},
		"a.0.weight a.0.bias b.weight b.bias": heads,
		"0.weight  0.bias 1.weight  1.bias":   &layers,
	} {
		var names []string
		for _, p := range nn.NamedParameters(m) {
			names = append(names, p.Name)
		}
		require.Equal(t, strings.Fields(want), names)
		nn.To(m, acap.Device())
		for _, p := range nn.Parameters(m) {
			require.Equal(t, acap.Device(), p.Device())
		}
		require.Len(t, nn.StateDict(m), len(names))
	}
}

// Handles that were taken before a model moves are those that are trained.
func TestParametersBeforeTo(t *testing.T) {
	net := nn.Sequential(nn.NewLinear(2, 2))
	before := net.Parameters()
	net.To(acap.Device())
	require.Equal(t, before, net.Parameters())
	net.Forward(tensor.Ones(1, 2).To(before[0].Device())).Sum().Backward()
	require.NotNil(t, before[0].Gradient())
}

// A model that is a value, and not a pointer, has the members of what is embedded in it; one that is nil has none.
func TestValuesAndNil(t *testing.T) {
	type Inner struct{ Linear *nn.Linear }
	type model struct{ Inner }
	m := model{Inner{nn.NewLinear(2, 3)}}
	require.Equal(t, nn.NamedParameters(&m), nn.NamedParameters(m))
	require.Len(t, nn.NamedParameters(m), 2)

	for _, none := range []any{nil, (*nn.EmbeddingBag)(nil), (*model)(nil)} {
		require.Regexp(t, `^walk_test\.go:\d+: nn: the model is nil$`, tensor.Try(func() { nn.Summary(none) }).Error())
		require.ErrorContains(t, nn.Save(t.TempDir()+"/file", nn.Parts{"net": none}), `part "net" is nil`)
	}
}
