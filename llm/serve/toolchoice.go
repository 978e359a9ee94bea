package serve

import (
	"encoding/json"
	"slices"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/reply"
)

// tool is a function that the model may call, as clients describe it.
type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
		Strict     bool            `json:"strict"` // arguments are of the schema in any case
	} `json:"function"`
}

// chosenTools are the tools that the choice of a request leaves. An answer that has to call one is restricted to calls.
// In an answer that may call one, calls are restricted if a tool is strict and the model writes calls between tags.
func chosenTools(tools []json.RawMessage, choice json.RawMessage, o *llm.Options, tags bool) ([]json.RawMessage, error) {
	var word string
	var one tool
	var some struct {
		Type    string `json:"type"`
		Allowed struct {
			Mode  string            `json:"mode"`
			Tools []json.RawMessage `json:"tools"`
		} `json:"allowed_tools"`
	}
	for i, t := range tools {
		var described tool
		switch err := json.Unmarshal(t, &described); {
		case err == nil && described.Type != "" && described.Type != "function":
			return nil, bad("tools", "tool %d is of the type %q; a model calls tools of the type function", i, described.Type)
		case err != nil || described.Function.Name == "":
			return nil, bad("tools", "tool %d is no function with a name", i)
		}
	}
	switch {
	case len(choice) == 0 || string(choice) == "null":
		word = "auto"
	case json.Unmarshal(choice, &word) == nil:
	case json.Unmarshal(choice, &some) == nil && some.Type == "allowed_tools" && (some.Allowed.Mode == "auto" || some.Allowed.Mode == "required"):
		var err error
		if tools, err = allowed(tools, some.Allowed.Tools); err != nil {
			return nil, err
		}
		word = some.Allowed.Mode
	case json.Unmarshal(choice, &one) == nil && one.Type == "function" && one.Function.Name != "":
		word = "required"
	}
	switch word {
	case "auto":
		if some.Type != "" && len(tools) == 0 {
			return nil, bad("tool_choice", "tool_choice is %s, and tools has none that fits", choice)
		}
		if o.Grammar != nil || !tags || !slices.ContainsFunc(tools, strict) {
			return tools, nil
		}
		var err error
		if o.Grammar, err = grammar.ProseWithCalls(reply.CallBegin, reply.CallEnd, callsOf(tools, "")...); err != nil {
			return nil, bad("tools", "%v", err)
		}
		return tools, nil
	case "none":
		return nil, nil
	case "required":
	default:
		return nil, bad("tool_choice", "tool_choice is %s; there are auto, none, required, a function by its name, and allowed_tools", choice)
	}
	if o.Grammar != nil {
		return nil, bad("tool_choice", "tool_choice wants a call, and a grammar or schema says what the answer is")
	}
	calls := callsOf(tools, one.Function.Name)
	if len(calls) == 0 {
		return nil, bad("tool_choice", "tool_choice is %s, and tools has none that fits", choice)
	}
	var err error
	if o.Grammar, err = grammar.Calls(calls...); err != nil {
		return nil, bad("tools", "%v", err)
	}
	return tools, nil
}

// callsOf are calls of the tools with a name, or of all tools where the name is empty.
func callsOf(tools []json.RawMessage, name string) (calls []grammar.Call) {
	for _, t := range tools {
		var described tool
		_ = json.Unmarshal(t, &described) // chosenTools has looked at all tools
		if f := described.Function; name == "" || name == f.Name {
			calls = append(calls, grammar.Call{Name: f.Name, Parameters: f.Parameters})
		}
	}
	return calls
}

// strict reports whether the arguments of a tool have to be of its schema.
func strict(t json.RawMessage) bool {
	var described tool
	return json.Unmarshal(t, &described) == nil && described.Function.Strict
}

// allowed are the tools whose names are in a list. A name in the list that no tool has is an error.
func allowed(tools, list []json.RawMessage) (left []json.RawMessage, err error) {
	named := func(t json.RawMessage) string {
		var described tool
		if json.Unmarshal(t, &described) != nil {
			return ""
		}
		return described.Function.Name
	}
	wanted := map[string]bool{}
	for i, t := range list {
		name := named(t)
		if name == "" {
			return nil, bad("tool_choice", "tool %d of allowed_tools is no function with a name", i)
		}
		if !slices.ContainsFunc(tools, func(t json.RawMessage) bool { return named(t) == name }) {
			return nil, bad("tool_choice", "tool_choice allows the function %q; tools has none of this name", name)
		}
		wanted[name] = true
	}
	for _, t := range tools {
		if wanted[named(t)] {
			left = append(left, t)
		}
	}
	return left, nil
}
