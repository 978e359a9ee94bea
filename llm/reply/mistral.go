package reply

import "strings"

const mistralBegin = "[TOOL_CALLS]"

// mistral is the text behind [TOOL_CALLS]: a list of objects, or a name, [ARGS] and arguments.
var mistral = form{mark: mistralBegin, begin: []string{mistralBegin}, tokens: []string{"[ARGS]", "[CALL_ID]"}, read: func(in *input) bool {
	at := in.blanks(len(mistralBegin))
	for strings.HasPrefix("[ARGS]", in.text[at:]) && in.more() {
	}
	switch rest := in.text[at:]; {
	case strings.HasPrefix(rest, "["):
		return in.list(at)
	case strings.HasPrefix(rest, "{"):
		return in.objects(at, anyName)
	}
	end, _, found := in.find(at, "{")
	name, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(in.text[at:end]), "[ARGS]"), "[CALL_ID]")
	if name = strings.TrimSpace(name); !found || name == "" {
		return false
	}
	in.take(end)
	in.call(name, "")
	in.arguments()
	return true
}}
