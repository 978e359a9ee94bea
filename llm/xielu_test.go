package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFolderXIELU: a folder has the numbers of the activation of each layer, or of none.
func TestFolderXIELU(t *testing.T) {
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
