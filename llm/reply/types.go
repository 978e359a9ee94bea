package reply

import "encoding/json"

// argumentTypes are the types of the arguments of tools by their schemas, for forms that write arguments as texts.
type argumentTypes map[string]map[string]json.RawMessage

// typesOf reads the schemas of tools.
func typesOf(tools []json.RawMessage) argumentTypes {
	types := argumentTypes{}
	for _, t := range tools {
		var described struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
		var schema struct {
			Properties map[string]struct{ Type json.RawMessage }
		}
		if json.Unmarshal(t, &described) != nil {
			continue
		}
		arguments := map[string]json.RawMessage{}
		types[described.Function.Name] = arguments
		if json.Unmarshal(described.Function.Parameters, &schema) != nil {
			continue
		}
		for name, p := range schema.Properties {
			arguments[name] = p.Type
		}
	}
	return types
}

// known reports whether there is a tool of a name.
func (t argumentTypes) known(name string) bool { return t[name] != nil }

// value is the text of an argument in JSON: as the text is, unless the schema says a string or the text is no JSON.
func (t argumentTypes) value(function, name, text string) string {
	if string(t[function][name]) != `"string"` && json.Valid([]byte(text)) {
		return text
	}
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// members writes arguments that come as texts, one after another, as an object.
type members struct {
	in       *input
	function string
	many     bool
}

// begin begins a call of a function.
func (in *input) begin(function string) *members {
	in.call(function, "")
	return &members{in: in, function: function}
}

func (m *members) add(name, text string) {
	quoted, _ := json.Marshal(name)
	between := "{"
	if m.many {
		between = ","
	}
	m.many = true
	m.in.argue(between + string(quoted) + ":" + m.in.types.value(m.function, name, text))
}

func (m *members) end() {
	if !m.many {
		m.in.argue("{")
	}
	m.in.argue("}")
}
