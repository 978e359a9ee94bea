package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
)

// adapterConfig is what adapter_config.json says of a LoRA adapter of PEFT's.
type adapterConfig struct {
	Type    string             `json:"peft_type"`
	Alpha   float64            `json:"lora_alpha"`
	Alphas  map[string]float64 `json:"alpha_pattern"` // by expressions for the ends of modules' names
	Root    bool               `json:"use_rslora"`
	Initial any                `json:"init_lora_weights"`

	patterns map[*regexp.Regexp]float64 // the keys of Alphas, compiled
}

// otherAdapters are the keys of adapter_config.json that ask for more than a product of two matrices.
var otherAdapters = []string{"alora_invocation_tokens", "layer_replication", "lora_bias", "arrow_config"}

// leavesWeights are the values of init_lora_weights that leave the weights of the model as they are.
var leavesWeights = []string{"gaussian", "orthogonal", "eva"}

// readAdapterConfig reads a file, and refuses what changes a model otherwise than by products of two matrices.
func readAdapterConfig(path string) (*adapterConfig, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	c := &adapterConfig{patterns: map[*regexp.Regexp]float64{}}
	var all map[string]any
	if err := errors.Join(json.Unmarshal(data, c), json.Unmarshal(data, &all)); err != nil {
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
	for pattern, alpha := range c.Alphas {
		e, err := regexp.Compile(`^(?:.*\.)?(?:` + pattern + `)$`)
		if err != nil {
			return nil, fmt.Errorf("alpha_pattern has the key %q: %w", pattern, err)
		}
		c.patterns[e] = alpha
	}
	return c, nil
}

// scale is what the product of two matrices of a rank is multiplied by beside the weight of a module: alpha over the rank, or over the
// root of the rank for rslora. PEFT takes the first pattern that fits a module; patterns that fit and disagree are refused.
func (c *adapterConfig) scale(module string, rank int) (float64, error) {
	alpha, fits := c.Alpha, false
	for e, other := range c.patterns {
		if !e.MatchString(module) {
			continue
		}
		if fits && other != alpha {
			return 0, fmt.Errorf("alpha_pattern has %g and %g for %s", min(alpha, other), max(alpha, other), module)
		}
		alpha, fits = other, true
	}
	if rank = max(rank, 1); c.Root {
		return alpha / math.Sqrt(float64(rank)), nil
	}
	return alpha / float64(rank), nil
}
