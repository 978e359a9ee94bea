package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
)

// fileTruncation says where a tokenizer.json cuts texts that are too long.
type fileTruncation struct {
	Direction string
	MaxLength *int `json:"max_length"`
	Strategy  string
}

// mostPadded bounds the tokens that short texts are filled up to.
const mostPadded = 1 << 20

// filePadding says how a tokenizer.json fills up texts that are too short.
type filePadding struct {
	Strategy  json.RawMessage
	Direction string
	Multiple  int   `json:"pad_to_multiple_of"`
	ID        int32 `json:"pad_id"`
}

// strategies are the names of the text that is cut, in small letters and without underscores.
var strategies = map[string]string{"": "longest_first", "longestfirst": "longest_first", "onlyfirst": "only_first", "onlysecond": "only_second"}

func (r *fileTruncation) read() (*truncation, error) {
	if r == nil {
		return nil, nil
	}
	left, err := atLeft(r.Direction)
	strategy, ok := strategies[strings.ToLower(strings.ReplaceAll(r.Strategy, "_", ""))]
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("the strategy %q is not known; there are LongestFirst, OnlyFirst and OnlySecond", r.Strategy)
	case r.MaxLength == nil || *r.MaxLength < 0:
		return nil, errors.New("max_length must be a number of tokens")
	}
	return &truncation{*r.MaxLength, left, strategy}, nil
}

func (p *filePadding) read() (*padding, error) {
	if p == nil {
		return nil, nil
	}
	left, err := atLeft(p.Direction)
	if err != nil {
		return nil, err
	}
	if p.Multiple > mostPadded {
		return nil, fmt.Errorf("pad_to_multiple_of is %d; there may be %d", p.Multiple, mostPadded)
	}
	out := &padding{multiple: p.Multiple, left: left, id: p.ID}
	var name string
	if json.Unmarshal(p.Strategy, &name) == nil && name == "BatchLongest" {
		return out, nil
	}
	var fixed struct{ Fixed *int }
	if err := jsontext.Unmarshal(p.Strategy, &fixed); err != nil || fixed.Fixed == nil || *fixed.Fixed < 0 {
		return nil, fmt.Errorf("the strategy %.40s is not known; there are \"BatchLongest\" and {\"Fixed\": LENGTH}", p.Strategy)
	}
	if *fixed.Fixed > mostPadded {
		return nil, fmt.Errorf("texts are filled up to %d tokens; there may be %d", *fixed.Fixed, mostPadded)
	}
	out.length = *fixed.Fixed
	return out, nil
}

// atLeft reads a direction, which is to the right where there is none.
func atLeft(direction string) (bool, error) {
	switch strings.ToLower(direction) {
	case "left":
		return true, nil
	case "right", "":
		return false, nil
	}
	return false, fmt.Errorf("the direction %q is not known; there are Left and Right", direction)
}
