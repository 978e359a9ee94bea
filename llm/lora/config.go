package lora

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/jsontext"
)

// config is the adapter_config.json of a LoRA adapter of PEFT.
type config struct {
	Type    string         `json:"peft_type"`
	Rank    float64        `json:"r"`
	Ranks   moduleSettings `json:"rank_pattern"`
	Alpha   float64        `json:"lora_alpha"`
	Alphas  moduleSettings `json:"alpha_pattern"`
	Root    bool           `json:"use_rslora"`
	Initial any            `json:"init_lora_weights"`
}

// moduleSettings are numbers for modules, by expressions for the ends of their names.
type moduleSettings map[string]float64

// otherAdapters are the keys of adapter_config.json that ask for more than a product of two matrices.
var otherAdapters = []string{"alora_invocation_tokens", "layer_replication", "lora_bias", "arrow_config"}

// leavesWeights are the values of init_lora_weights that leave the weights of the model as they are.
var leavesWeights = []string{"gaussian", "orthogonal", "eva"}

// readConfig reads a file, and refuses what changes a model otherwise than by products of two matrices.
func readConfig(path string) (*config, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	c := &config{Rank: 8, Alpha: 8} // PEFT's defaults
	var all map[string]any
	if err := jsontext.Unmarshal(data, c); err != nil {
		return nil, err
	}
	if err := jsontext.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	if c.Type != "LORA" {
		return nil, fmt.Errorf("an adapter of the type %s is not supported; LORA is", c.Type)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		asked := all[key] != nil && all[key] != false
		if asked && (strings.HasPrefix(key, "use_") && key != "use_rslora" || slices.Contains(otherAdapters, key)) {
			return nil, fmt.Errorf("%s is %v, which is not supported", key, all[key])
		}
	}
	if how, ok := c.Initial.(string); ok && !slices.Contains(leavesWeights, how) {
		return nil, fmt.Errorf("init_lora_weights is %q, which changes the weights of the model; convert the adapter by PEFT's "+
			"save_pretrained with path_initial_model_for_weight_conversion", how)
	}
	return c, nil
}

// scale is the factor of the product of two matrices of a rank that is added to the weight of a module: alpha over the
// rank, or over the root of the rank for rslora.
func (c *config) scale(module string, rank int) (float64, error) {
	want, err := c.Ranks.of(module, c.Rank)
	if err != nil {
		return 0, fmt.Errorf("rank_pattern %w", err)
	}
	alpha, err := c.Alphas.of(module, c.Alpha)
	if err != nil {
		return 0, fmt.Errorf("alpha_pattern %w", err)
	}
	if float64(rank) != want {
		return 0, fmt.Errorf("the rank of %s is %g, and its matrices have %d: r or rank_pattern belongs to another adapter", module, want, rank)
	}
	if rank = max(rank, 1); c.Root {
		return alpha / math.Sqrt(float64(rank)), nil
	}
	return alpha / float64(rank), nil
}

// of is the number of the settings for a module, or otherwise where no expression fits. PEFT takes the first expression
// that fits; expressions that fit and disagree are refused.
func (s moduleSettings) of(module string, otherwise float64) (float64, error) {
	number, fits := otherwise, false
	for _, pattern := range slices.Sorted(maps.Keys(s)) {
		e, err := regexp.Compile(`^(?:.*\.)?(?:` + pattern + `)$`)
		if err != nil {
			return 0, fmt.Errorf("has the key %q: %w", pattern, err)
		}
		if !e.MatchString(module) {
			continue
		}
		if other := s[pattern]; fits && other != number {
			return 0, fmt.Errorf("has %g and %g for %s", min(number, other), max(number, other), module)
		}
		number, fits = s[pattern], true
	}
	return number, nil
}
