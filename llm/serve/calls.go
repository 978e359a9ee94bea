package serve

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// syntax is a form in which models write calls of tools: what begins calls, and what reads them from there on.
type syntax struct {
	mark  string // of templates whose models write the form
	begin []string
	// read takes what a text begins with, which begins with one of begin. It returns the rest of the text; ok is false where there is no
	// whole call.
	read func(text string, types argumentTypes) (f found, rest string, ok bool)
	// part is read for a text that goes on: it takes what is known. whole is false where the rest begins with the same message. The function is nil
	// where a text has to have ended.
	part func(text string) (f found, rest string, whole bool)
}

// call is a call of a tool, with its arguments in JSON.
type call struct{ name, arguments string }

// found is what an answer has.
type found struct {
	calls           []call
	text, reasoning string
}

// one is a call with a name and arguments.
func one(name, arguments string) found { return found{calls: []call{{name, arguments}}} }

// syntaxes are the forms that there are.
var syntaxes = []syntax{
	{"<tool_call>", []string{callBegin}, readTagged, nil},
	{"<function=", []string{"<function="}, readFunctions, nil},
	{"[TOOL_CALLS]", []string{"[TOOL_CALLS]"}, readMistral, nil},
	{"<|python_tag|>", []string{"<|python_tag|>"}, readLlama, nil},
	{"<｜tool▁calls▁begin｜>", []string{"<｜tool▁calls▁begin｜>"}, readDeepSeek, nil},
	{channelMark, []string{" to=functions.", "<|start|>assistant to=functions.", "<|start|>assistant<|channel|>", channelMark}, readHarmony, partOfHarmony},
}

// syntaxesOf are the forms in which a model writes calls whose template writes texts: those that the template names, and the tags of Hermes
// where it names none.
func syntaxesOf(writes func(text string) bool) (list []syntax) {
	for _, s := range syntaxes {
		if writes(s.mark) {
			list = append(list, s)
		}
	}
	if list == nil {
		return syntaxes[:1]
	}
	return list
}

// argumentTypes are the types of the arguments of tools by their schemas, for forms that write arguments as texts.
type argumentTypes map[string]map[string]json.RawMessage

// typesOf reads the schemas of tools.
func typesOf(tools []json.RawMessage) argumentTypes {
	types := argumentTypes{}
	for _, t := range tools {
		var described tool
		var schema struct {
			Properties map[string]struct {
				Type json.RawMessage `json:"type"`
			} `json:"properties"`
		}
		if json.Unmarshal(t, &described) != nil || json.Unmarshal(described.Function.Parameters, &schema) != nil {
			continue
		}
		types[described.Function.Name] = map[string]json.RawMessage{}
		for name, p := range schema.Properties {
			types[described.Function.Name][name] = p.Type
		}
	}
	return types
}

// value is the text of an argument in JSON: as the text is, unless the schema says a string or the text is no JSON.
func (t argumentTypes) value(function, name, text string) json.RawMessage {
	if string(t[function][name]) != `"string"` && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}

// object makes arguments of names and texts that follow each other.
func (t argumentTypes) object(function string, pairs []string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteByte("{,"[min(i, 1)])
		name, _ := json.Marshal(pairs[i])
		b.Write(name)
		b.WriteByte(':')
		b.Write(t.value(function, pairs[i], pairs[i+1]))
	}
	if b.Len() == 0 {
		return "{}"
	}
	return b.String() + "}"
}

// written is calls as the interface has them.
func written(list []call) (out []any) {
	for _, c := range list {
		out = append(out, map[string]any{"id": newID("call"), "type": "function", "function": map[string]any{"name": c.name, "arguments": c.arguments}})
	}
	return out
}

// numbered gives calls behind the first ones the places that parts of an answer name them by; a whole answer has none.
func numbered(calls []any, first int) []any {
	out := make([]any, len(calls))
	for i, c := range calls {
		call := maps.Clone(c.(map[string]any))
		call["index"] = first + i
		out[i] = call
	}
	return out
}

const callBegin, callEnd = "<tool_call>", "</tool_call>"

// objectAlone reads an answer that is one object with a name and arguments, or several.
func objectAlone(text string) (f found, ok bool) {
	whole := strings.TrimSpace(text)
	if !strings.HasPrefix(whole, "{") {
		return f, false
	}
	f, behind, ok := readObjects(whole)
	return f, ok && behind == ""
}

