package reply

import "strings"

// functionTags are the tags of a function and of its parameters, whose names stand between a beginning and an end.
type functionTags struct{ begin, named, end, parameter, parameterNamed, parameterEnd string }

const functionBegin = "<function="

// coder are the tags of Qwen3-Coder, Nemotron 3 and Seed-OSS, and invoked the tags of MiniMax.
var (
	coder   = functionTags{functionBegin, ">", "</function>", "<parameter=", ">", "</parameter>"}
	invoked = functionTags{`<invoke name="`, `">`, "</invoke>", `<parameter name="`, `">`, "</parameter>"}
)

// functions is a function in tags: <function=NAME><parameter=NAME>text</parameter></function>, or
// <function=NAME>arguments</function> of Functionary 3.1.
var functions = form{mark: functionBegin, begin: []string{functionBegin}, read: func(in *input) bool { return coder.read(in, 0) }}

// within is functions in tags, one or several, between other tags.
func (tags functionTags) within(begin, end string) form {
	return form{mark: begin, begin: []string{begin}, tokens: []string{end}, ends: true, read: func(in *input) bool {
		at := in.blanks(len(begin))
		if !in.begins(at, tags.begin) || !tags.read(in, at) {
			return false
		}
		for {
			at := in.blanks(0)
			if !in.begins(at, tags.begin) || !tags.read(in, at) {
				break
			}
		}
		in.past(end)
		return true
	}}
}

// read reads a function at a place. An argument in tags is known at its end.
func (tags functionTags) read(in *input, at int) bool {
	at += len(tags.begin)
	end, _, named := in.find(at, tags.named)
	name := strings.TrimSpace(in.text[at:end])
	if !named || name == "" {
		return false
	}
	in.take(end + len(tags.named))
	m := in.begin(name)
	if at := in.blanks(0); in.begins(at, "{") {
		in.take(at)
		in.arguments()
		in.past(tags.end)
		return true
	}
	for {
		mark := in.until(func(string) {}, tags.parameter, tags.end)
		if in.take(len(mark)); mark != tags.parameter {
			break
		}
		var key, value strings.Builder
		in.take(len(in.until(func(text string) { key.WriteString(text) }, tags.parameterNamed)))
		mark = in.until(func(text string) { value.WriteString(text) }, tags.parameterEnd, tags.end)
		if mark == tags.parameterEnd {
			in.take(len(mark))
		}
		m.add(strings.TrimSpace(key.String()), strings.TrimSuffix(strings.TrimPrefix(value.String(), "\n"), "\n")) // which has a line of its own
	}
	m.end()
	return true
}
