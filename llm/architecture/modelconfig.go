package architecture

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/llm/config"
)

// alike makes one number of a list that has the number for each layer.
func (c modelConfig) alike(keys ...string) {
	for _, key := range keys {
		var list []json.RawMessage
		if c.Get(&list, key) && len(list) > 0 && !slices.ContainsFunc(list, func(v json.RawMessage) bool { return string(v) != string(list[0]) }) {
			c.Object[key] = list[0]
		}
	}
}

// modelConfig is config.json, or what the file says of the text of a model that sees as well.
type modelConfig struct{ config.Object }

// readConfig reads the keys of config.json. In a model that also sees, the keys of the text part come first.
func readConfig(data []byte) (modelConfig, error) {
	var c config.Object
	if err := jsontext.Unmarshal(data, &c); err != nil {
		return modelConfig{}, fmt.Errorf("config.json: %w", err)
	}
	inner := c.Part("text_config")
	if inner == nil {
		return modelConfig{c}, nil
	}
	for k, v := range c {
		if _, ok := inner[k]; !ok {
			inner[k] = v
		}
	}
	return modelConfig{inner}, nil
}
