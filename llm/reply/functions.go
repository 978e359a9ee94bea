package reply

import "strings"

const functionBegin, functionEnd, parameterBegin, parameterEnd = "<function=", "</function>", "<parameter=", "</parameter>"

// functions is a function in tags: <function=NAME><parameter=NAME>text</parameter></function>.
var functions = form{mark: functionBegin, begin: []string{functionBegin}, read: func(in *input) bool { return in.function(0) }}

// function reads a function in tags at a place. An argument is known at its end.
func (in *input) function(at int) bool {
	at += len(functionBegin)
	end, _, named := in.find(at, ">")
	name := strings.TrimSpace(in.text[at:end])
	if !named || name == "" {
		return false
	}
	in.take(end + 1)
	m := in.begin(name)
	for {
		mark := in.until(func(string) {}, parameterBegin, functionEnd)
		if in.take(len(mark)); mark != parameterBegin {
			break
		}
		var key, value strings.Builder
		in.take(len(in.until(func(text string) { key.WriteString(text) }, ">")))
		mark = in.until(func(text string) { value.WriteString(text) }, parameterEnd, functionEnd)
		if mark == parameterEnd {
			in.take(len(mark))
		}
		m.add(strings.TrimSpace(key.String()), strings.TrimSuffix(strings.TrimPrefix(value.String(), "\n"), "\n")) // which has a line of its own
	}
	m.end()
	return true
}