// toolCalls reads the calls in an answer, in the forms of the model. The rest is text.
func toolCalls(text string, forms []syntax, types argumentTypes) (all found) {
	var b strings.Builder
	for {
		at, form := firstCall(text, forms)
		b.WriteString(text[:at])
		if form == nil {
			break
		}
		f, behind, ok := form.read(text[at:], types)
		if !ok { // is no call, and text up to the next beginning of one
			f, behind = found{text: text[at : at+1]}, text[at+1:]
		}
		all.calls, all.reasoning, text = append(all.calls, f.calls...), all.reasoning+f.reasoning, behind
		b.WriteString(f.text)
	}
	if all.text = b.String(); len(all.calls) > 0 {
		all.text = strings.TrimSpace(all.text)
	}
	return all
}

// firstCall is where the first call of a text may begin, and in which form.
func firstCall(text string, forms []syntax) (at int, form *syntax) {
	at = len(text)
	for i := range forms {
		for _, begin := range forms[i].begin {
			if n := strings.Index(text[:min(len(text), at+len(begin)-1)], begin); n >= 0 {
				at, form = n, &forms[i]
			}
		}
	}
	return at, form
}

// mayBegin is how many bytes at the end of a text may be the beginning of a call.
func mayBegin(text string, forms []syntax) (most int) {
	for _, f := range forms {
		most = max(most, mayEnd(text, f.begin))
	}
	return most
}

// mayEnd is how many bytes at the end of a text may be the beginning of one of some marks.
func mayEnd(text string, marks []string) (most int) {
	for _, mark := range marks {
		for n := min(len(mark)-1, len(text)); n > most; n-- {
			if strings.HasSuffix(text, mark[:n]) {
				most = n
			}
		}
	}
	return most
}

// objectCall is a call that is an object in JSON.
func objectCall(data json.RawMessage) (call, bool) {
	var c struct {
		Name                  string
		Arguments, Parameters json.RawMessage
	}
	if json.Unmarshal(data, &c) != nil || c.Name == "" {
		return call{}, false
	}
	arguments := c.Arguments
	if len(arguments) == 0 {
		arguments = c.Parameters
	}
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	var quoted string
	if json.Unmarshal(arguments, &quoted) == nil { // a text with JSON in it
		arguments = json.RawMessage(quoted)
	}
	return call{c.Name, string(arguments)}, true
}

// readObjects takes calls that are objects, one or several with a semicolon between them, as Llama 3 writes them, or a list of objects.
func readObjects(text string) (f found, rest string, ok bool) {
	for {
		data, behind, valid := readValue(text)
		list := []json.RawMessage{data}
		if !valid || data[0] == '[' && json.Unmarshal(data, &list) != nil {
			return f, text, len(f.calls) > 0
		}
		for _, one := range list {
			c, ok := objectCall(one)
			if !ok {
				return f, text, false
			}
			f.calls = append(f.calls, c)
		}
		text = strings.TrimSpace(behind)
		if !strings.HasPrefix(text, ";") {
			return f, text, len(f.calls) > 0
		}
		text = text[1:]
	}
}

// readValue takes a value in JSON.
func readValue(text string) (data json.RawMessage, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if d.Decode(&data) != nil || len(data) == 0 {
		return nil, text, false
	}
	return data, text[d.InputOffset():], true
}

// readTagged takes what stands between <tool_call> and </tool_call>, or the end: an object (Hermes, Qwen), a function in tags (Qwen3-Coder), or a name in
// front of pairs in tags (GLM).
func readTagged(text string, types argumentTypes) (f found, rest string, ok bool) {
	body, rest, _ := strings.Cut(text[len(callBegin):], callEnd)
	body = strings.TrimSpace(body)
	if strings.HasPrefix(body, "<function=") {
		f, _, ok = readFunctions(body, types)
		return f, rest, ok
	}
	if name, pairs, paired := strings.Cut(body, "<arg_key>"); paired {
		name = strings.TrimSpace(name)
		list := between("<arg_key>"+pairs, "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>")
		return one(name, types.object(name, list)), rest, name != "" && list != nil
	}
	data, behind, valid := readValue(body)
	if !valid || strings.TrimSpace(behind) != "" {
		return f, text, false
	}
	c, ok := objectCall(data)
	return found{calls: []call{c}}, rest, ok
}

