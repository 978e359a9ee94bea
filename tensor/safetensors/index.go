package safetensors

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/base/jsontext"
)

// parseIndex reads an index and returns the shard of every tensor.
func parseIndex(data []byte) (map[string]string, error) {
	weights := map[string]string{}
	d := &decoder{json: json.NewDecoder(bytes.NewReader(data))}
	err := d.object(func(key string) error {
		if key != "weight_map" { // metadata: any form
			return d.json.Decode(&json.RawMessage{})
		}
		return d.object(func(name string) error {
			shard, err := d.text()
			weights[name] = shard
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", d.json.InputOffset(), err)
	}
	if err := jsontext.Characters(data); err != nil {
		return nil, err
	}
	if len(weights) == 0 {
		return nil, fmt.Errorf("byte %d: the index has no tensors in its weight_map", d.json.InputOffset())
	}
	return weights, nil
}
