package llm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestXIELU reads one number for all layers, or one for each, and refuses others. A softplus of 0 is the logarithm of 2.
func TestXIELU(t *testing.T) {
	d := Description{Architecture: "apertus", Layers: 2}
	read := func(lists map[string][]float64) error {
		return d.xielu(func(name string) []float64 { return lists[name] })
	}
	require.NoError(t, read(map[string][]float64{"alpha_p": {0}, "alpha_n": {0, -800}, "eps": {-0.25}}))
	require.Equal(t, []XIELU{{math.Ln2, 0.5 + math.Ln2, 0.5, -0.25}, {math.Ln2, 0.5, 0.5, -0.25}}, d.XIELU)
	require.ErrorContains(t, read(map[string][]float64{"alpha_p": {0}}), "0 numbers alpha_n for 2 layers")
	require.ErrorContains(t, read(map[string][]float64{"alpha_p": {0, 0, 0}, "alpha_n": {0}}), "3 numbers alpha_p for 2 layers")
	r := recordings(t)["apertus"]
	delete(r.Weights, "model.layers.1.mlp.act_fn.alpha_n")
	_, err := Load(folderOf(t, r), LoadOptions{})
	require.ErrorContains(t, err, "there is no tensor model.layers.1.mlp.act_fn.alpha_n")
	delete(r.Weights, "model.layers.0.mlp.act_fn.alpha_n")
	_, err = Load(folderOf(t, r), LoadOptions{})
	require.ErrorContains(t, err, "0 numbers alpha_n for 2 layers")
	r.Weights["model.layers.0.mlp.act_fn.alpha_n"] = []int{1}
	r.Weights["model.layers.1.mlp.act_fn.alpha_n"] = []int{2}
	_, err = Load(folderOf(t, r), LoadOptions{})
	require.ErrorContains(t, err, "model.layers.1.mlp.act_fn.alpha_n has 2 numbers")
}

// TestGuessingLayers: weights behind the last layer belong to layers that guess, if config.json says so.
func TestGuessingLayers(t *testing.T) {
	r := recordings(t)["glm4_moe"]
	r.Weights["model.layers.2.eh_proj.weight"] = []int{32, 64}
	_, err := Load(folderOf(t, r), LoadOptions{})
	require.ErrorContains(t, err, "it says 2 layers")
	r.Config = append([]byte(`{"num_nextn_predict_layers": 1,`), r.Config[1:]...)
	m, err := Load(folderOf(t, r), LoadOptions{})
	require.NoError(t, err)
	require.NoError(t, m.Close())
}