// readFunctions takes a function in tags: <function=NAME><parameter=NAME>text</parameter></function>.
func readFunctions(text string, types argumentTypes) (f found, rest string, ok bool) {
	body, rest, _ := strings.Cut(text[len("<function="):], "</function>")
	name, body, named := strings.Cut(body, ">")
	if name = strings.TrimSpace(name); !named || name == "" {
		return f, text, false
	}
	list := between(body, "<parameter=", ">", "", "</parameter>")
	for i := 1; i < len(list); i += 2 { // a line of its own
		list[i] = strings.TrimSuffix(strings.TrimPrefix(list[i], "\n"), "\n")
	}
	return one(name, types.object(name, list)), rest, true
}

// between are names and texts that stand between marks, one behind another.
func between(text, beginName, endName, begin, end string) (pairs []string) {
	for {
		_, behind, found := strings.Cut(text, beginName)
		name, behind, ended := strings.Cut(behind, endName)
		_, behind, begun := strings.Cut(behind, begin)
		if !found || !ended || !begun {
			return pairs
		}
		value, behind, _ := strings.Cut(behind, end)
		pairs, text = append(pairs, strings.TrimSpace(name), value), behind
	}
}

// readMistral takes what stands behind [TOOL_CALLS]: a list of objects, or a name, [ARGS] and arguments.
func readMistral(text string, _ argumentTypes) (f found, rest string, ok bool) {
	body := strings.TrimSpace(strings.TrimPrefix(text, "[TOOL_CALLS]"))
	if strings.HasPrefix(body, "[") || strings.HasPrefix(body, "{") {
		return readObjects(body)
	}
	at := strings.IndexByte(body, '{')
	if at < 0 {
		return f, text, false
	}
	name, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(body[:at]), "[ARGS]"), "[CALL_ID]")
	data, rest, valid := readValue(body[at:])
	name = strings.TrimSpace(name)
	return one(name, string(data)), rest, valid && name != ""
}

// builtIn is a call of a tool that Llama 3 was trained with: brave_search.call(query="...").
var builtIn = regexp.MustCompile(`^(\w+)\.call\((.*)\)$`)

// readLlama takes what stands behind <|python_tag|>: objects, or a call in Python whose arguments have names and values that are JSON as well.
func readLlama(text string, _ argumentTypes) (f found, rest string, ok bool) {
	body := strings.TrimSpace(strings.TrimPrefix(text, "<|python_tag|>"))
	parts := builtIn.FindStringSubmatch(body)
	if parts == nil {
		return readObjects(body)
	}
	var arguments []string
	for list := strings.TrimSpace(parts[2]); list != ""; {
		name, behind, named := strings.Cut(list, "=")
		data, more, valid := readValue(behind)
		if !named || !valid {
			return f, text, false
		}
		quoted, _ := json.Marshal(strings.TrimSpace(name))
		arguments = append(arguments, string(quoted)+":"+string(data))
		list = strings.TrimLeft(more, ", ")
	}
	return one(parts[1], "{"+strings.Join(arguments, ",")+"}"), "", true
}

// readDeepSeek takes the calls between <｜tool▁calls▁begin｜> and <｜tool▁calls▁end｜>: a name, <｜tool▁sep｜> and arguments (V3.1), or a kind, <｜tool▁sep｜>, a
// name and arguments between fences (V3, R1).
func readDeepSeek(text string, _ argumentTypes) (f found, rest string, ok bool) {
	body, rest, _ := strings.Cut(strings.TrimPrefix(text, "<｜tool▁calls▁begin｜>"), "<｜tool▁calls▁end｜>")
	for part := range strings.SplitSeq(body, "<｜tool▁call▁begin｜>") {
		part, _, _ = strings.Cut(part, "<｜tool▁call▁end｜>")
		name, arguments, separated := strings.Cut(part, "<｜tool▁sep｜>")
		if !separated {
			continue
		}
		if behind, code, fenced := strings.Cut(arguments, "```json"); fenced {
			name, arguments = behind, code
		}
		data, _, valid := readValue(arguments)
		if name = strings.TrimSpace(name); name == "" || !valid {
			return found{}, text, false
		}
		f.calls = append(f.calls, call{name, string(data)})
	}
	return f, rest, len(f.calls) > 0
}

// marks are the special tokens that calls are written with. Texts of answers leave special tokens out, and calls are found by them.
func marks(forms []syntax) []string {
	list := []string{"[ARGS]", "[CALL_ID]", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>", callEnd}
	if slices.ContainsFunc(forms, func(f syntax) bool { return f.mark == channelMark }) {
		list = append(list, "<|start|>", messageMark, "<|constrain|>", "<|end|>", "<|call|>")
	}
	for _, f := range forms {
		list = append(list, f.begin...)
	}
	return list
}
