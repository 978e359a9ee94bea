package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Names is an error where an object in a text of JSON has a name twice: package encoding/json takes the last value, and
// other readers take the first one. Text that is no JSON is left to the decoder.
func Names(data []byte) error {
	type level struct {
		names map[string]bool // of an object; nil in a list
		value bool            // the next string is a value
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []level
	for {
		t, err := d.Token()
		if err != nil {
			return nil
		}
		at := len(open) - 1
		if name, ok := t.(string); ok && at >= 0 && open[at].names != nil && !open[at].value {
			if open[at].names[name] {
				return fmt.Errorf("byte %d: an object has the name %q twice", d.InputOffset(), name)
			}
			open[at].names[name], open[at].value = true, true
			continue
		}
		if at >= 0 {
			open[at].value = false
		}
		switch t {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:at]
		}
	}
}
