package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Evidence says how well a constant is known.
type Evidence string

// The three grades of evidence.
const (
	Datasheet Evidence = "datasheet" // printed by the vendor or its tools
	Fitted    Evidence = "fitted"    // estimated from published measurements
	Assumed   Evidence = "assumed"   // neither; replace it when you know better
)

// Constant is one number of a machine with its unit and its provenance.
type Constant struct {
	Value    float64  `json:"value"`
	Unit     string   `json:"unit,omitempty"`
	Source   string   `json:"source,omitempty"`
	Evidence Evidence `json:"evidence,omitempty"`
}

// Int returns the value as an integer.
func (c Constant) Int() int { return int(c.Value) }

// String returns the value with its unit.
func (c Constant) String() string {
	if c.Unit == "" {
		return fmt.Sprintf("%g", c.Value)
	}
	return fmt.Sprintf("%g %s", c.Value, c.Unit)
}

// UnmarshalJSON reads the object form or a bare number. A field that the text leaves out keeps its present value, so
// that a file can override a preset. Another form is an error of package json.
func (c *Constant) UnmarshalJSON(text []byte) error {
	if t := bytes.TrimSpace(text); len(t) > 0 && t[0] != '{' {
		var v float64
		if err := json.Unmarshal(t, &v); err != nil {
			return err
		}
		*c = Constant{Value: v, Unit: c.Unit, Source: "user", Evidence: Assumed}
		return nil
	}
	type plain Constant
	p := plain(*c)
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	*c = Constant(p)
	return nil
}

func datasheet(v float64, unit, source string) Constant {
	return Constant{v, unit, source, Datasheet}
}
func measured(v float64, unit, source string) Constant { return fitted(v, unit, source) }
func fitted(v float64, unit, source string) Constant   { return Constant{v, unit, source, Fitted} }
func assumed(v float64, unit, source string) Constant  { return Constant{v, unit, source, Assumed} }
