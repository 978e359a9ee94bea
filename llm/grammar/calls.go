package grammar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Call is a function that an answer may call.
type Call struct {
	Name       string
	Parameters json.RawMessage // the schema of the arguments; nil for any object
}

// Calls is the grammar of an answer that calls one of several functions: an object with the function's name and its
// arguments, as in {"name": "weather", "arguments": {"city": "Rome"}}. Errors are of the schemas of parameters, see
// [Schema].
func Calls(calls ...Call) (*Grammar, error) {
	s := newSchema()
	call, err := s.calls(calls)
	if err != nil {
		return nil, err
	}
	s.g.define("root", []element{call})
	return s.g, s.g.check()
}

// calls is one call of one of several functions.
func (s *schema) calls(calls []Call) (element, error) {
	if len(calls) == 0 {
		return element{}, errors.New("there is no function to call")
	}
	var all [][]element
	for i, c := range calls {
		name, err := json.Marshal(c.Name)
		if err != nil {
			return element{}, err
		}
		parameters := bytes.TrimSpace(c.Parameters)
		if p := string(parameters); p == "" || p == "{}" || p == "null" {
			parameters = []byte(`{"type":"object"}`)
		}
		s.begin(parameters, fmt.Sprintf("%d ", i))
		arguments, err := s.of(parameters, "#", 0)
		if err != nil {
			return element{}, fmt.Errorf("the schema of function %q: %w", c.Name, err)
		}
		member := func(name string, value []element) []element { return join(text(name), s.colon(), value) }
		all = append(all, s.braces("{", "}", join(member(`"name"`, text(string(name))), s.comma(), member(`"arguments"`, arguments))))
	}
	return s.g.add(all...), nil
}
