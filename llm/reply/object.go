package reply

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
)

// value is how far a value in JSON, an object or a list, is known.
type value struct {
	depth           int
	quoted, escaped bool
}

// scan returns how many bytes of a text belong to the value, and whether the value has ended. A character that JSON
// does not have outside of texts ends it.
func (v *value) scan(text string) (n int, ended bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case v.escaped:
			v.escaped = false
		case v.quoted:
			v.escaped, v.quoted = c == '\\', c != '"'
		case c == '"':
			v.quoted = true
		case c == '{' || c == '[':
			v.depth++
		case c == '}' || c == ']':
			if v.depth--; v.depth <= 0 {
				return i + 1, true
			}
		case c == '<' || c == '`':
			return i, true
		}
	}
	return len(text), false
}

// arguments hands on the object that the text begins with as arguments, as it comes.
func (in *input) arguments() {
	var v value
	for {
		n, ended := v.scan(in.text)
		if in.argue(in.take(n)); ended || !in.more() {
			return
		}
	}
}

// named is the beginning of an object that is a call, up to the arguments. Command R7B writes the number of the call and the name of a tool.
var named = regexp.MustCompile(`^\{\s*(?:"tool_call_id"\s*:\s*"[^"]*"\s*,\s*)?"(?:tool_)?name"\s*:\s*("(?:[^"\\]|\\.)+")\s*,\s*"(?:arguments|parameters)"\s*:\s*\{`)

// object reads a call that is an object with a name and arguments at a place. A call of a name that is wanted begins where its arguments begin; another one
// is known at its end. It reports false, and has taken nothing, where there is no call.
func (in *input) object(at int, wanted func(name string) bool) bool {
	for {
		text := in.text[at:]
		if m := named.FindStringSubmatchIndex(text); m != nil {
			var name string
			if json.Unmarshal([]byte(text[m[2]:m[3]]), &name) == nil && wanted(name) {
				in.take(at + m[1] - 1)
				in.call(name, "")
				in.arguments()
				in.close()
				return true
			}
		}
		if strings.HasPrefix(text, "{") {
			var v value
			if n, ended := v.scan(text); ended {
				name, arguments, ok := objectCall([]byte(text[:n]))
				if ok {
					in.take(at + n)
					in.call(name, arguments)
				}
				return ok
			}
		}
		if text != "" && text[0] != '{' || !in.more() {
			return false
		}
	}
}

// close takes the other members of an object, and its end.
func (in *input) close() {
	v := value{depth: 1}
	for {
		n, ended := v.scan(in.text)
		if in.take(n); ended || !in.more() {
			return
		}
	}
}

// objectCall is a call that is a whole object in JSON.
func objectCall(data []byte) (name, arguments string, ok bool) {
	var c struct {
		Name                  string
		Tool                  string `json:"tool_name"`
		Arguments, Parameters json.RawMessage
	}
	if json.Unmarshal(data, &c) != nil || c.Name+c.Tool == "" {
		return "", "", false
	}
	arguments = string(c.Arguments)
	if arguments == "" {
		arguments = string(c.Parameters)
	}
	var quoted string
	if json.Unmarshal([]byte(arguments), &quoted) == nil { // a text with JSON in it
		arguments = quoted
	}
	if arguments == "" || arguments == "null" {
		arguments = "{}"
	}
	return cmp.Or(c.Name, c.Tool), arguments, true
}

func anyName(string) bool { return true }

// objects reads calls that are objects from a place on, one or several with a semicolon between them, as Llama 3 writes them.
func (in *input) objects(at int, wanted func(name string) bool) bool {
	if !in.object(at, wanted) {
		return false
	}
	for {
		at := in.blanks(0)
		if !strings.HasPrefix(in.text[at:], ";") || !in.object(in.blanks(at+1), wanted) {
			return true
		}
	}
}

// list reads a list of calls that are objects, whose bracket is at a place.
func (in *input) list(at int) bool {
	if !in.object(in.blanks(at+1), anyName) {
		return false
	}
	for {
		at := in.blanks(0)
		if !strings.HasPrefix(in.text[at:], ",") || !in.object(in.blanks(at+1), anyName) {
			in.past("]")
			return true
		}
	}
}

// alone reads an answer that consists of calls in JSON. A call of a known tool is read as it comes, and of another one
// at its end.
func (in *input) alone() {
	at := in.blanks(0)
	if strings.HasPrefix(in.text[at:], "{") {
		in.objects(at, in.types.known)
	}
}
