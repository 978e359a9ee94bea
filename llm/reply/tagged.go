package reply

import "strings"

// CallBegin and CallEnd are the tags around a call of Hermes, Qwen and other models.
const CallBegin, CallEnd = "<tool_call>", "</tool_call>"

// tagged is the text between [CallBegin] and [CallEnd]: an object (Hermes, Qwen), a function in tags (Qwen3-Coder), or
// a name in front of pairs in tags (GLM).
var tagged = form{mark: CallBegin, begin: []string{CallBegin}, tokens: []string{CallEnd}, read: func(in *input) bool {
	at := in.blanks(len(CallBegin))
	ok := false
	switch {
	case strings.HasPrefix(in.text[at:], "{"):
		ok = in.object(at, anyName)
	case in.begins(at, functionBegin):
		ok = coder.read(in, at)
	default:
		ok = in.pairs(at)
	}
	if ok {
		in.past(CallEnd)
	}
	return ok
}}

// pairs reads a name and pairs of an argument's name and text: f<arg_key>NAME</arg_key><arg_value>text</arg_value>. A
// tool that there is may be called without pairs.
func (in *input) pairs(at int) bool {
	end, mark, found := in.find(at, "<arg_key>", CallEnd)
	name := strings.TrimSpace(in.text[at:end])
	if !found || name == "" || mark == CallEnd && !in.types.known(name) {
		return false
	}
	in.take(end)
	m := in.begin(name)
	for mark == "<arg_key>" {
		in.take(len(mark))
		key, value := new(strings.Builder), new(strings.Builder)
		write := func(to *strings.Builder) func(string) { return func(text string) { to.WriteString(text) } }
		in.take(len(in.until(write(key), "</arg_key>")))
		in.take(len(in.until(func(string) {}, "<arg_value>", CallEnd)))
		in.take(len(in.until(write(value), "</arg_value>", CallEnd)))
		m.add(strings.TrimSpace(key.String()), value.String())
		mark = in.until(func(string) {}, "<arg_key>", CallEnd)
	}
	m.end()
	return true
}
