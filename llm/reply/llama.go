package reply

import (
	"encoding/json"
	"regexp"
	"strings"
)

const llamaBegin = "<|python_tag|>"

// builtIn is a call of a tool that Llama 3 was trained with: brave_search.call(query="...").
var builtIn = regexp.MustCompile(`^(\w+)\.call\((.*)\)$`)

// llama is the text behind <|python_tag|>: objects, or a call in Python whose arguments have names and values that are
// JSON as well.
var llama = form{mark: llamaBegin, begin: []string{llamaBegin}, read: func(in *input) bool {
	at := in.blanks(len(llamaBegin))
	if strings.HasPrefix(in.text[at:], "{") {
		return in.objects(at, anyName)
	}
	for in.more() {
	}
	parts := builtIn.FindStringSubmatch(strings.TrimSpace(in.text[at:]))
	if parts == nil {
		return false
	}
	var arguments []string
	for list := strings.TrimSpace(parts[2]); list != ""; {
		name, behind, named := strings.Cut(list, "=")
		var data json.RawMessage
		d := json.NewDecoder(strings.NewReader(behind))
		if !named || d.Decode(&data) != nil {
			return false
		}
		quoted, _ := json.Marshal(strings.TrimSpace(name))
		arguments = append(arguments, string(quoted)+":"+string(data))
		list = strings.TrimLeft(behind[d.InputOffset():], ", ")
	}
	in.take(len(in.text))
	in.call(parts[1], "{"+strings.Join(arguments, ",")+"}")
	return true
}}
